"""Pages that are there already: those of `--in URL` and `--in run:ID`, as a search backend and a reader."""

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence

from leadline.grounding.tokens import terms
from leadline.records import Hit, NotRead, Page, Query

_SATURATION = 1.2  # k1 of BM25


class SavedPages:
    """A few pages, found by words.

    Args:
        load: gives them; asked once, when they are first needed. What it raises, every search raises.
    """

    name = "pages"

    def __init__(self, load: Callable[[], Awaitable[Sequence[Page]]]) -> None:
        self._load = load
        self._lock = asyncio.Lock()
        self._pages: dict[str, Page] = {}
        self._words: dict[str, Counter[str]] = {}

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return the pages that hold a word of the query, best first by BM25 without length. Raises what loading raises."""
        await self._open()
        wanted = list(dict.fromkeys(terms(query.text)))
        spread = {word: sum(word in words for words in self._words.values()) for word in wanted}
        scores = {address: self._score(words, spread) for address, words in self._words.items()}
        ranked = sorted((address for address, score in scores.items() if score > 0), key=lambda a: (-scores[a], a))
        return [
            Hit(backend=self.name, address=address, title=self._pages[address].title, score=scores[address])
            for address in ranked[: query.limit]
        ]

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return the page of a hit."""
        await self._open()
        return self._pages.get(hit.address) or NotRead(address=hit.address, reason="it is not among the saved pages")

    async def _open(self) -> None:
        async with self._lock:
            if not self._pages:
                self._pages = {page.address: page for page in await self._load()}
                self._words = {address: Counter(terms(f"{page.title} {page.text}")) for address, page in self._pages.items()}

    def _score(self, words: Counter[str], spread: Mapping[str, int]) -> float:
        total = len(self._pages)
        rarity = {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in spread.items()}
        return sum(rarity[word] * words[word] / (words[word] + _SATURATION) for word in spread if words[word])

"""Wikipedia, first in the language of the question. https://www.mediawiki.org/wiki/API:Search"""

from collections.abc import Sequence
from urllib.parse import quote, urljoin

from pydantic import JsonValue

from leadline.errors import SearchFailed
from leadline.records import Hit, Query
from leadline.search.asking import Line, rate_limited
from leadline.search.items import make_hit, pick, pick_items, pick_text, take_hits
from leadline.search.provider import Provider, Setup
from leadline.search.regions import find_language

URL = "https://{language}.wikipedia.org/w/api.php"
SECOND = "en"
"""Asked when the Wikipedia of the question's own language has nothing."""

_MOST = 50


class Wikipedia:
    """The full text search of Wikipedia. `WIKIPEDIA_URL` may name another MediaWiki; `{language}` in it is filled in."""

    name = "wikipedia"

    def __init__(self, setup: Setup) -> None:
        self._url = setup.url or URL
        self._line = Line(self.name, setup.client)

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return articles, best first. Raises SearchFailed."""
        languages = dict.fromkeys([find_language(query) or SECOND, SECOND])
        for language in languages:
            if hits := await self._search(query, language):
                return hits
        return []

    async def _search(self, query: Query, language: str) -> Sequence[Hit]:
        url = self._url.replace("{language}", language)
        params: dict[str, str | int] = {
            "action": "query",
            "list": "search",
            "srsearch": query.text,
            "srlimit": min(query.limit, _MOST),
            "srprop": "snippet|timestamp",
            "format": "json",
            "formatversion": 2,
        }
        answer = (await self._line.ask("GET", url, params=params)).read_json(self.name)
        self._check(answer)
        return take_hits((self._read(item, url) for item in pick_items(answer, "query", "search")), query)

    def _check(self, answer: JsonValue) -> None:
        code = pick_text(answer, "error", "code")
        if code in ("ratelimited", "maxlag"):
            raise rate_limited(self.name)
        if code:
            raise SearchFailed("refused", f"wikipedia did not accept the search ({code[:60]!r}).")

    def _read(self, item: JsonValue, url: str) -> Hit | None:
        title = pick(item, "title")
        if not isinstance(title, str) or not title.strip():
            return None
        address = urljoin(url, f"/wiki/{quote(title.replace(' ', '_'), safe='()/:,')}")
        return make_hit(
            self.name, address, title=title, snippet=pick_text(item, "snippet"), date=pick_text(item, "timestamp")[:10]
        )


provider = Provider("wikipedia", Wikipedia, url=URL, longest=300)

"""A search backend over a text file of bookmarks: an address and a title on each line."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from leadline.errors import SearchFailed
from leadline.grounding.tokens import terms
from leadline.records import Hit, Query
from leadline.search import LOCAL, Provider, Setup


class Bookmarks:
    """Finds bookmarks by the words of their titles."""

    name = "bookmarks"

    def __init__(self, setup: Setup) -> None:
        self._path = Path(str(setup.options.get("file", "~/bookmarks.txt"))).expanduser()

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return the bookmarks that share most words with the query.

        Raises:
            SearchFailed: the file cannot be read.
        """
        try:
            text = await asyncio.to_thread(self._path.read_text, encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SearchFailed("misconfigured", "bookmarks cannot read its file: set `file` in [search.bookmarks].") from error
        wanted = set(terms(query.text))
        found = [(len(wanted & set(terms(title))), address, title) for address, _, title in map(_split, text.splitlines())]
        best = sorted((entry for entry in found if entry[0]), key=lambda entry: (-entry[0], entry[1]))
        return [Hit(backend=self.name, address=address, title=title) for _, address, title in best[: query.limit]]


def _split(line: str) -> tuple[str, str, str]:
    return line.strip().partition(" ")


provider = Provider("bookmarks", Bookmarks, url=LOCAL)

"""arXiv. https://info.arxiv.org/help/api/user-manual.html"""

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from leadline.errors import SearchFailed
from leadline.records import Hit, Query
from leadline.search.asking import Line
from leadline.search.items import make_hit, take_hits
from leadline.search.papers import choose_words
from leadline.search.provider import Provider, Setup

URL = "https://export.arxiv.org/api/query"

_ATOM = "{http://www.w3.org/2005/Atom}"
_MOST = 50


class Arxiv:
    """Papers of arXiv, with their abstracts and the addresses of their PDFs."""

    name = "arxiv"

    def __init__(self, setup: Setup) -> None:
        self._url = setup.url or URL
        self._line = Line(self.name, setup.client)

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return papers that hold all words of the query, best first. Raises SearchFailed."""
        words = choose_words(query.text)
        if not words:
            return []
        params: dict[str, str | int] = {
            "search_query": _write(query, words),
            "max_results": min(query.limit, _MOST),
            "sortBy": "relevance",
        }
        reply = await self._line.ask("GET", self._url, params=params)
        try:
            feed = ET.fromstring(reply.body)
        except (ET.ParseError, ValueError) as error:
            raise SearchFailed("unresponsive", "arxiv answered with something that is not a feed.") from error
        return take_hits(map(_read, feed.iter(f"{_ATOM}entry")), query)


def _write(query: Query, words: list[str]) -> str:
    asked = " AND ".join(f'all:"{word}"' for word in words)
    if query.since is None and query.until is None:
        return asked
    since = f"{query.since:%Y%m%d}0000" if query.since else "199101010000"
    until = f"{query.until:%Y%m%d}2359" if query.until else "209912312359"
    return f"{asked} AND submittedDate:[{since} TO {until}]"


def _read(entry: ET.Element) -> Hit | None:
    links = entry.findall(f"{_ATOM}link")
    document = next((link.get("href", "") for link in links if link.get("title") == "pdf"), "")
    return make_hit(
        "arxiv",
        _text(entry, "id"),
        title=_text(entry, "title"),
        abstract=_text(entry, "summary"),
        document=document,
        authors=tuple(_text(author, "name") for author in entry.findall(f"{_ATOM}author")),
        date=_text(entry, "published")[:10],
    )


def _text(element: ET.Element, name: str) -> str:
    return element.findtext(f"{_ATOM}{name}") or ""


provider = Provider("arxiv", Arxiv, url=URL)

"""Crossref, the register of DOIs. https://api.crossref.org/swagger-ui/index.html"""

from collections.abc import Sequence

from pydantic import JsonValue

from leadline.records import Hit, Query
from leadline.search.asking import Line
from leadline.search.items import make_hit, pick, pick_items, pick_text, take_hits
from leadline.search.papers import as_doi_address, filter_days
from leadline.search.provider import Provider, Setup

URL = "https://api.crossref.org/works"

_MOST = 50
_FIELDS = "DOI,title,author,abstract,issued,URL"


class Crossref:
    """Papers by what their publishers registered; some with an abstract."""

    name = "crossref"

    def __init__(self, setup: Setup) -> None:
        self._url = setup.url or URL
        self._line = Line(self.name, setup.client)

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return papers, best first. Raises SearchFailed."""
        params: dict[str, str | int] = {"query": query.text, "rows": min(query.limit, _MOST), "select": _FIELDS}
        params |= filter_days(query, "from-pub-date", "until-pub-date")
        answer = (await self._line.ask("GET", self._url, params=params)).read_json(self.name)
        return take_hits(map(_read, pick_items(answer, "message", "items")), query)


def _read(item: JsonValue) -> Hit | None:
    return make_hit(
        "crossref",
        as_doi_address(pick_text(item, "DOI")) or pick_text(item, "URL"),
        title=pick_text(item, "title", 0),
        abstract=pick_text(item, "abstract"),
        authors=tuple(
            f"{pick_text(author, 'given')} {pick_text(author, 'family')}".strip() for author in pick_items(item, "author")
        ),
        date=_read_date(pick(item, "issued", "date-parts", 0)),
    )


def _read_date(parts: JsonValue) -> str:
    """`[2022, 3, 1]` as `2022-03-01`; month and day may be missing."""
    numbers = [part for part in parts if isinstance(part, int)] if isinstance(parts, list) else []
    return "-".join(f"{number:02}" for number in numbers[:3])


provider = Provider("crossref", Crossref, url=URL, longest=1000)

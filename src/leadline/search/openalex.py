"""OpenAlex, a catalogue of papers. https://docs.openalex.org/api-entities/works/search-works"""

from collections.abc import Sequence

from pydantic import JsonValue

from leadline.records import Hit, Query
from leadline.search.asking import Line
from leadline.search.items import make_hit, pick, pick_items, pick_text, take_hits
from leadline.search.papers import as_doi_address, filter_days
from leadline.search.provider import Provider, Setup

URL = "https://api.openalex.org/works"

_MOST = 50
_LONGEST_ABSTRACT = 5000  # words; positions beyond are damage


class OpenAlex:
    """Papers of all fields, with abstracts and open-access copies where the catalogue has them."""

    name = "openalex"

    def __init__(self, setup: Setup) -> None:
        self._url = setup.url or URL
        self._line = Line(self.name, setup.client, "Check OPENALEX_API_KEY.")
        self._key = setup.key

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return papers, best first. Raises SearchFailed."""
        params: dict[str, str | int] = {"search": query.text, "per-page": min(query.limit, _MOST)}
        params |= filter_days(query, "from_publication_date", "to_publication_date")
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        answer = (await self._line.ask("GET", self._url, params=params, headers=headers)).read_json(self.name)
        return take_hits(map(_read, pick_items(answer, "results")), query)


def _read(item: JsonValue) -> Hit | None:
    landing = pick_text(item, "primary_location", "landing_page_url")
    return make_hit(
        "openalex",
        as_doi_address(pick_text(item, "doi")) or landing or pick_text(item, "id"),
        title=pick_text(item, "display_name"),
        abstract=unfold(pick(item, "abstract_inverted_index")),
        document=pick_text(item, "best_oa_location", "pdf_url"),
        authors=tuple(pick_text(author, "author", "display_name") for author in pick_items(item, "authorships")),
        date=pick_text(item, "publication_date"),
    )


def unfold(index: JsonValue) -> str:
    """Return the text of an inverted index: word → its places."""
    if not isinstance(index, dict):
        return ""
    places: dict[int, str] = {}
    for word, found in index.items():
        for place in found if isinstance(found, list) else ():
            if isinstance(place, int) and 0 <= place < _LONGEST_ABSTRACT:
                places[place] = word
    return " ".join(word for _, word in sorted(places.items()))


provider = Provider("openalex", OpenAlex, url=URL, key="optional", longest=1000)

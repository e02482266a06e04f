"""SearXNG, a metasearch engine that people run themselves. https://docs.searxng.org/dev/search_api.html"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from pydantic import JsonValue

from leadline.errors import SearchFailed
from leadline.records import Hit, Query
from leadline.search.asking import Line
from leadline.search.items import clean, pick, pick_items, pick_text, read_items
from leadline.search.provider import Provider, Setup
from leadline.search.regions import add_sites, find_language

FIELDS = {"address": ("url",), "title": ("title",), "snippet": ("content",), "date": ("publishedDate",)}

_MOST_NAMED = 5


class Searxng:
    """A SearXNG server, `SEARXNG_URL`."""

    name = "searxng"

    def __init__(self, setup: Setup) -> None:
        self._url = setup.url.rstrip("/").removesuffix("/search") + "/search"
        self._line = Line(self.name, setup.client)

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return hits in the order of the server.

        Raises:
            SearchFailed: also when none of its own engines has answered.
        """
        params = {"q": add_sites(query), "format": "json"}
        if language := find_language(query):
            params["language"] = language
        try:
            reply = await self._line.ask("GET", self._url, params=params, headers={"Accept": "application/json"})
        except SearchFailed as failure:
            if failure.kind == "refused":
                raise self._explain_format() from failure
            raise
        if "json" not in reply.content_type.lower() and not reply.body.lstrip().startswith(b"{"):
            raise self._explain_format()
        answer = reply.read_json(self.name)
        hits = read_items(self.name, pick_items(answer, "results"), FIELDS)
        if not hits:
            self._check_engines(answer)
        return hits[: query.limit]

    def _explain_format(self) -> SearchFailed:
        host = urlsplit(self._url).netloc.rpartition("@")[2]
        return SearchFailed(
            "misconfigured",
            f"searxng at {host} does not give out JSON: add `json` to `search.formats` in its settings.yml and restart it.",
        )

    def _check_engines(self, answer: JsonValue) -> None:
        silent = [_name_engine(item) for item in pick_items(answer, "unresponsive_engines")]
        if silent:
            named = ", ".join(silent[:_MOST_NAMED])
            raise SearchFailed("unresponsive", f"The engines behind searxng did not answer ({named}).", transient=True)


def _name_engine(item: JsonValue) -> str:
    name, why = pick_text(item, 0) or clean(str(pick(item) or ""), 40), pick_text(item, 1)
    return clean(f"{name}: {why}" if why else name, 80)


provider = Provider("searxng", Searxng, longest=1000)

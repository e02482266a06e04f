"""Services of one shape: a key, JSON over HTTP, a list of results. Each is an entry of a table over one module."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from leadline.records import Hit, Query
from leadline.search.asking import Line
from leadline.search.items import Path, pick_items, read_items
from leadline.search.provider import Provider, Setup
from leadline.search.regions import add_sites, find_language, find_region

Body = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Shape:
    """One service.

    Attributes:
        url: where it is asked.
        method: how.
        headers: made from the key.
        body: made from the query: JSON of a POST, parameters of a GET.
        results: path to the list of results.
        fields: field of a hit → path in a result.
        most: results that it gives at once.
        longest: characters of a query that it takes.
    """

    name: str
    url: str
    method: Literal["GET", "POST"]
    headers: Callable[[str], Mapping[str, str]]
    body: Callable[[Query, int], Body]
    results: Path
    fields: Mapping[str, Path]
    most: int = 20
    longest: int = 400


class TableBackend:
    """A search backend made from a shape."""

    def __init__(self, shape: Shape, setup: Setup, variable: str) -> None:
        self.name = shape.name
        self._shape = shape
        self._setup = setup
        self._line = Line(shape.name, setup.client, f"Check {variable}.")

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return hits in the order of the service. Raises SearchFailed."""
        shape = self._shape
        made = _strip(shape.body(query, min(query.limit, shape.most)))
        as_json = shape.method == "POST"
        reply = await self._line.ask(
            shape.method,
            self._setup.url or shape.url,
            params=None if as_json else {name: str(value) for name, value in made.items()},
            body=made if as_json else None,
            headers={"Accept": "application/json", **shape.headers(self._setup.key)},
        )
        return read_items(self.name, pick_items(reply.read_json(self.name), *shape.results), shape.fields)[: query.limit]


def _strip(body: Body) -> Body:
    """Without what the query does not say."""
    return {name: value for name, value in body.items() if value not in (None, "", [])}


def _bearer(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _iso(day: dt.date | None) -> str | None:
    return day.isoformat() if day else None


def _american(day: dt.date | None) -> str | None:
    return f"{day.month}/{day.day}/{day.year}" if day else None


def _range(query: Query, joint: str) -> str | None:
    """Both ends of a time, for services that want them together."""
    if query.since is None and query.until is None:
        return None
    since, until = query.since or dt.date(1970, 1, 1), query.until or dt.date(2099, 12, 31)
    return f"{since.isoformat()}{joint}{until.isoformat()}"


def _tavily(query: Query, most: int) -> Body:
    return {
        "query": query.text,
        "max_results": most,
        "include_domains": list(query.sites),
        "exclude_domains": list(query.not_sites),
        "start_date": _iso(query.since),
        "end_date": _iso(query.until),
    }


def _brave(query: Query, most: int) -> Body:
    language = find_language(query)
    return {
        "q": add_sites(query),
        "count": most,
        "country": find_region(query),
        "search_lang": {"zh": "zh-hans", "ja": "jp", "pt": "pt-pt"}.get(language, language),
        "freshness": _range(query, "to"),
        "text_decorations": "false",
    }


def _serper(query: Query, most: int) -> Body:
    since, until = _american(query.since), _american(query.until)
    dates = f"cdr:1,cd_min:{since or ''},cd_max:{until or ''}" if since or until else None
    language = find_language(query)
    return {
        "q": add_sites(query),
        "num": most,
        "gl": find_region(query).lower(),
        "hl": {"zh": "zh-cn"}.get(language, language),
        "tbs": dates,
    }


def _exa(query: Query, most: int) -> Body:
    return {
        "query": query.text,
        "numResults": most,
        "includeDomains": list(query.sites),
        "excludeDomains": list(query.not_sites),
        "startPublishedDate": _iso(query.since),
        "endPublishedDate": _iso(query.until),
        "contents": {"text": {"maxCharacters": 1000}},
    }


def _perplexity(query: Query, most: int) -> Body:
    return {
        "query": query.text,
        "max_results": most,
        "country": find_region(query),
        "search_domain_filter": [*query.sites] or [f"-{site}" for site in query.not_sites],
        "search_after_date_filter": _american(query.since),
        "search_before_date_filter": _american(query.until),
    }


def _jina(query: Query, most: int) -> Body:
    return {"q": add_sites(query), "num": most, "gl": find_region(query), "hl": find_language(query)}


def _bocha(query: Query, most: int) -> Body:
    return {
        "query": query.text,
        "count": most,
        "summary": True,
        "freshness": _range(query, "..") or "noLimit",
        "include": "|".join(query.sites),
        "exclude": "|".join(query.not_sites),
    }


SHAPES = (
    Shape(
        name="tavily",
        url="https://api.tavily.com/search",
        method="POST",
        headers=_bearer,
        body=_tavily,
        results=("results",),
        fields={"address": ("url",), "title": ("title",), "snippet": ("content",), "date": ("published_date",)},
    ),
    Shape(
        name="brave",
        url="https://api.search.brave.com/res/v1/web/search",
        method="GET",
        headers=lambda key: {"X-Subscription-Token": key},
        body=_brave,
        results=("web", "results"),
        fields={"address": ("url",), "title": ("title",), "snippet": ("description",), "date": ("page_age",)},
    ),
    Shape(
        name="serper",
        url="https://google.serper.dev/search",
        method="POST",
        headers=lambda key: {"X-API-KEY": key},
        body=_serper,
        results=("organic",),
        fields={"address": ("link",), "title": ("title",), "snippet": ("snippet",), "date": ("date",)},
        longest=2000,
    ),
    Shape(
        name="exa",
        url="https://api.exa.ai/search",
        method="POST",
        headers=lambda key: {"x-api-key": key},
        body=_exa,
        results=("results",),
        fields={"address": ("url",), "title": ("title",), "snippet": ("text",), "date": ("publishedDate",)},
        longest=2000,
    ),
    Shape(
        name="perplexity",
        url="https://api.perplexity.ai/search",
        method="POST",
        headers=_bearer,
        body=_perplexity,
        results=("results",),
        fields={"address": ("url",), "title": ("title",), "snippet": ("snippet",), "date": ("date",)},
        longest=2000,
    ),
    Shape(
        name="jina",
        url="https://s.jina.ai/",
        method="POST",
        headers=lambda key: {**_bearer(key), "X-Respond-With": "no-content"},
        body=_jina,
        results=("data",),
        fields={"address": ("url",), "title": ("title",), "snippet": ("description",), "date": ("date",)},
    ),
    Shape(
        name="bocha",
        url="https://api.bochaai.com/v1/web-search",
        method="POST",
        headers=_bearer,
        body=_bocha,
        results=("data", "webPages", "value"),
        fields={"address": ("url",), "title": ("name",), "snippet": ("summary",), "date": ("datePublished",)},
        most=50,
    ),
)


def _make_provider(shape: Shape) -> Provider:
    def open_backend(setup: Setup) -> TableBackend:
        return TableBackend(shape, setup, provider.variable)

    provider = Provider(shape.name, open_backend, url=shape.url, key="needed", longest=shape.longest)
    return provider


tavily, brave, serper, exa, perplexity, jina, bocha = map(_make_provider, SHAPES)

"""DuckDuckGo through ddgs: the web without a key. ddgs takes any status but 200 for no results; here they are told apart."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from leadline.errors import FetchFailed, SearchFailed
from leadline.records import Hit, Query
from leadline.search.asking import SECONDS, explain_gate, rate_limited, unreachable
from leadline.search.items import make_hit, take_hits
from leadline.search.provider import Provider, Setup
from leadline.search.regions import add_sites, find_language, find_region

if TYPE_CHECKING:
    from ddgs.engines.duckduckgo import Duckduckgo

URL = "https://html.duckduckgo.com/html/"

_RATE_LIMITED = frozenset({202, 403, 418, 429})
_CHALLENGE = ("anomaly-modal", "bots use DuckDuckGo too")
_REDIRECT = "duckduckgo.com/l/"


class DuckDuckGo:
    """The text search of DuckDuckGo, first page."""

    name = "duckduckgo"

    def __init__(self, setup: Setup) -> None:
        self._check = setup.check
        self._url = setup.url or URL

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return hits, best first. Raises SearchFailed."""
        from ddgs.exceptions import DDGSException, TimeoutException

        try:
            self._check(self._url)
            found = await asyncio.to_thread(_ask, self._url, add_sites(query), _name_region(query), _name_time(query))
        except FetchFailed as error:
            raise explain_gate(self.name, self._url, error) from error
        except TimeoutException as error:
            raise SearchFailed("timed out", f"duckduckgo did not answer within {SECONDS:.0f} s.", transient=True) from error
        except DDGSException as error:
            raise unreachable(self.name, self._url) from error
        return take_hits((make_hit(self.name, _unwrap(r.href), title=r.title, snippet=r.body) for r in found), query)


def _ask(url: str, text: str, region: str, time: str | None) -> Sequence[Any]:
    engine = _engine_class()(timeout=int(SECONDS))
    engine.search_url = url
    return engine.search(text, region=region, timelimit=time) or []


@cache
def _engine_class() -> "type[Duckduckgo]":
    """Imported when it is first used: ddgs takes 0.2 s."""
    from ddgs.engines.duckduckgo import Duckduckgo

    class Strict(Duckduckgo):
        """DuckDuckGo's engine that tells a refusal from an empty answer."""

        def request(self, *args: Any, **kwargs: Any) -> str | None:
            response = self.http_client.request(*args, **kwargs)
            if response.status_code in _RATE_LIMITED or any(mark in response.text for mark in _CHALLENGE):
                raise rate_limited(DuckDuckGo.name)
            if response.status_code != 200:
                raise SearchFailed("unresponsive", f"duckduckgo is out of order (HTTP {response.status_code}).", transient=True)
            return str(response.text) or None

    return Strict


def _name_region(query: Query) -> str:
    """As `cn-zh`; `wt-wt` is the whole world."""
    region, language = find_region(query).lower(), find_language(query)
    return f"{region}-{language}" if region and language else "wt-wt"


def _name_time(query: Query) -> str | None:
    if query.since is None and query.until is None:
        return None
    return f"{query.since or '1970-01-01'}..{query.until or '2099-12-31'}"


def _unwrap(address: str) -> str:
    """DuckDuckGo may link to results through a page of its own."""
    if address.startswith("//"):
        address = f"https:{address}"
    if _REDIRECT in address:
        return next(iter(parse_qs(urlsplit(address).query).get("uddg", [])), address)
    return address


provider = Provider("duckduckgo", DuckDuckGo, url=URL, longest=480)

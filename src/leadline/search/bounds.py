"""What every backend is held to, so that each need not see to it itself."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from leadline.grounding.address import address_key
from leadline.ports import SearchBackend
from leadline.records import Hit, Query
from leadline.search.regions import add_sites


class BoundedSearch:
    """A backend whose queries are cut to what it takes, and whose hits are sifted.

    Args:
        search: the backend within.
        longest: characters of a query that it takes.
    """

    def __init__(self, search: SearchBackend, longest: int) -> None:
        self._search = search
        self._longest = longest
        self.name = search.name

    async def search(self, query: Query) -> Sequence[Hit]:
        """As the backend within; at most `query.limit` hits, each page once, from the sites and times that were asked for."""
        room = self._longest - (len(add_sites(query)) - len(query.text))  # some are told of sites within the text
        hits = await self._search.search(query.model_copy(update={"text": cut(query.text, max(room, 0))}))
        return sift(hits, query)


def cut(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters, cut between words where that is possible."""
    folded = " ".join(text.split())
    if len(folded) <= longest:
        return folded
    short = folded[:longest]
    head, space, _ = short.rpartition(" ")
    return head if space and len(head) > longest // 2 and folded[longest] != " " else short.rstrip()


def sift(hits: Iterable[Hit], query: Query) -> list[Hit]:
    """Return the hits that a query allows, each page once, at most `query.limit`."""
    allowed = {address_key(hit.address): hit for hit in reversed([hit for hit in hits if _is_wanted(hit, query)])}
    return list(reversed(allowed.values()))[: query.limit]


def _is_wanted(hit: Hit, query: Query) -> bool:
    host = _find_host(hit.address)
    if query.sites and not any(_is_within(host, site) for site in query.sites):
        return False
    if any(_is_within(host, site) for site in query.not_sites):
        return False
    too_old = query.since is not None and hit.date and hit.date < query.since.isoformat()[: len(hit.date)]
    too_new = query.until is not None and hit.date and hit.date > query.until.isoformat()[: len(hit.date)]
    return not (too_old or too_new)


def _find_host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_within(host: str, site: str) -> bool:
    return host == site or host.endswith(f".{site}")

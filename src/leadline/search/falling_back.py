"""Backends in order: `--fallback c,d` is asked when those before it could not answer, and says so."""

from collections.abc import Sequence

from leadline.errors import SearchFailed, SearchFailure
from leadline.ports import Account, SearchBackend
from leadline.records import Hit, Query

_LASTING: frozenset[SearchFailure] = frozenset({"rate limited", "refused", "misconfigured"})
"""Failures that the next search would meet again: such a backend is passed over for the rest of the run."""


class FallbackSearch:
    """Asks its backends in order until one answers. An empty answer is an answer.

    Args:
        searches: the backends.
        account: counts the searches after the first, and a backend that another stands in for is remarked on, once.
    """

    def __init__(self, searches: Sequence[SearchBackend], account: Account) -> None:
        self._searches = tuple(searches)
        self._account = account
        self._remarked: set[int] = set()
        self._out: set[int] = set()
        self.name = searches[0].name

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return the hits of the first backend that answers. Raises SearchFailed: of the first one, when none does."""
        failures: list[SearchFailed] = []
        waiting = [number for number in range(len(self._searches)) if number not in self._out] or range(len(self._searches))
        for number in waiting:
            search = self._searches[number]
            if failures:
                await self._account.count_search()
            try:
                hits = await search.search(query)
            except SearchFailed as failure:
                failures.append(failure)
                self._out |= {number} if failure.kind in _LASTING else set()
                continue
            if failures and number not in self._remarked:
                self._remarked.add(number)
                await self._account.remark("search_instead", failure=" ".join(map(str, failures)), name=search.name)
            return hits
        raise join_failures(failures, [search.name for search in self._searches])


def join_failures(failures: Sequence[SearchFailed], names: Sequence[str]) -> SearchFailed:
    """Return one failure for several backends: of the first one's kind, in the words of all."""
    if all(is_away(failure) for failure in failures):
        return nobody_reached(names)
    first = failures[0]
    return SearchFailed(first.kind, " ".join(dict.fromkeys(map(str, failures))), wait=first.wait)


def is_away(failure: SearchFailed) -> bool:
    """Whether a backend could not even be reached."""
    return failure.kind == "unresponsive" and "could not be reached" in str(failure)


def nobody_reached(names: Sequence[str]) -> SearchFailed:
    """Return the failure of a machine without a network."""
    return SearchFailed(
        "unresponsive",
        f"No search backend could be reached ({', '.join(names)}): check the network, or research documents of your own"
        " with --in FOLDER.",
    )

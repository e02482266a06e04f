"""Several backends at once: `--search a,b`."""

import asyncio
from collections.abc import Sequence

from leadline.errors import SearchFailed
from leadline.grounding.address import address_key
from leadline.ports import Account, SearchBackend
from leadline.records import Hit, Query
from leadline.search.falling_back import join_failures

DAMPING = 60
"""The constant k of reciprocal rank fusion, as in Cormack, Clarke and Büttcher, SIGIR 2009."""


class MergedSearch:
    """Asks all of its backends and merges their hits. The search fails when all have failed.

    Args:
        searches: the backends.
        account: one that fails while others answer is remarked on, once.
    """

    def __init__(self, searches: Sequence[SearchBackend], account: Account) -> None:
        self._searches = tuple(searches)
        self._account = account
        self._remarked: set[str] = set()
        self.name = ",".join(search.name for search in searches)

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return the merged hits, best first. Raises SearchFailed: in the words of all, when none has answered."""
        answers = await asyncio.gather(*(_ask(search, query) for search in self._searches))
        failures = {s.name: a for s, a in zip(self._searches, answers, strict=True) if isinstance(a, SearchFailed)}
        lists = [answer for answer in answers if not isinstance(answer, SearchFailed)]
        if not lists:
            raise join_failures([*failures.values()], [*failures])
        for name in failures.keys() - self._remarked:
            self._remarked.add(name)
            await self._account.remark("search_without", failure=str(failures[name]), name=name)
        return fuse(lists)[: query.limit]


async def _ask(search: SearchBackend, query: Query) -> Sequence[Hit] | SearchFailed:
    try:
        return await search.search(query)
    except SearchFailed as failure:
        return failure


def fuse(lists: Sequence[Sequence[Hit]]) -> list[Hit]:
    """Merge ranked lists by reciprocal rank fusion: each page once, as the list that ranks it best gave it.

    Returns:
        Hits by falling sum of 1 / (60 + rank); equal ones in the order of the lists.
    """
    scores: dict[str, float] = {}
    best: dict[str, tuple[int, Hit]] = {}
    for hits in lists:
        for rank, hit in enumerate(hits, 1):
            key = address_key(hit.address)
            scores[key] = scores.get(key, 0.0) + 1 / (DAMPING + rank)
            if key not in best or rank < best[key][0]:
                best[key] = (rank, hit)
    return [best[key][1] for key in sorted(scores, key=lambda key: -scores[key])]

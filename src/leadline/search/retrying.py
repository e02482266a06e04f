"""Asking again: as told, a few times, and visibly. Cancelling the run ends the wait."""

from collections.abc import Sequence

from leadline.errors import SearchFailed
from leadline.ports import Account, Clock, SearchBackend
from leadline.records import Hit, Query

ATTEMPTS = 3
LONGEST_WAIT = 30.0
"""Seconds. A backend that asks for more is given up at once, and its reason said."""

FIRST_WAIT = 1.0
"""Seconds before the second attempt where the backend says nothing; each further wait is twice as long."""


class RetryingSearch:
    """A backend that is asked again when it says, or is likely, to have only a moment's trouble. Each attempt counts."""

    def __init__(self, search: SearchBackend, clock: Clock, account: Account) -> None:
        self._search = search
        self._clock = clock
        self._account = account
        self.name = search.name

    async def search(self, query: Query) -> Sequence[Hit]:
        """As the backend within, after at most 3 attempts. Raises SearchFailed: the last one's; LimitReached."""
        for attempt in range(1, ATTEMPTS):
            try:
                return await self._search.search(query)
            except SearchFailed as failure:
                wait = failure.wait if failure.wait is not None else FIRST_WAIT * 2 ** (attempt - 1)
                if not failure.transient or wait > LONGEST_WAIT:
                    raise
                await self._account.say("search_again", failure=str(failure), seconds=f"{wait:.0f}")
                await self._clock.sleep(wait)
                await self._account.count_search()
        return await self._search.search(query)

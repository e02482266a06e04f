"""Not asking a backend more often than it allows."""

from collections.abc import Sequence

from leadline.pace import Pace
from leadline.ports import Clock, SearchBackend
from leadline.records import Hit, Query


class PacedSearch:
    """A backend that is asked at a pace: see `leadline.pace`."""

    def __init__(self, search: SearchBackend, pace: Pace, clock: Clock) -> None:
        self._search = search
        self._pace = pace
        self._clock = clock
        self.name = search.name

    async def search(self, query: Query) -> Sequence[Hit]:
        """As the backend within, when it is our turn."""
        await self._pace.keep(self._clock)
        return await self._search.search(query)

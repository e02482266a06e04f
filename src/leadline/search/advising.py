"""A rate-limited search ends with a command that works now."""

from collections.abc import Sequence

from leadline.errors import SearchFailed
from leadline.ports import SearchBackend
from leadline.records import Hit, Query


class AdvisingSearch:
    """A backend whose failures say what to do instead.

    Args:
        search: the backend within.
        command: works without the backends that are asked here.
    """

    def __init__(self, search: SearchBackend, command: str) -> None:
        self._search = search
        self._command = command
        self.name = search.name

    async def search(self, query: Query) -> Sequence[Hit]:
        """As the backend within. Raises SearchFailed."""
        try:
            return await self._search.search(query)
        except SearchFailed as failure:
            if failure.kind != "rate limited":
                raise
            raise SearchFailed(failure.kind, f"{failure} Now works: {self._command}", wait=failure.wait) from failure

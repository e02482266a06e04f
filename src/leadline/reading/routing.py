"""Several readers as one: each hit goes to the reader that belongs to its backend."""

from collections.abc import Mapping

from leadline.ports import Reader
from leadline.records import Hit, NotRead, Page


class RoutedReader:
    """Reads hits of some backends with their own readers, and all others with one.

    Args:
        readers: name of a backend → its reader.
        others: reads the hits of all other backends.
    """

    def __init__(self, readers: Mapping[str, Reader], others: Reader) -> None:
        self._readers = dict(readers)
        self._others = others

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return what the reader of the hit's backend gives."""
        return await self._readers.get(hit.backend, self._others).read(hit)

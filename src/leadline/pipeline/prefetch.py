"""Searching and reading for a plan that is still being written. What was fetched waits in the journal."""

import asyncio

from leadline.errors import LeadlineError
from leadline.pipeline.crew import Crew
from leadline.pipeline.execute import find_hits, find_places
from leadline.pipeline.plan import fold
from leadline.records import Page, Topic


class Prefetch:
    """What is fetched early. A todo meets it under the same keys; one that does not come to be has cost a search."""

    def __init__(self, topic: Topic, crew: Crew) -> None:
        self._topic = topic
        self._crew = crew
        self._known: set[str] = set()
        self.tasks: list[asyncio.Task[None]] = []

    def warm(self, query: str) -> None:
        """Begin to fetch for a query, unless it is like an earlier one."""
        if fold(query) not in self._known:
            self._known.add(fold(query))
            self.tasks.append(asyncio.create_task(self._fetch(query)))

    async def _fetch(self, query: str) -> None:
        try:
            hits = await find_hits(query, 1, self._topic, self._crew)
            pages = await asyncio.gather(*(self._crew.reader.read(hit) for hit in hits[: self._crew.reach.pages]))
        except LeadlineError:
            return  # the todo itself will meet it, and say so
        read = [page for page in pages if isinstance(page, Page)]
        await asyncio.to_thread(lambda: [find_places(page, number) for number, page in enumerate(read, 1)])

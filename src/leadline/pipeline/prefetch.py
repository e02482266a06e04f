"""Searching and reading for the todos of a plan that is still being written. What was fetched waits in the journal."""

import asyncio

from leadline.errors import LeadlineError
from leadline.pipeline.crew import Crew
from leadline.pipeline.execute import find_hits
from leadline.pipeline.plan import merge_alike
from leadline.records import Todo, Topic


class Prefetch:
    """What is fetched early. A todo meets it under the same keys; one that does not come to be has cost a search."""

    def __init__(self, topic: Topic, crew: Crew) -> None:
        self._topic = topic
        self._crew = crew
        self._todos: list[Todo] = []
        self.tasks: list[asyncio.Task[None]] = []

    def warm(self, todo: Todo) -> None:
        """Begin to fetch for a todo, unless it is like an earlier one."""
        todos = merge_alike([*self._todos, todo])
        if len(todos) > len(self._todos):
            self._todos = todos
            self.tasks.append(asyncio.create_task(self._fetch(todos[-1])))

    async def _fetch(self, todo: Todo) -> None:
        try:
            hits = await find_hits(todo, self._topic, self._crew)
            await asyncio.gather(*(self._crew.reader.read(hit) for hit in hits[: self._crew.reach.pages]))
        except LeadlineError:
            return  # the todo itself will meet it, and say so

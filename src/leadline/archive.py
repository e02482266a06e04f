"""The archive: what is known of the runs of one store, whoever carries them out."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.engine import Place, State, open_books
from leadline.errors import RunElsewhere, RunFailed, UsageError
from leadline.events import PlanEvent
from leadline.pipeline.execute import RESULT, limit_points, result_key
from leadline.pipeline.recall import remember
from leadline.records import Plan, Run, Todo, TodoResult
from leadline.settings import Settings
from leadline.store import Store

ACKNOWLEDGED = 10.0
"""Seconds within which the worker that holds a run confirms that it was cancelled or changed, unless it hangs."""

_LOOK = 0.1
"""Seconds between two looks whether it has."""


@dataclass(frozen=True, slots=True)
class Archive:
    """Runs of one store.

    Attributes:
        store: where they are kept.
        settings: of this process.
        kept: whether the store outlives the process; a run that does not is carried out without the engine.
    """

    store: Store
    settings: Settings
    kept: bool = True

    @property
    def place(self) -> Place:
        """Where the engine keeps its books."""
        return Place(self.settings.home, self.settings.database_url)

    async def is_taken_in(self, run: Run, after: int) -> bool:
        """Wait until a run in work has taken a change of its plan in; say no when it is in nobody's hands, or has just ended
        without it.

        Raises:
            RunElsewhere: the process that has it in work does not answer.
        """
        deadline = asyncio.get_running_loop().time() + ACKNOWLEDGED
        async with open_books(self.place) as books:
            while True:
                state = await books.state(run.id)
                events = await self.store.runs.events(run.id, after)
                if any(isinstance(envelope.event, PlanEvent) for envelope in events):
                    return True
                if state != "working":
                    return state == "queued"
                if asyncio.get_running_loop().time() > deadline:
                    raise RunElsewhere(f"Whoever has run {run.id} in work does not answer; the change counts when it does.")
                await asyncio.sleep(_LOOK)

    async def find_plan(self, run: Run) -> Plan:
        """Return the plan that is in force for a run, while it works and after.

        Raises:
            UsageError: it has none yet.
        """
        plans = await self.find_plans(run)
        if not plans or not plans[-1].plan.todos:
            raise UsageError(f"Run {run.id} has no plan yet.")
        return plans[-1].plan

    async def find_done(self, run: Run, plan: Plan) -> set[str]:
        """Return the keys of the todos of a plan that have a result."""
        return {todo.key for todo in plan.todos if await self.find_result(run, todo) is not None}

    async def state(self, run: Run) -> State:
        """Return where a run that has not ended stands."""
        return (await self.states([run]))[run.id]

    async def states(self, runs: Sequence[Run]) -> Mapping[str, State]:
        """Return where runs that have not ended stand, by id. The books are opened once, and not at all for no run."""
        if not runs:
            return {}
        async with open_books(self.place) as books:
            return {run.id: await books.state(run.id) for run in runs}

    async def find_plans(self, run: Run) -> Sequence[PlanEvent]:
        """Return what was said of a run's plan, oldest first."""
        events = await self.store.runs.events(run.id)
        return [envelope.event for envelope in events if isinstance(envelope.event, PlanEvent)]

    async def find_result(self, run: Run, todo: Todo) -> TodoResult | None:
        """Return what a todo of a run came to; None while it has no result."""
        key = result_key(todo, limit_points(run.request))
        return await remember(self.store.journal(run.id), key, "todo", RESULT)

    async def measure_progress(self, name: str) -> int:
        """Return the number of a run's events."""
        return len(await self.store.runs.events(name))

    async def stop_in_books(self, name: str) -> State:
        """Take a run out of the queue, or ask whoever has it to stop; return where it stood."""
        async with open_books(self.place) as books:
            return await books.stop(name)

    async def await_end(self, run: Run) -> None:
        """Wait until whoever has a run has ended it.

        Raises:
            RunFailed: it did not in time.
        """
        try:
            async with asyncio.timeout(ACKNOWLEDGED):
                async for _ in self.store.runs.watch(run.id, after=len(await self.store.runs.events(run.id))):
                    pass
        except TimeoutError as error:
            raise RunFailed(
                f"The process that holds run {run.id} has not confirmed within {ACKNOWLEDGED:.0f} s; it stops when it answers."
            ) from error

"""The docket: which runs there are, where they stand, and what people have told them to do. Nothing is carried out here."""

import asyncio
import hashlib
import socket
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from leadline.engine import PRIORITY, Place, State, open_books
from leadline.errors import NotFound, RunElsewhere, UsageError
from leadline.events import PlanEvent
from leadline.library import Registry
from leadline.pipeline.execute import RESULT, limit_points, result_key
from leadline.pipeline.plan import check_todos
from leadline.pipeline.recall import remember
from leadline.records import Plan, Request, Run, TaskStatus, Todo, TodoResult
from leadline.settings import Settings
from leadline.store import Store
from leadline.wiring import sort_sources

ACKNOWLEDGED = 10.0
"""Seconds within which the worker that holds a run confirms that it was cancelled or changed, unless it hangs."""

_LOOK = 0.1
"""Seconds between two looks whether it has."""


@dataclass(frozen=True, slots=True)
class Docket:
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

    def holdings(self) -> frozenset[str]:
        """What runs may need that only this machine has. With SQLite all workers share one machine, so nothing does."""
        if not self.settings.database_url:
            return frozenset()
        return frozenset({_this_machine(), *(f"@{library.name}" for library in Registry(self.settings.home).list())})

    def needs(self, request: Request) -> frozenset[str]:
        """What a worker must hold to do a request: named libraries by name, paths by the machine that they were typed on."""
        if not self.settings.database_url:
            return frozenset()
        paths = sort_sources(request.sources).paths
        return frozenset(source if source.startswith("@") else _this_machine() for source in paths)

    async def resume(self, run: Run) -> None:
        """Let a run go on where it stopped: one that was cancelled, interrupted (even while it was being cancelled) or failed.

        Raises:
            UsageError: it has come to its end.
        """
        if run.status in ("complete", "incomplete"):
            raise UsageError(
                f"Run {run.id} has come to its end ({run.status}): change its plan (leadline runs edit {run.id}),"
                f" or have todos done again (leadline runs retry {run.id} --todo N)."
            )
        await self.store.runs.signal(run.id, "resume")
        await self.reopen(run)

    async def retry(self, run: Run, todos: Collection[int] = ()) -> Sequence[Todo]:
        """Do todos of a run again, and return which.

        Args:
            run: with a plan.
            todos: their numbers; those that failed or found nothing when none is given.

        Raises:
            NotFound: there is no such todo.
            UsageError: nothing has failed.
        """
        plan = await self.find_plan(run)
        known = {todo.id: todo for todo in plan.todos}
        if unknown := sorted(set(todos) - set(known)):
            raise NotFound(f"Run {run.id} has no todo {unknown[0]}; it has {', '.join(map(str, sorted(known)))}.")
        sections = run.report.sections if run.report else ()
        chosen = [known[number] for number in sorted(todos)] or [
            section.todo for section in sections if section.status in ("failed", "empty")
        ]
        if not chosen:
            raise UsageError(f"No todo of run {run.id} has failed; name the ones to do again by number.")
        for todo in chosen:
            await self.store.runs.signal(run.id, "retry", todo=todo.id)
        await self.reopen(run)
        return chosen

    async def edit(self, run: Run, todos: Sequence[Todo]) -> None:
        """Give a run another list of todos. Only what changed is done again.

        Raises:
            PlanError: there is none, two are alike, or one says nothing; nothing was changed.
        """
        check_todos(todos)
        await self.store.runs.signal(run.id, "edit", todos=todos)
        await self.reopen(run)

    async def approve(self, run: Run) -> None:
        """Let the work on a plan begin that waits for approval.

        Raises:
            UsageError: none does.
        """
        plans = await self._find_plans(run)
        if run.status != "running" or not plans or plans[-1].approved:
            raise UsageError(f"Run {run.id} has no plan that waits for approval.")
        await self.store.runs.signal(run.id, "approve")

    async def go_on(self, run: Run, after: int) -> None:
        """See to it that a run goes on with a change: whoever has it in work has taken it in, else it is left to the workers.

        Args:
            run: as it was before the change was signalled.
            after: number of its last event before that.

        Raises:
            NoWorker: no live worker holds what it needs.
            RunElsewhere: another release began it, or the process that has it in work does not answer.
        """
        if run.status == "running" and await self.is_taken_in(run, after):
            return
        await self.submit(await self.reopen(await self.store.runs.load(run.id)))

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

    async def check_worker(self, run: Run) -> None:
        """See, before a run is changed, that a worker can take it; one that waits or is at work has found its own.

        Raises:
            NoWorker: no live worker holds what it needs.
        """
        if needs := self.needs(run.request):
            async with open_books(self.place) as books:
                if await books.state(run.id) not in ("queued", "working"):
                    await books.choose_queue(needs)

    async def submit(self, run: Run, priority: int = PRIORITY) -> bool:
        """Leave a run to the workers; say whether one is there to take it.

        Args:
            run: saved; signals that it should hear have been written.
            priority: 1 goes first.

        Raises:
            NoWorker: no live worker holds what it needs.
            RunElsewhere: another release began it.
        """
        async with open_books(self.place) as books:
            await books.submit(run.id, self.needs(run.request), priority)
            return any(peer.role != "research" for peer in await books.peers())

    async def find_plan(self, run: Run) -> Plan:
        """Return the plan that is in force for a run, while it works and after.

        Raises:
            UsageError: it has none yet.
        """
        plans = await self._find_plans(run)
        if not plans or not plans[-1].plan.todos:
            raise UsageError(f"Run {run.id} has no plan yet.")
        return plans[-1].plan

    async def find_done(self, run: Run, plan: Plan) -> Mapping[str, TaskStatus]:
        """Return what became of the todos of a plan that have a result, by key."""
        results = [await self._find_result(run, todo) for todo in plan.todos]
        return {result.key: result.status for result in results if result is not None}

    async def state(self, run: Run) -> State:
        """Return where a run that has not ended stands."""
        return (await self.states([run]))[run.id]

    async def states(self, runs: Sequence[Run]) -> Mapping[str, State]:
        """Return where runs that have not ended stand, by id. The books are opened once, and not at all for no run."""
        if not runs:
            return {}
        async with open_books(self.place) as books:
            return {run.id: await books.state(run.id) for run in runs}

    async def reopen(self, run: Run) -> Run:
        """Take a run that has ended for one that has not, before it is carried out again."""
        if run.status == "running":
            return run
        run = run.model_copy(update={"status": "running", "ended": None, "reason": ""})
        await self.store.runs.save(run)
        return run

    async def _find_plans(self, run: Run) -> Sequence[PlanEvent]:
        events = await self.store.runs.events(run.id)
        return [envelope.event for envelope in events if isinstance(envelope.event, PlanEvent)]

    async def _find_result(self, run: Run, todo: Todo) -> TodoResult | None:
        key = result_key(todo, limit_points(run.request))
        return await remember(self.store.journal(run.id), key, "todo", RESULT)

    async def _stop_in_books(self, name: str) -> State:
        async with open_books(self.place) as books:
            return await books.stop(name)


def _this_machine() -> str:
    """A name for the files of this machine that does not tell its host name."""
    return f"the files of machine {hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]}"

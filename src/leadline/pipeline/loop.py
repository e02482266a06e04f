"""The mailbox loop: a run takes one signal at a time, changes its plan, and starts or stops todos.

The state is a fold over the run's signals, results are keyed by the content of the todo, and the report is a function of
plan and results. So starting, resuming after a crash, editing and retrying are the same thing: run the loop again.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from leadline.errors import LeadlineError
from leadline.events import DoneEvent, ErrorEvent, PlanEvent, ReportEvent, StatusEvent
from leadline.pipeline.crew import Crew
from leadline.pipeline.execute import POINTS, announce, execute
from leadline.pipeline.phrases import phrases
from leadline.pipeline.plan import make_plan, tidy
from leadline.pipeline.write import Material, write_report
from leadline.records import Plan, Report, Request, RunStatus, Signal, Todo, TodoResult, Topic


@dataclass(frozen=True, slots=True)
class State:
    """What the signals so far have made of the plan."""

    plan: Plan
    stopped: bool = False

    def wanted(self) -> dict[str, Todo]:
        """The todos that the plan asks for, by key."""
        return {} if self.stopped else {todo.key: todo for todo in self.plan.todos if not todo.skip}


def apply(state: State, signal: Signal) -> State:
    """Return the state after one more signal."""
    match signal.kind:
        case "cancel":
            return replace(state, stopped=True)
        case "resume":
            return replace(state, stopped=False)
        case "edit":
            plan = Plan(revision=state.plan.revision + 1, todos=signal.todos)
            return State(plan=tidy(plan, len(signal.todos)))
        case "retry":
            todos = tuple(_retried(todo) if todo.id == signal.todo else todo for todo in state.plan.todos)
            return State(plan=Plan(revision=state.plan.revision + 1, todos=todos))
        case other:
            assert_never(other)


def _retried(todo: Todo) -> Todo:
    return todo.model_copy(update={"attempt": todo.attempt + 1})


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    status: RunStatus
    plan: Plan
    report: Report
    results: Mapping[str, TodoResult]
    reason: str = ""


async def conduct(run: str, topic: Topic, request: Request, crew: Crew) -> Outcome:
    """Do a run to its end, or to where it had come when it was cancelled.

    Args:
        run: id of the run.
        topic: its question.
        request: what was asked for, the plan included if there is one.
        crew: those who do the work.

    Returns:
        The outcome; its events have been emitted, `done` last.

    Raises:
        LeadlineError: there is no plan, so there is nothing to report on.
    """
    words = phrases(topic.language)
    await crew.journal.emit(
        StatusEvent(message=words.say("start", analyst=words.analyst(crew.analyst.name), origin=crew.origin.name)), "start"
    )
    await crew.journal.emit(StatusEvent(message=words.say("surveying")), "surveying")
    loop = Loop(run, topic, request, crew, State(plan=await make_plan(topic, request, crew)))
    try:
        return await loop.turn()
    finally:
        await loop.stop()


@dataclass(slots=True)
class Loop:
    """The state of one run and the todos that are being worked on."""

    run: str
    topic: Topic
    request: Request
    crew: Crew
    state: State
    working: dict[str, asyncio.Task[TodoResult]] = field(default_factory=dict)
    results: dict[str, TodoResult] = field(default_factory=dict)
    listening: "asyncio.Task[Signal | None] | None" = None

    async def turn(self) -> Outcome:
        """Go on until nothing is left to do and no signal is waiting."""
        while True:
            await self._drain()
            await self._announce_plan()
            while await self._match_work_to_plan():
                await self._wait()
            outcome = await self._write()
            signal = await self._hear(timeout=0)
            if signal is None:
                await self._close(outcome)
                return outcome
            self.state = apply(self.state, signal)

    async def stop(self) -> None:
        """Stop all work and wait until it has stopped."""
        tasks = [*self.working.values(), *([self.listening] if self.listening else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.working.clear()
        self.listening = None

    async def _drain(self) -> None:
        while (signal := await self._hear(timeout=0)) is not None:
            self.state = apply(self.state, signal)

    async def _hear(self, timeout: float) -> Signal | None:
        """The next signal, from the listener if it has one."""
        if self.listening and self.listening.done():
            heard, self.listening = self.listening, None
            return heard.result()
        if self.listening:
            return None
        return await self.crew.journal.next_signal(timeout)

    async def _announce_plan(self) -> None:
        plan = self.state.plan
        await self.crew.journal.emit(PlanEvent(plan=plan), f"plan:{plan.revision}")
        for todo in plan.todos:
            await announce(todo, "skipped" if todo.skip else "pending", self.crew)

    async def _match_work_to_plan(self) -> bool:
        """Start what the plan asks for and stop what it no longer does; say whether anything is being worked on."""
        wanted = self.state.wanted()
        unwanted = [task for key, task in self.working.items() if key not in wanted]
        for task in unwanted:
            task.cancel()
        await asyncio.gather(*unwanted, return_exceptions=True)
        self.working = {key: task for key, task in self.working.items() if key in wanted}
        for key, todo in wanted.items():
            if key not in self.working and key not in self.results:
                work = execute(todo, self.run, self.topic, self.crew, self.request.max_points or POINTS)
                self.working[key] = asyncio.create_task(work)
        return bool(self.working)

    async def _wait(self) -> None:
        """Wait for a signal or the end of a todo, and take it in."""
        if self.listening is None:
            self.listening = asyncio.create_task(self.crew.journal.next_signal(None))
        await asyncio.wait([self.listening, *self.working.values()], return_when=asyncio.FIRST_COMPLETED)
        for key in [key for key, task in self.working.items() if task.done()]:
            await self._collect(key, self.working.pop(key))
        if self.listening.done() and (signal := await self._hear(timeout=0)) is not None:
            self.state = apply(self.state, signal)
            await self._announce_plan()

    async def _collect(self, key: str, task: asyncio.Task[TodoResult]) -> None:
        """Keep a todo's result. Whatever went wrong in it is the todo's own failure and harms no other."""
        error = task.exception()
        if error is None:
            self.results[key] = task.result()
            return
        reason = self._explain(error)
        self.results[key] = TodoResult(key=key, status="failed", reason=reason)
        todo = next(t for t in self.state.plan.todos if t.key == key)
        await self.crew.journal.emit(ErrorEvent(message=reason, todo=todo.id), f"error:{key}")
        await announce(todo, "failed", self.crew)

    def _explain(self, error: BaseException) -> str:
        if isinstance(error, LeadlineError):
            return str(error)
        return phrases(self.topic.language).say("unexpected", kind=type(error).__name__, message=str(error))

    async def _write(self) -> Outcome:
        words = phrases(self.topic.language)
        await self.crew.journal.emit(StatusEvent(message=words.say("writing")), f"writing:{self.state.plan.revision}")
        material = Material(
            topic=self.topic,
            plan=self.state.plan,
            results=dict(self.results),
            origin=self.crew.origin,
            max_points=self.request.max_points,
            interrupted=self.state.stopped,
        )
        report = await write_report(material, self.crew.analyst)
        status = "cancelled" if self.state.stopped else judge_status(self.state.plan, self.results)
        reason = "; ".join(dict.fromkeys(r.reason for r in self.results.values() if r.reason))
        return Outcome(status, self.state.plan, report, dict(self.results), reason)

    async def _close(self, outcome: Outcome) -> None:
        text = outcome.report.model_dump_json() + outcome.status
        mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        if self.state.stopped:
            for todo in self.state.plan.todos:
                if not todo.skip and todo.key not in self.results:
                    await announce(todo, "cancelled", self.crew)
        await self.crew.journal.emit(ReportEvent(report=outcome.report), f"report:{mark}")
        await self.crew.journal.emit(DoneEvent(status=outcome.status), f"done:{mark}")


def judge_status(plan: Plan, results: Mapping[str, TodoResult]) -> RunStatus:
    """Complete when every todo that was not skipped has points; failed when every one failed."""
    statuses = {results[todo.key].status for todo in plan.todos if not todo.skip and todo.key in results}
    if statuses == {"failed"}:
        return "failed"
    return "complete" if statuses == {"completed"} else "incomplete"

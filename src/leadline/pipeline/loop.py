"""The mailbox loop: a run takes one signal at a time, changes its plan, and starts or stops todos.

The state is a fold over the run's signals, results are keyed by the content of the todo, and the report is a function of
plan and results. So starting, resuming after a crash, editing and retrying are the same thing: run the loop again.
"""

import asyncio
import functools
import hashlib
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, assert_never

from leadline.errors import LeadlineError, LimitReached, ModelFailed, SearchFailed, StoreError
from leadline.events import (
    ConflictEvent,
    DoneEvent,
    ErrorEvent,
    PlanEvent,
    ReportEvent,
    StatusEvent,
    Task,
    TaskEvent,
    UsageEvent,
)
from leadline.pipeline.allowance import Allowance, LimitedSearch
from leadline.pipeline.crew import Crew
from leadline.pipeline.execute import RESULT, execute, limit_points, result_key
from leadline.pipeline.phrases import Phrases, phrases
from leadline.pipeline.plan import PLAN, make_plan, merge_alike
from leadline.pipeline.prefetch import Prefetch
from leadline.pipeline.recall import remember
from leadline.pipeline.review import insert_reviews, review
from leadline.pipeline.write import Material, make_outline, write_report
from leadline.ports import Foresighted, Reviewer
from leadline.records import Plan, Report, Request, RunStatus, Signal, TaskStatus, Todo, TodoResult, Topic, Usage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class State:
    """What the signals so far have made of the plan."""

    plan: Plan
    stopped: bool = False
    approved: bool = True
    life: int = 1
    """Rises when a stopped run is resumed: its todos then tell their states anew."""

    @property
    def waits(self) -> bool:
        """Whether the plan waits for approval."""
        return not self.approved and not self.stopped

    def wanted(self) -> dict[str, Todo]:
        """The todos that the plan asks for, by key."""
        return {} if self.stopped or self.waits else {todo.key: todo for todo in self.plan.todos if not todo.skip}


def apply(state: State, signal: Signal) -> State:
    """Return the state after one more signal."""
    match signal.kind:
        case "cancel":
            return replace(state, stopped=True)
        case "resume":
            return replace(state, stopped=False, life=state.life + state.stopped)
        case "approve":
            return replace(state, approved=True)
        case "edit":
            return replace(state, plan=_revise(state.plan, merge_alike(signal.todos)))
        case "retry":
            todos = [_retried(todo) if todo.id == signal.todo else todo for todo in state.plan.todos]
            return replace(state, plan=_revise(state.plan, todos))
        case other:
            assert_never(other)


def _revise(plan: Plan, todos: Sequence[Todo]) -> Plan:
    return Plan(revision=plan.revision + 1, todos=tuple(todos))


def _retried(todo: Todo) -> Todo:
    return todo.model_copy(update={"attempt": todo.attempt + 1})


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    status: RunStatus
    plan: Plan
    report: Report
    usage: Usage
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
    start = describe_start(crew, words)
    await crew.journal.emit(StatusEvent(message=start), "start")
    allowance = crew.account or Allowance(request.limits, crew.journal, crew.clock, words)
    await allowance.open()
    crew = replace(crew, search=LimitedSearch(crew.search, allowance))
    loop = Loop(run, topic, request, crew, allowance)
    try:
        return await loop.turn()
    finally:
        await loop.stop()


def describe_start(crew: Crew, words: Phrases) -> str:
    """Return the first line of a run: the analyst, the sources, and every host that will be asked."""
    parts = {"analyst": words.analyst(crew.analyst.name), "origin": crew.origin.name}
    hosts = words.list([*dict.fromkeys((*crew.origin.models, *crew.origin.hosts))])
    if crew.origin.hosts:
        return words.say("start_asking", **parts, hosts=hosts)
    return words.say("start_models", **parts, hosts=hosts) if crew.origin.models else words.say("start", **parts)


@dataclass(slots=True)
class Loop:
    """One run: the signals heard so far, the todos that are being worked on, and what they have found."""

    run: str
    topic: Topic
    request: Request
    crew: Crew
    allowance: Allowance
    expired: bool = False
    first: Plan = field(default_factory=lambda: Plan(todos=()))
    heard: list[Signal] = field(default_factory=list)
    working: dict[str, asyncio.Task[TodoResult]] = field(default_factory=dict)
    results: dict[str, TodoResult] = field(default_factory=dict)
    listening: "asyncio.Task[Signal | None] | None" = None
    prefetch: Prefetch | None = None
    reviews: int = 0

    @property
    def state(self) -> State:
        """The plan as the signals have made it; time that has run out stops it as a cancel does."""
        state = functools.reduce(apply, self.heard, State(self.first, approved=not self.request.review))
        return replace(state, stopped=state.stopped or self.expired)

    async def turn(self) -> Outcome:
        """Go on until nothing is left to do and no signal is waiting."""
        await self._drain()
        self.reviews = await insert_reviews(self.heard, self.crew.journal)
        while True:
            if not self.first.todos:
                await self._plan()
            await self._announce_plan()
            while await self._match_work_to_plan() or await self._review() or self.state.waits:
                await self._wait()
            heard = len(self.heard)
            outcome = await self._write()
            await self._drain()
            if heard == len(self.heard) or (outcome.status == "cancelled" and self.state.stopped) or self.expired:
                await self._close(outcome)
                return outcome

    async def stop(self) -> None:
        """Stop all work and wait until it has stopped."""
        early = self.prefetch.tasks if self.prefetch else []
        tasks = [*self.working.values(), *early, *([self.listening] if self.listening else [])]
        await _cancel(tasks)
        self.working.clear()
        self.listening = None

    async def _drain(self) -> None:
        """Take in all signals that are waiting."""
        while (signal := await self._hear()) is not None:
            self.heard.append(signal)

    async def _hear(self) -> Signal | None:
        """The next signal if there is one, from the listener if it has one."""
        if self.listening is None:
            return await self.crew.journal.next_signal(0)
        if not self.listening.done():
            return None
        heard, self.listening = self.listening, None
        return heard.result()

    async def _listen(self, *work: "asyncio.Task[Any]") -> None:
        """Wait until a signal has come, some of the work is done, or the time is up; take the signal in."""
        if self.listening is None:
            self.listening = asyncio.create_task(self.crew.journal.next_signal(None))
        rest = None if self.state.waits else await self.allowance.find_rest()
        done, _ = await asyncio.wait([self.listening, *work], timeout=rest, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            self.expired = True
            self.allowance.expire()
        if self.listening.done() and (signal := await self._hear()) is not None:
            self.heard.append(signal)

    async def _attend(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do some work while listening; None when the run was cancelled before it was done."""
        task = asyncio.create_task(work)
        try:
            while not task.done() and not self.state.stopped:
                await self._listen(task)
            return task.result() if task.done() else None
        finally:
            await _cancel([task])

    async def _plan(self) -> None:
        """Make the plan. A cancelled run only remembers the one that it had."""
        doing = "surveying" if self.crew.reach.surveyed else "planning"
        await self.crew.journal.emit(StatusEvent(message=phrases(self.topic.language).say(doing)), "surveying")
        if isinstance(self.crew.analyst, Foresighted) and not self.request.review:
            self.prefetch = Prefetch(self.topic, self.crew)
            self.crew.analyst.foresee(self.prefetch.warm)
        making = make_plan(self.topic, self.request, self.crew)
        if self.state.stopped:
            making.close()
            self.first = await remember(self.crew.journal, "plan", "plan", PLAN) or self.request.plan or self.first
        else:
            self.first = await self._attend(making) or self.first

    async def _announce_plan(self) -> None:
        state = self.state
        if state.waits:
            message = phrases(self.topic.language).say("approval")
            await self.crew.journal.emit(StatusEvent(message=message), "approval")
        event = PlanEvent(plan=state.plan, approved=not state.waits)
        await self.crew.journal.emit(event, f"plan:{state.plan.revision}{':draft' if state.waits else ''}")
        for todo in state.plan.todos:
            await announce(todo, "skipped" if todo.skip else "pending", self.crew, state.life)

    async def _match_work_to_plan(self) -> bool:
        """Start what the plan asks for and stop what it no longer does; say whether anything is being worked on."""
        wanted = self.state.wanted()
        await _cancel([task for key, task in self.working.items() if key not in wanted])
        self.working = {key: task for key, task in self.working.items() if key in wanted}
        for key, todo in wanted.items():
            if key not in self.working and key not in self.results:
                self.working[key] = asyncio.create_task(self._execute(todo))
        return bool(self.working)

    async def _review(self) -> bool:
        """Let the analyst look over what was found, if that was asked for; say whether it wants to know more."""
        analyst, state = self.crew.analyst, self.state
        if self.request.depth <= self.reviews + 1 or state.stopped or state.waits or not isinstance(analyst, Reviewer):
            return False
        outline = make_outline(self._material(state))
        try:
            looking = review(self.reviews + 1, len(self.heard), state.plan, outline, analyst, self.crew.journal)
            edit = await self._attend(looking)
        except (ModelFailed, LimitReached) as error:
            await self.allowance.remark("model_no_review", reason=self._explain(error))
            self.reviews = self.request.depth
            return False
        if edit is None:
            return False
        self.reviews += 1
        self.heard.append(edit)
        if len(edit.todos) > len(state.plan.todos):
            await self._announce_plan()
        return await self._match_work_to_plan()

    async def _execute(self, todo: Todo) -> TodoResult:
        life = self.state.life
        await announce(todo, "in_progress", self.crew, life)
        result = await execute(todo, self.run, self.topic, self.crew, self._points, self.request.unsupported)
        await announce(todo, result.status, self.crew, life)
        return result

    @property
    def _points(self) -> int:
        return limit_points(self.request)

    async def _wait(self) -> None:
        """Wait for a signal or the end of a todo, and take it in."""
        heard = len(self.heard)
        await self._listen(*self.working.values())
        for key in [key for key, task in self.working.items() if task.done()]:
            await self._collect(key, self.working.pop(key))
        if len(self.heard) > heard:
            await self._announce_plan()

    async def _collect(self, key: str, task: asyncio.Task[TodoResult]) -> None:
        """Keep a todo's result. Whatever went wrong in it is the todo's own failure and harms no other."""
        error = task.exception()
        if error is None:
            self.results[key] = task.result()
            return
        if isinstance(error, StoreError):  # nothing could be kept: the run waits until it can be, and begins again from there
            raise error
        reason = self._explain(error)
        self.results[key] = TodoResult(key=key, status="failed", reason=reason)
        state = self.state
        for todo in [todo for todo in state.plan.todos if todo.key == key]:
            await self.crew.journal.emit(ErrorEvent(message=reason, todo=todo.id), f"error:{key}")
            await announce(todo, "failed", self.crew, state.life)

    def _explain(self, error: BaseException) -> str:
        if isinstance(error, ModelFailed):
            key = f"model_{error.kind.replace(' ', '_')}"
            return phrases(self.topic.language).say(key, model=error.model, detail=error.detail)
        if isinstance(error, SearchFailed):
            return phrases(self.topic.language).say(f"search_{error.kind.replace(' ', '_')}", message=str(error))
        if isinstance(error, LeadlineError):
            return str(error)
        return phrases(self.topic.language).say("unexpected", kind=type(error).__name__, message=str(error))

    async def _write(self) -> Outcome:
        """Write the report; of a cancelled run, from what is recorded and without asking the analyst."""
        state = self.state
        if not state.stopped:
            message = phrases(self.topic.language).say("writing")
            await self.crew.journal.emit(StatusEvent(message=message), f"writing:{state.plan.revision}")
            report = await self._attend(write_report(self._material(state), self.crew.analyst))
            if report is not None:
                status = "incomplete" if self.allowance.reached else judge_status(state.plan, self.results)
                return self._end(status, report)
        await self._remember_results(state.plan)
        report = await write_report(self._material(self.state), None)
        status = "incomplete" if self.expired else "cancelled"
        return self._end(status, report)

    def _end(self, status: RunStatus, report: Report) -> Outcome:
        """A run has searched for its plan, if its sources are looked at first, and for each todo, in whichever of its lives."""
        searches = len(self.results) + (self.request.plan is None and self.crew.reach.surveyed > 0)
        usage = self.allowance.usage.model_copy(update={"searches": searches, "pages": report.tally.read})
        notices = dict.fromkeys((*filter(None, [self.allowance.reached]), *report.notices, *self.allowance.remarks))
        report = report.model_copy(update={"usage": usage, "notices": tuple(notices)})
        return Outcome(status, self.state.plan, report, usage, _reasons(self.results))

    async def _remember_results(self, plan: Plan) -> None:
        for todo in plan.todos:
            if todo.key not in self.results and not todo.skip:
                result = await remember(self.crew.journal, result_key(todo, self._points), "todo", RESULT)
                self.results |= {todo.key: result} if result else {}

    def _material(self, state: State) -> Material:
        words = phrases(self.topic.language)
        return Material(
            topic=self.topic,
            plan=state.plan,
            results=dict(self.results),
            origin=self.crew.origin,
            analyst=self.crew.analyst.name,
            max_points=self.request.max_points,
            ending=self.allowance.reached or (words.say("interrupted") if state.stopped else ""),
        )

    async def _close(self, outcome: Outcome) -> None:
        state = self.state
        text = f"{outcome.report.model_dump_json()} {outcome.status} {len(self.heard)}"
        mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        for todo in state.plan.todos if state.stopped else ():
            if not todo.skip and todo.key not in self.results:
                await announce(todo, "cancelled", self.crew, state.life)
        await self.crew.journal.emit(UsageEvent(usage=outcome.usage), f"usage:{mark}")
        for conflict in outcome.report.conflicts:
            await self.crew.journal.emit(ConflictEvent(conflict=conflict), f"conflict:{':'.join(conflict.points)}")
        await self.crew.journal.emit(ReportEvent(report=outcome.report), f"report:{mark}")
        await self.crew.journal.emit(DoneEvent(status=outcome.status), f"done:{mark}")


async def _cancel(tasks: "Sequence[asyncio.Task[Any]]") -> None:
    """Cancel tasks and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _reasons(results: Mapping[str, TodoResult]) -> str:
    return "; ".join(dict.fromkeys(result.reason for result in results.values() if result.reason))


async def announce(todo: Todo, status: TaskStatus, crew: Crew, life: int) -> None:
    """Tell the world the state of a todo; once in each life of the run."""
    event = TaskEvent(task=Task(id=todo.id, title=todo.title, status=status))
    await crew.journal.emit(event, f"task:{todo.key}:{todo.id}:{status}:{life}")


def judge_status(plan: Plan, results: Mapping[str, TodoResult]) -> RunStatus:
    """Complete when every todo that was not skipped has points; failed when every one failed."""
    statuses = {results[todo.key].status for todo in plan.todos if not todo.skip and todo.key in results}
    if statuses == {"failed"}:
        return "failed"
    return "complete" if statuses == {"completed"} else "incomplete"

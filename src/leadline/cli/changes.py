"""`leadline runs resume|approve|retry|edit|refresh`: letting a run go on, as it was or with another plan."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from leadline import exports
from leadline.cli.attending import Tell, carry_out_here
from leadline.cli.descriptions import as_json as record
from leadline.cli.detaching import leave_to_workers
from leadline.cli.differences import Difference, compare
from leadline.cli.editing import edit_plan
from leadline.cli.finding import find_run
from leadline.cli.page import FOLDER
from leadline.cli.showing import Ending
from leadline.cli.streams import put, say
from leadline.desk import Desk, open_desk
from leadline.errors import RunElsewhere, UsageError
from leadline.pipeline.plan_text import write_plan
from leadline.records import Plan, Run, Todo
from leadline.settings import load_settings


@dataclass(frozen=True, slots=True)
class Way:
    """How a run is to go on: the options that these commands share."""

    detach: bool
    quiet: bool
    in_json: bool


async def resume_run(name: str | None, **way: bool) -> int:
    """Let a run go on that was cancelled, interrupted, or failed."""
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        if run.status == "running" and await desk.state(run) in ("queued", "working"):
            raise RunElsewhere(f"Run {run.id} is in work or waits for it: leadline runs watch {run.id}")
        after = await _look(desk, run, Way(**way))
        await desk.resume(run)
        return await _go_on(desk, run, after, Way(**way))


async def approve_run(name: str | None, **way: bool) -> int:
    """Let the work on a plan begin that waits for approval."""
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        after = await _look(desk, run, Way(**way))
        await desk.approve(run)
        return await _pass_on(desk, run, after, Way(**way))


async def retry_run(name: str | None, todos: tuple[int, ...], **way: bool) -> int:
    """Do todos of a run again."""
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        after = await _look(desk, run, Way(**way))
        for todo in await desk.retry(run, todos):
            say(f"again: {todo.id}. {todo.title}")
        return await _pass_on(desk, run, after, Way(**way))


def edit_run(name: str | None, **way: bool) -> int:
    """Let a person edit the plan of a run, and put it in force."""
    found, plan, done = asyncio.run(_load_plan(name))
    todos = edit_plan(plan, done, load_settings())
    if todos is None:
        say(f"The plan of run {found.id} was left as it is; nothing is done.")
        return 0
    return asyncio.run(_edit(found.id, plan, todos, Way(**way)))


async def _load_plan(name: str | None) -> tuple[Run, Plan, set[str]]:
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        plan = await desk.find_plan(run)
        return run, plan, await desk.find_done(run, plan)


async def _edit(name: str, plan: Plan, todos: Sequence[Todo], way: Way) -> int:
    async with open_desk(load_settings()) as desk:
        run = await desk.store.runs.load(name)
        if (await desk.find_plan(run)).revision != plan.revision:
            await _refuse_late_edit(desk, run, todos)
        after = await _look(desk, run, way)
        await desk.edit(run, todos)
        return await _pass_on(desk, run, after, way)


async def _refuse_late_edit(desk: Desk, run: Run, todos: Sequence[Todo]) -> None:
    """Keep what a person has typed, though it cannot be used."""
    path = desk.settings.home / FOLDER / f"{run.id}-plan.md"
    exports.prepare(path.parent)
    await asyncio.to_thread(exports.write_file, path, write_plan(Plan(todos=tuple(todos)), ()).encode("utf-8", "replace"))
    raise UsageError(f"The plan of run {run.id} was changed by somebody else meanwhile; yours is in {path}. Edit it again.")


async def refresh_run(name: str | None, **options: bool) -> int:
    """Do the todos again whose sources have changed, and show what that changed."""
    way = Way(**options)
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        after = await _look(desk, run, way)
        todos = await desk.refresh(run)
        for todo in todos:
            say(f"sources changed: {todo.id}. {todo.title}")
        if todos:
            refreshed = _Refreshed(Ending(desk, "none", quiet=way.quiet), run, todos, way.in_json)
            return await _go_on(desk, run, after, way, refreshed)
    say(f"No page that run {run.id} cites has changed; nothing is done.")
    if way.in_json:
        put(record(run, run.status, todos=[], added=[], removed=[]))
    return 0


@dataclass(frozen=True, slots=True)
class _Refreshed:
    """Shows what a refresh has changed in a report."""

    ending: Ending
    before: Run
    todos: Sequence[Todo]
    in_json: bool

    async def __call__(self, run: Run) -> None:
        difference = compare(self.before.report, run.report)
        if self.in_json:
            todos: list[JsonValue] = [todo.id for todo in self.todos]
            put(record(run, run.status, todos=todos, added=[*difference.added], removed=[*difference.removed]))
        else:
            self._put(difference)
        await self.ending(run)

    def _put(self, difference: Difference) -> None:
        for line in difference.lines:
            put(line)
        if not difference.lines:
            say("The report says what it said before.")


async def _look(desk: Desk, run: Run, way: Way) -> int:
    """Return the number of a run's last event, having seen that what it is left to can take it."""
    if way.detach:
        await desk.check_worker(run)
    return (await desk.store.runs.tail(run.id)).seq


async def _pass_on(desk: Desk, run: Run, after: int, way: Way) -> int:
    """Leave a changed run to whoever has it in work; see to it here if nobody has."""
    if run.status == "running" and await desk.is_taken_in(run, after):
        say(f"run {run.id} is in work and goes on with that: leadline runs watch {run.id}")
        if way.in_json:
            put(record(run, "working"))
        return 0
    return await _go_on(desk, run, after, way)


async def _go_on(desk: Desk, run: Run, after: int, way: Way, tell: Tell | None = None) -> int:
    """Carry a run out here, or leave it to a worker."""
    reopening = desk.reopen(await desk.store.runs.load(run.id))
    if way.detach:
        return await leave_to_workers(desk, await reopening, shape="record" if way.in_json else "id")
    ending = tell or Ending(desk, "record" if way.in_json else "md", quiet=way.quiet)
    return await carry_out_here(desk, reopening, ending, way.quiet, after)

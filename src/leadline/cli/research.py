"""`leadline research`: from the command line to a run, and from the run to stdout, stderr and files."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline import api, exports
from leadline.cli.closing import closing_lines
from leadline.cli.markdown import put_markdown
from leadline.cli.plans import print_plan, read_plan
from leadline.cli.progress import open_progress
from leadline.cli.streams import complain, put, say, set_apart
from leadline.pipeline.rendering import to_markdown
from leadline.records import Plan, Run, RunStatus
from leadline.settings import load_settings
from leadline.store import open_store

STATUS: dict[RunStatus, int] = {"complete": 0, "incomplete": 3, "failed": 1, "cancelled": 130, "running": 1}


@dataclass(frozen=True, slots=True)
class Order:
    """The options of the command, as typed."""

    topic: str
    sources: tuple[str, ...]
    todos: int | None
    language: str | None
    out: Path | None
    shape: Literal["md", "json"]
    plan_only: bool
    plan_file: str | None
    max_points: int | None
    quiet: bool
    verbose: bool


def carry_out(order: Order) -> int:
    """Do what was asked and return the exit status."""
    if order.out is not None:
        exports.prepare(order.out)
    plan = read_plan(order.plan_file) if order.plan_file else None
    if order.plan_only:
        return asyncio.run(_plan(order, plan))
    job = Job(order, plan)
    try:
        return asyncio.run(job.do())
    except KeyboardInterrupt:
        complain(f"interrupted.{f' Its notes are kept: leadline notes list --run {job.run}' if job.run else ''}")
        return STATUS["cancelled"]


async def _plan(order: Order, plan: Plan | None) -> int:
    """Print the plan that a run would begin with."""
    if plan is None:
        plan = await api.make_plan(order.topic, sources=order.sources, todos=order.todos, language=order.language)
    put(print_plan(plan))
    return 0


class Job:
    """One run of the command. `run` is the run's id as soon as it has one."""

    def __init__(self, order: Order, plan: Plan | None) -> None:
        self._order = order
        self._plan = plan
        self.run = ""

    async def do(self) -> int:
        """Do the run, then show and export what came of it."""
        began = time.monotonic()
        await self._follow()
        if not self._order.quiet:
            set_apart()
        run, files = await self._export()
        self._show(run)
        if not self._order.quiet:
            set_apart()
            for line in closing_lines(run, files, time.monotonic() - began, self._order.verbose):
                say(line)
        if run.status == "failed":
            complain(run.reason or "the run failed.")
        return STATUS[run.status]

    async def _follow(self) -> None:
        order = self._order
        events = api.stream(
            order.topic,
            sources=order.sources,
            todos=order.todos,
            language=order.language,
            max_points=order.max_points,
            plan=self._plan,
        )
        with open_progress(order.quiet) as progress:
            async for envelope in events:
                self.run = envelope.run
                progress.show(envelope)

    async def _export(self) -> tuple[Run, Sequence[Path]]:
        """The run as the store has it, and the files written from it."""
        async with await open_store(load_settings().home) as store:
            run = await store.runs.load(self.run)
            if self._order.out is None:
                return run, ()
            notes, events = await store.notes.list(run.id), await store.runs.events(run.id)
        return run, await asyncio.to_thread(exports.write, run, notes, events, self._order.out)

    def _show(self, run: Run) -> None:
        if run.report is None:
            return
        if self._order.shape == "json":
            put(exports.report_json(run))
        else:
            put_markdown(to_markdown(run.report))

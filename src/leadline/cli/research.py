"""`leadline research`: from the command line to a run, and from the run to stdout, stderr and files."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline import api, exports
from leadline.cli.markdown import put_markdown
from leadline.cli.plans import print_plan, read_plan
from leadline.cli.progress import open_progress
from leadline.cli.streams import complain, put, say
from leadline.records import Plan, Report, Run, RunStatus, Skipped
from leadline.research.rendering import to_markdown
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
        complain(
            f"interrupted. What was found so far is kept: leadline notes list --run {job.run}" if job.run else "interrupted."
        )
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
        run, files = await self._export()
        self._show(run)
        if not self._order.quiet:
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
            async with aclosing(events):
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


def closing_lines(run: Run, files: Sequence[Path], seconds: float, verbose: bool) -> list[str]:
    """Return the last words about a run: what was skipped and dropped, its id and figures, its files."""
    lines = [*_lines_on_report(run.report, verbose)] if run.report else []
    figures = [run.status, _count(len(run.points), "point"), f"{seconds:.1f} s"]
    lines.append(f"run {run.id} · {' · '.join(figures)} · notes: leadline notes list --run {run.id}")
    return [*lines, *(f"  {file}" for file in files)]


def _lines_on_report(report: Report, verbose: bool) -> list[str]:
    lines = []
    if report.skipped:
        lines.append(skipped_line(report.skipped, verbose))
    if verbose:
        lines += [f"  {s.address} ({s.kind})" for s in report.skipped]
        lines += [f"dropped: {d.text} ({d.reason})" for d in report.dropped]
    return lines


def skipped_line(skipped: Sequence[Skipped], verbose: bool) -> str:
    """Return how many files were skipped, by kind, the most frequent first."""
    counts = sorted(Counter(s.kind for s in skipped).items(), key=lambda pair: (-pair[1], pair[0]))
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in counts)
    return f"{len(skipped):,} skipped: {kinds}" + ("" if verbose else "; -v lists them")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

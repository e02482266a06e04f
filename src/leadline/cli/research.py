"""`leadline research`: from the command line to a run."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline import api, exports
from leadline.cli.attending import STATUS, carry_out_here
from leadline.cli.detaching import leave_to_workers
from leadline.cli.plans import print_plan, read_plan
from leadline.cli.progress import open_progress
from leadline.cli.reviewing import review
from leadline.cli.showing import Ending
from leadline.cli.streams import complain, put
from leadline.desk import open_desk
from leadline.errors import UsageError
from leadline.records import Plan, Request
from leadline.settings import load_settings


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
    review_plan: bool
    detach: bool
    priority: int | None
    max_points: int | None
    quiet: bool
    verbose: bool


def carry_out(order: Order) -> int:
    """Do what was asked and return the exit status."""
    _check(order)
    if order.out is not None:
        exports.prepare_folder(order.out)
    plan = read_plan(order.plan_file) if order.plan_file else None
    if order.plan_only or order.review_plan:
        with open_progress(order.quiet or order.plan_only):
            plan = plan or asyncio.run(_make_plan(order))
    if order.plan_only and plan:
        put(print_plan(plan))
        return 0
    if order.review_plan and plan:
        plan = review(plan, load_settings())
        if plan is None:
            complain("nothing was done.")
            return STATUS["cancelled"]
    return asyncio.run(_research(order, plan))


def _check(order: Order) -> None:
    """Refuse what does not go together."""
    if order.priority is not None and not order.detach:
        raise UsageError(f"--priority {order.priority} orders runs that wait for a worker; add --detach.")
    if order.out is not None and order.detach:
        raise UsageError("--out cannot be had with --detach; export when the run has ended: leadline runs export RUN -o DIR")


async def _make_plan(order: Order) -> Plan:
    return await api.make_plan(order.topic, sources=order.sources, todos=order.todos, language=order.language)


async def _research(order: Order, plan: Plan | None) -> int:
    request = _make_request(order, plan)
    async with open_desk(load_settings()) as desk:
        if order.detach:
            return await leave_to_workers(desk, await desk.take(request), order.priority, new=True)
        ending = Ending(desk, order.shape, order.out, order.quiet, order.verbose)
        return await carry_out_here(desk, desk.take(request), ending, order.quiet)


def _make_request(order: Order, plan: Plan | None) -> Request:
    return api.make_request(
        order.topic,
        sources=order.sources,
        todos=order.todos,
        language=order.language,
        max_points=order.max_points,
        plan=plan,
    )

"""`leadline research`: from the command line to a run."""

import asyncio
import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline import api, exports
from leadline.cli.attending import STATUS, carry_out_here
from leadline.cli.describing import describe
from leadline.cli.detaching import leave_to_workers
from leadline.cli.plans import print_plan, read_plan
from leadline.cli.progress import open_progress
from leadline.cli.reviewing import review
from leadline.cli.showing import Ending
from leadline.cli.streams import complain, put
from leadline.desk import open_desk
from leadline.errors import UsageError
from leadline.estimating import estimate
from leadline.models import Manner, ModelChoice
from leadline.records import Plan, Request, Scope, Unsupported
from leadline.settings import load_settings


@dataclass(frozen=True, slots=True)
class Order:
    """The options of the command, as typed."""

    topic: str
    sources: tuple[str, ...]
    search: tuple[str, ...]
    fallback: tuple[str, ...]
    since: dt.date | None
    until: dt.date | None
    sites: tuple[str, ...]
    not_sites: tuple[str, ...]
    per_todo: int
    offline: bool
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
    max_calls: int | None
    max_tokens: int | None
    max_cost: float | None
    max_seconds: float | None
    model: str
    model_url: str
    fast_model: str
    fallback_model: str
    context: int | None
    parallel: int | None
    length: Literal["short", "normal", "long"]
    audience: str
    instructions: str
    depth: int
    dry_run: bool
    unsupported: Unsupported
    quiet: bool
    verbose: bool


def carry_out(order: Order) -> int:
    """Do what was asked and return the exit status."""
    _check(order)
    if order.out is not None:
        exports.prepare_folder(order.out)
    plan = read_plan(order.plan_file) if order.plan_file else None
    if order.dry_run:
        return asyncio.run(_estimate(order, plan))
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
    if order.since and order.until and order.since > order.until:
        raise UsageError(f"--since {order.since} is after --until {order.until}; exchange them.")
    if order.out is not None and order.detach:
        raise UsageError("--out cannot be had with --detach; export when the run has ended: leadline runs export RUN -o DIR")


async def _make_plan(order: Order) -> Plan:
    return await api.make_plan(
        order.topic,
        sources=order.sources,
        search=order.search,
        fallback=order.fallback,
        scope=_read_scope(order),
        offline=order.offline,
        todos=order.todos,
        language=order.language,
        model=_read_model(order),
        manner=_read_manner(order),
    )


async def _estimate(order: Order, plan: Plan | None) -> int:
    """Say what a run would ask and use; ask no host but for the window of a model on this machine."""
    async with open_desk(load_settings(), keep=False) as desk:
        for line in describe(await estimate(desk, _make_request(order, plan))):
            put(line)
    return 0


def _read_model(order: Order) -> ModelChoice | None:
    asked = ModelChoice(
        name=order.model,
        url=order.model_url,
        fast=order.fast_model,
        fallback=order.fallback_model,
        context=order.context,
        parallel=order.parallel,
    )
    return None if asked == ModelChoice() else asked


def _read_manner(order: Order) -> Manner:
    return Manner(length=order.length, audience=order.audience, instructions=order.instructions)


def _read_scope(order: Order) -> Scope:
    return Scope(since=order.since, until=order.until, sites=order.sites, not_sites=order.not_sites, per_todo=order.per_todo)


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
        search=order.search,
        fallback=order.fallback,
        scope=_read_scope(order),
        offline=order.offline,
        todos=order.todos,
        language=order.language,
        max_points=order.max_points,
        max_calls=order.max_calls,
        max_tokens=order.max_tokens,
        max_cost=order.max_cost,
        max_seconds=order.max_seconds,
        model=_read_model(order),
        manner=_read_manner(order),
        depth=order.depth,
        unsupported=order.unsupported,
        plan=plan,
    )

"""`leadline research`: from the command line to a run."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from leadline import exports
from leadline.api import make_request
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
from leadline.records import Plan, Request, Scope
from leadline.settings import load_settings


@dataclass(frozen=True, slots=True)
class Order:
    """The options of the command that say what is done with the run; the others say what it is."""

    out: Path | None
    shape: Literal["md", "json"]
    plan_only: bool
    review_plan: bool
    detach: bool
    priority: int | None
    dry_run: bool
    quiet: bool
    verbose: bool


def research(plan_file: str | None, **options: Any) -> int:
    """Do what was asked and return the exit status."""
    order = Order(**{field.name: options.pop(field.name) for field in fields(Order)})
    _check(order)
    if order.out is not None:
        exports.prepare_folder(order.out)
    request = _make_request(options, read_plan(plan_file) if plan_file else None)
    if order.dry_run:
        return asyncio.run(_estimate(request))
    if order.plan_only or order.review_plan:
        plan = request.plan or asyncio.run(_make_plan(request, order))
        if order.plan_only:
            put(print_plan(plan))
            return 0
        reviewed = review(plan, load_settings())
        if reviewed is None:
            complain("nothing was done.")
            return STATUS["cancelled"]
        request = request.model_copy(update={"plan": reviewed})
    return asyncio.run(_research(request, order))


def _check(order: Order) -> None:
    """Refuse what does not go together."""
    if order.priority is not None and not order.detach:
        raise UsageError(f"--priority {order.priority} orders runs that wait for a worker; add --detach.")
    if order.out is not None and order.detach:
        raise UsageError("--out cannot be had with --detach; export when the run has ended: leadline runs export RUN -o DIR")


def _make_request(options: Mapping[str, Any], plan: Plan | None) -> Request:
    """Return the record of what was asked for. What is said of the web, the models and their manner has records of its own."""
    left = {**options}
    scope = Scope(**{name: left.pop(name) for name in Scope.model_fields})
    if scope.since and scope.until and scope.since > scope.until:
        raise UsageError(f"--since {scope.since} is after --until {scope.until}; exchange them.")
    manner = Manner(**{name: left.pop(name) for name in Manner.model_fields})
    others = {"name": "model", "url": "model_url", "fast": "fast_model", "fallback": "fallback_model"}
    model = ModelChoice(**{name: left.pop(others.get(name, name)) for name in ModelChoice.model_fields})
    asked = None if model == ModelChoice() else model
    return make_request(**left, scope=scope, manner=manner, model=asked, plan=plan)


async def _make_plan(request: Request, order: Order) -> Plan:
    with open_progress(order.quiet or order.plan_only):
        async with open_desk(load_settings(), keep=False) as desk:
            return await desk.plan(request)


async def _estimate(request: Request) -> int:
    """Say what a run would ask and use; ask no host but for the window of a model on this machine."""
    async with open_desk(load_settings(), keep=False) as desk:
        for line in describe(await estimate(desk, request)):
            put(line)
    return 0


async def _research(request: Request, order: Order) -> int:
    async with open_desk(load_settings()) as desk:
        if order.detach:
            return await leave_to_workers(desk, await desk.take(request, leave=True), order.priority)
        ending = Ending(desk, order.shape, order.out, order.quiet, order.verbose)
        return await carry_out_here(desk, desk.take(request), ending, order.quiet)

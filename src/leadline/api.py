"""The doors for programs: `research`, `stream`, `make_plan`, and `research_sync` at the edge. The CLI uses the same."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from pydantic import ValidationError

from leadline.desk import Desk, Shift, open_desk
from leadline.errors import PlanError, SourceError
from leadline.events import Envelope
from leadline.library import find_path, write_path
from leadline.models import Manner, ModelChoice
from leadline.pipeline.plan import check_todos
from leadline.records import Limits, Plan, Request, Run, Scope, Unsupported
from leadline.settings import Settings, load_settings
from leadline.wiring import RUN, is_url


class PlanOptions(TypedDict, total=False):
    """What a plan depends on beside its topic. Whatever is left out is as `leadline.records.Request` has it."""

    sources: Sequence[str | Path]
    search: Sequence[str]
    fallback: Sequence[str]
    scope: Scope
    offline: bool
    todos: int | None
    language: str | None
    model: str | ModelChoice | None
    manner: Manner


class Options(PlanOptions, total=False):
    """What a run depends on beside its topic; `research` says what each means."""

    max_points: int | None
    max_calls: int | None
    max_tokens: int | None
    max_cost: float | None
    max_seconds: float | None
    depth: int
    unsupported: Unsupported
    plan: Plan | None


def make_request(topic: str, **options: Unpack[Options]) -> Request:
    """Return what was asked for as a record; the paths among the sources are made absolute, so that a run can be resumed
    from anywhere.

    Raises:
        PlanError: a value is not allowed, or the plan cannot be meant (`pipeline.plan.check_todos`).
        SourceError: a path is missing or may not be read.
        TypeError: there is no such option.
    """
    if unknown := options.keys() - Options.__optional_keys__:
        raise TypeError(f"There is no option {min(unknown)!r}; there are {', '.join(sorted(Options.__optional_keys__))}.")
    if (plan := options.get("plan")) is not None:
        _check_plan(plan)
    asked: dict[str, Any] = {"topic": topic, **options}
    asked["sources"] = [_resolve(str(source)) for source in options.get("sources", ())]
    asked["limits"] = {name: asked.pop(f"max_{name}", None) for name in Limits.model_fields}
    if isinstance(asked.get("model"), str):
        asked["model"] = ModelChoice(name=asked["model"])
    try:
        return Request.model_validate(asked)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])).replace("limits.", "max_")
        raise PlanError(f"{name}={first['input']!r} is not possible: {first['msg']}.") from error


def _check_plan(plan: Plan) -> None:
    if not isinstance(plan, Plan):
        raise PlanError(f"plan={plan!r} is no plan; allowed is a leadline.Plan, for example of leadline.make_plan.")
    check_todos(plan.todos)


def _resolve(source: str) -> str:
    if source.startswith(("@", RUN)) or is_url(source):
        return source
    try:
        return write_path(find_path(source))
    except SourceError as error:
        raise SourceError(f"{error} Sources are given by --in PATH or --in @NAME.") from error


async def research(topic: str, *, home: Path | None = None, keep: bool = True, **options: Unpack[Options]) -> Run:
    """Research a topic and return the finished run: `run.status`, `run.report`, `run.points`, `run.plan`.

    Args:
        topic: the question.
        sources: files, folders, `@NAME` of a library, URLs, `run:ID` for the saved pages of a run.
        search: names of search backends, merged; the web when neither they nor sources are given.
        fallback: backends that are asked in turn when those cannot answer.
        scope: sites, days and number of pages per todo of the web.
        offline: refuse every connection beyond this machine.
        todos: number of todos, 1 to 12; at most 5, as the sources ask for, when None.
        language: BCP 47 tag of the report's language; the topic's own when None.
        max_points: most points in the whole report.
        max_calls: most searches and model calls of the run, over all its restarts.
        max_tokens: most tokens of prompts and answers together; the call that goes beyond is the last.
        max_cost: most US dollars by list price; likewise.
        max_seconds: seconds after which the run ends with what it has.
        model: `PROVIDER:NAME`, or more of it in a `leadline.ModelChoice`; `none` for none; that of the settings when None.
        manner: how a model is to write.
        depth: rounds of research; a model reviews what was found before each further one.
        unsupported: what becomes of a point that no source holds: `drop` it, or `mark` it in the report.
        plan: a plan to run instead of making one.
        home: the data folder; that of the settings when None.
        keep: whether the run, its notes and saved pages go into the store.

    Raises:
        UsageError: the run cannot begin as it was asked for; nothing was done.
        StoreError: the data folder cannot be used.
    """
    request = make_request(topic, **options)
    async with open_desk(settle(home), keep) as desk:
        run = await desk.take(request)
        async with desk.engaged("research") as shift:
            await shift.carry_out(run)
        return await desk.store.runs.load(run.id)


async def stream(
    topic: str, *, home: Path | None = None, keep: bool = True, **options: Unpack[Options]
) -> AsyncGenerator[Envelope, None]:
    """Research a topic and yield its events as they happen, `done` last. Leaving the loop cancels the run.

    Arguments and errors are those of `research`. Close the iterator (`contextlib.aclosing`) to be sure that the run has
    stopped when the loop is left early.
    """
    request = make_request(topic, **options)
    async with open_desk(settle(home), keep) as desk:
        run = await desk.take(request)
        async with desk.engaged("research") as shift, aclosing(follow(desk, shift, run)) as events:
            async for envelope in events:
                yield envelope


async def follow(desk: Desk, shift: Shift, run: Run, after: int = 0) -> AsyncGenerator[Envelope, None]:
    """Carry a run out here and yield its events above `after`; leaving the loop cancels it."""
    work = asyncio.create_task(shift.carry_out(run))
    try:
        async with aclosing(_watch(desk, run, after, work)) as events:
            async for envelope in events:
                yield envelope
        await work
    finally:
        if not work.done():
            await desk.store.runs.signal(run.id, "cancel")
            await asyncio.gather(work, return_exceptions=True)


async def _watch(desk: Desk, run: Run, after: int, work: asyncio.Task[None]) -> AsyncGenerator[Envelope, None]:
    """Yield a run's events until it has ended, or the work on it has failed."""
    told: asyncio.Queue[Envelope | None] = asyncio.Queue()

    async def listen() -> None:
        async for envelope in desk.store.runs.watch(run.id, after):
            told.put_nowait(envelope)

    def stop_on_failure(done: asyncio.Task[None]) -> None:
        if done.cancelled() or done.exception():
            told.put_nowait(None)

    listening = asyncio.create_task(listen())
    listening.add_done_callback(lambda _: told.put_nowait(None))
    work.add_done_callback(stop_on_failure)
    try:
        while (envelope := await told.get()) is not None:
            yield envelope
        if not work.done() or not work.exception():
            await listening
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


async def make_plan(topic: str, *, home: Path | None = None, **options: Unpack[PlanOptions]) -> Plan:
    """Return the plan that `research` would begin with; nothing is kept but the index of the sources.

    Arguments and errors are those of `research`.
    """
    request = make_request(topic, **options)
    async with open_desk(settle(home), keep=False) as desk:
        return await desk.plan(request)


def research_sync(topic: str, *, home: Path | None = None, keep: bool = True, **options: Unpack[Options]) -> Run:
    """`research` for programs without an event loop; where one is running (a notebook), it works beside it in a thread."""
    work = research(topic, home=home, keep=keep, **options)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()


def settle(home: Path | None) -> Settings:
    """Return the settings of this process, with another data folder if one is named."""
    settings = load_settings()
    return replace(settings, home=home.expanduser().absolute(), database_url=None) if home else settings

"""The doors for programs: `research`, `stream`, `make_plan`, and `research_sync` at the edge. The CLI uses the same."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from leadline.errors import PlanError
from leadline.events import Envelope
from leadline.library import find_path
from leadline.records import Plan, Request, Run
from leadline.settings import load_settings
from leadline.store import Store, open_store
from leadline.wiring import make_run, perform, plan_only


def make_request(
    topic: str,
    *,
    sources: Sequence[str | Path] = (),
    todos: int | None = None,
    language: str | None = None,
    max_points: int | None = None,
    plan: Plan | None = None,
) -> Request:
    """Return what was asked for as a record; the paths among the sources are made absolute, so that a run can be resumed
    from anywhere.

    Raises:
        PlanError: a number is out of its bounds.
        SourceError: a path is missing or may not be read.
    """
    if todos is not None and not 1 <= todos <= 12:
        raise PlanError(f"{todos!r} todos are not possible; allowed are 1 to 12.")
    if max_points is not None and max_points < 1:
        raise PlanError(f"max_points={max_points!r} is not possible; allowed is 1 or more.")
    places = tuple(_resolve(str(source)) for source in sources)
    return Request(topic=topic, sources=places, todos=todos, language=language, max_points=max_points, plan=plan)


def _resolve(source: str) -> str:
    return source if source.startswith("@") else str(find_path(source))


async def research(
    topic: str,
    *,
    sources: Sequence[str | Path] = (),
    todos: int | None = None,
    language: str | None = None,
    max_points: int | None = None,
    plan: Plan | None = None,
    home: Path | None = None,
    keep: bool = True,
) -> Run:
    """Research a topic and return the finished run: `run.status`, `run.report`, `run.points`, `run.plan`.

    Args:
        topic: the question.
        sources: files, folders, or `@NAME` of a library.
        todos: number of todos, 1 to 12; 3 to 5, as the sources ask for, when None.
        language: BCP 47 tag of the report's language; the topic's own when None.
        max_points: most points in the whole report.
        plan: a plan to run instead of making one.
        home: the data folder; that of the settings when None.
        keep: whether the run, its notes and saved pages go into the store.

    Raises:
        UsageError: the run cannot begin as it was asked for; nothing was done.
        StoreError: the data folder cannot be used.
    """
    request = make_request(topic, sources=sources, todos=todos, language=language, max_points=max_points, plan=plan)
    async with _open(home, keep) as (store, folder):
        return await perform(make_run(request), store, folder, lambda _: None)


async def stream(
    topic: str,
    *,
    sources: Sequence[str | Path] = (),
    todos: int | None = None,
    language: str | None = None,
    max_points: int | None = None,
    plan: Plan | None = None,
    home: Path | None = None,
    keep: bool = True,
) -> AsyncGenerator[Envelope, None]:
    """Research a topic and yield its events as they happen, `done` last. Leaving the loop cancels the run.

    Arguments and errors are those of `research`. Close the iterator (`contextlib.aclosing`) to be sure that the run has
    stopped when the loop is left early.
    """
    request = make_request(topic, sources=sources, todos=todos, language=language, max_points=max_points, plan=plan)
    async with _open(home, keep) as (store, folder):
        told: asyncio.Queue[Envelope | None] = asyncio.Queue()
        work = asyncio.create_task(perform(make_run(request), store, folder, told.put_nowait))
        work.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (envelope := await told.get()) is not None:
                yield envelope
            await work
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)


async def make_plan(
    topic: str,
    *,
    sources: Sequence[str | Path] = (),
    todos: int | None = None,
    language: str | None = None,
    home: Path | None = None,
) -> Plan:
    """Return the plan that `research` would begin with; nothing is kept but the index of the sources.

    Arguments and errors are those of `research`.
    """
    request = make_request(topic, sources=sources, todos=todos, language=language)
    async with _open(home, keep=False) as (store, folder):
        return await plan_only(make_run(request), store, folder)


def research_sync(
    topic: str,
    *,
    sources: Sequence[str | Path] = (),
    todos: int | None = None,
    language: str | None = None,
    max_points: int | None = None,
    plan: Plan | None = None,
    home: Path | None = None,
    keep: bool = True,
) -> Run:
    """`research` for programs without an event loop; where one is running (a notebook), it works beside it in a thread."""

    async def work() -> Run:
        return await research(
            topic,
            sources=sources,
            todos=todos,
            language=language,
            max_points=max_points,
            plan=plan,
            home=home,
            keep=keep,
        )

    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work()).result()


@asynccontextmanager
async def _open(home: Path | None, keep: bool) -> AsyncIterator[tuple[Store, Path]]:
    """The store and the data folder that it belongs to."""
    settings = load_settings()
    folder = (home or settings.home).expanduser().absolute()
    async with await open_store(folder if keep else None) as store:
        yield store, folder

"""From a run's record to those who do its work: the only place that names concrete classes."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.clock import SystemClock
from leadline.errors import FetchFailed, SearchFailed, SourceError, UsageError
from leadline.library import Library
from leadline.models import ModelChoice
from leadline.pipeline.allowance import Allowance
from leadline.pipeline.crew import Crew, Origin, Reach
from leadline.pipeline.phrases import phrases
from leadline.pipeline.topic import make_topic
from leadline.ports import Clock, Reader, SearchBackend
from leadline.records import Hit, NotRead, Page, Request, Run, Scope
from leadline.settings import Settings
from leadline.store import Store, open_store

if TYPE_CHECKING:
    from leadline.analysts.model.providers import Endpoint

_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
"""Without the letters that are read as digits."""

_ID_LENGTH = 8
"""30**8 ids: a thousand runs collide once in a million times."""

RUN = "run:"
"""Begins a source that stands for the saved pages of a run."""


def make_run(request: Request, clock: Clock | None = None, name: str = "", owner: str = "") -> Run:
    """Return a new run for a request, with its topic checked and its date fixed.

    Args:
        request: what is asked for.
        clock: tells the date; the system's by default.
        name: id of the run; one that nobody has had by default.
        owner: who asked for it.

    Raises:
        TopicError: the topic or the language cannot be used.
    """
    now = (clock or SystemClock()).now()
    topic = make_topic(request.topic, request.language, now.date())
    return Run(id=name or _make_name(secrets.token_bytes()), request=request, topic=topic, created=now, owner=owner)


def name_run(key: str) -> str:
    """Return the id of the run that goes by a key: always the same for the same key."""
    return _make_name(hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest())


def _make_name(random: bytes) -> str:
    number = int.from_bytes(random)
    return "".join(_ALPHABET[number // len(_ALPHABET) ** place % len(_ALPHABET)] for place in range(_ID_LENGTH))


@dataclass(frozen=True, slots=True)
class Named:
    """The sources of a request by kind: files, folders and libraries; pages of the web; runs."""

    paths: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()


def sort_sources(sources: Sequence[str]) -> Named:
    """Tell the kinds of sources apart."""
    urls = tuple(source for source in sources if is_url(source))
    runs = tuple(source.removeprefix(RUN) for source in sources if source.startswith(RUN))
    return Named(tuple(s for s in sources if not is_url(s) and not s.startswith(RUN)), urls, runs)


def is_url(source: str) -> bool:
    """Whether a source is a page of the web."""
    return source.lower().startswith(("http://", "https://"))


async def check_sources(request: Request, store: Store, settings: Settings) -> None:
    """See whether the sources of a request can be used, and index its documents. No host is asked.

    Raises:
        UsageError: a source is missing, unknown, not allowed or without a readable document, or a backend cannot be used.
    """
    find_models(request, settings)
    named = sort_sources(request.sources)
    if named.paths:
        await Library.open(named.paths, settings.home)
    for run in named.runs:
        await store.runs.load(run)
    _check_web(request, settings)


def asks_web(request: Request) -> bool:
    """Whether a request needs more than documents of this machine."""
    named = sort_sources(request.sources)
    return bool(not named.paths or named.urls or named.runs or request.search)


def _check_web(request: Request, settings: Settings) -> None:
    if request.fallback and request.sources and not request.search:
        raise UsageError(f"--fallback {','.join(request.fallback)} stands in for a search backend; name one: --search NAME")
    if not asks_web(request):
        return
    from leadline import web

    named = sort_sources(request.sources)
    choice = web.choose_backends(request)
    web.check_backends(choice, settings, request.offline)
    gate = web.open_page_gate(settings, request.offline)
    for url in named.urls:
        try:
            gate.check_url(url)
        except FetchFailed as error:
            raise SourceError(f"{url!r} cannot be read: {error}. Services of your own are named in LEADLINE_ALLOW.") from error


@asynccontextmanager
async def assembled(run: Run, store: Store, settings: Settings, fresh: bool = False) -> AsyncIterator[Crew]:
    """Yield those who do the work of a run; what they have opened is closed behind them.

    Args:
        run: whose work it is.
        store: where it is kept.
        settings: of this process.
        fresh: whether pages of the web that the run has read are read again.

    Raises:
        UsageError: a source is missing, unknown or without a readable document, or a backend cannot be used.
    """
    _check_web(run.request, settings)
    async with AsyncExitStack() as stack:
        journal, clock = store.journal(run.id), SystemClock()
        account = Allowance(run.request.limits, journal, clock, phrases(run.topic.language))
        parts = await _open_parts(run, store, settings, fresh, account, stack)
        crew = Crew(
            analyst=ExtractiveAnalyst(),
            search=parts.search,
            reader=parts.reader,
            journal=journal,
            notes=store.notes,
            snapshots=store.snapshots(run.id),
            clock=clock,
            origin=parts.origin,
            reach=parts.reach,
            account=account,
        )
        yield await _staff(crew, account, run, settings, stack) if run.request.model else crew


async def _staff(crew: Crew, account: Allowance, run: Run, settings: Settings, stack: AsyncExitStack) -> Crew:
    """Return the crew with models for its analyst. They need not look around in the web before they plan."""
    from leadline.analysts.model.hiring import Staff, hire_analyst

    choice = run.request.model or ModelChoice()
    endpoints = find_models(run.request, settings)
    staff = Staff(account, crew.journal, crew.clock, settings.silence, choice, settings.per_minute)
    stack.push_async_callback(staff.close)
    analyst = await asyncio.to_thread(hire_analyst, staff, endpoints, run.request.manner, crew.analyst)
    hosts = tuple(dict.fromkeys(endpoint.host for endpoint in endpoints))
    web = asks_web(run.request)
    return replace(
        crew,
        analyst=analyst,
        origin=replace(crew.origin, languages={}, models=hosts),
        reach=replace(crew.reach, surveyed=0 if web else _TITLED),
    )


_TITLED = 12
"""Documents whose titles and headings a model sees before it plans."""


def settle_models(request: Request, settings: Settings) -> Request:
    """Return the request with the models that it will be done with, those of the settings where it names none.

    Raises:
        UsageError: something is said of a model, and none is named.
    """
    asked = request.model or ModelChoice()
    named = asked.model_dump(exclude_defaults=True)
    choice = settings.model.model_copy(update=named)
    if "name" in named and named["name"] != settings.model.name and "url" not in named:
        choice = choice.model_copy(update={"url": ""})
    if choice.name.lower() in ("", "none"):
        if named.keys() - {"name"}:
            raise UsageError("No model is named; name one: --model PROVIDER:NAME, for example ollama:qwen3:8b.")
        return request.model_copy(update={"model": None})
    return request.model_copy(update={"model": choice})


async def check_model(request: Request, settings: Settings) -> int:
    """Ask the first model of a request for next to nothing, and return the tokens of its window.

    Raises:
        UsageError: it cannot be asked as the request wants it.
        ModelFailed: it gives no answer.
    """
    from leadline.analysts.model.hiring import connect

    wire = await asyncio.to_thread(connect, find_models(request, settings)[0], settings.silence, request.model or ModelChoice())
    try:
        await wire.greet()
        return await wire.window()
    finally:
        await wire.close()


def find_models(request: Request, settings: Settings) -> "list[Endpoint]":
    """Return where the models of a settled request are asked; nowhere without one.

    Raises:
        UsageError: a model cannot be asked as the request wants it.
    """
    if request.model is None:
        return []
    from leadline.analysts.model.hiring import find_endpoints
    from leadline.analysts.model.prices import find_cost

    endpoints = find_endpoints(request.model, settings.find_key)
    for endpoint in endpoints:
        if request.offline and not endpoint.is_local:
            raise UsageError(
                f"{endpoint.name} is at {endpoint.host}, which --offline does not allow; name a model on this machine."
            )
        if request.limits.cost is not None and find_cost(endpoint, 1, 1) is None:
            raise UsageError(f"No price of {endpoint.name} is known, so --max-cost cannot hold; use --max-tokens.")
    return endpoints


@dataclass(frozen=True, slots=True)
class _Parts:
    search: SearchBackend
    reader: Reader
    origin: Origin
    reach: Reach


async def _open_parts(
    run: Run, store: Store, settings: Settings, fresh: bool, account: Allowance, stack: AsyncExitStack
) -> _Parts:
    named = sort_sources(run.request.sources)
    library = await Library.open(named.paths, settings.home) if named.paths else None
    if library is not None and not asks_web(run.request):
        return _Parts(library, library, _describe_library(library), Reach(scope=run.request.scope))
    return _open_web(run, store, settings, fresh, account, stack, library)


def _open_web(
    run: Run, store: Store, settings: Settings, fresh: bool, account: Allowance, stack: AsyncExitStack, library: Library | None
) -> _Parts:
    """The web, together with what else is named. Imported here: a run over documents alone needs none of it."""
    from leadline import web
    from leadline.reading import RoutedReader
    from leadline.search.merging import MergedSearch
    from leadline.search.saved import SavedPages

    request, named, choice = run.request, sort_sources(run.request.sources), web.choose_backends(run.request)
    journal = store.journal(run.id)
    pages = web.open_reader(settings, request.offline, store.snapshots(run.id), None if fresh else journal, stack)
    readers: dict[str, Reader] = {}
    searches: list[SearchBackend] = []
    if library is not None:
        searches.append(library)
        readers[library.name] = library
    if named.urls or named.runs:
        saved = SavedPages(partial(_load_pages, named, pages, store))
        searches.append(saved)
        readers[saved.name] = saved
    if choice.search:
        found, own = web.open_search(choice, settings, request, account, stack)
        searches.append(found)
        readers.update(own)
    search = searches[0] if len(searches) == 1 else MergedSearch(searches, account)
    hosts = [*dict.fromkeys(urlsplit(url).hostname or url for url in named.urls)]
    origin = Origin(
        name=", ".join(
            [*([library.label] if library else []), *hosts, *map("run {}".format, named.runs), *filter(None, [choice.label])]
        ),
        languages=library.languages if library and not choice.search else {},
        skipped=library.skipped if library else (),
        hosts=[*hosts, *web.name_hosts(choice, settings, run.topic.language)],
    )
    return _Parts(
        search, RoutedReader(readers, pages), origin, _choose_reach(request.scope, len(searches), bool(choice.search))
    )


_WITH_DOCUMENTS = 20
"""Documents beside each todo's pages, where both are searched."""

_SURVEYED = 8
"""Pages of the web that a plan is made from."""


def _choose_reach(scope: Scope, searches: int, web: bool) -> Reach:
    """Pages of the web cost seconds and other people's bandwidth: few are read, and twice as many asked for."""
    if not web:
        return Reach(scope=scope)
    more = _WITH_DOCUMENTS if searches > 1 else 0
    pages = scope.per_todo + more
    return Reach(pages=pages, hits=2 * scope.per_todo + more, surveyed=max(_SURVEYED, pages), scope=scope)


async def _load_pages(named: Named, reader: Reader, store: Store) -> Sequence[Page]:
    """The pages of URLs, and those that runs have saved."""
    pages: list[Page] = []
    for url in named.urls:
        answer = await reader.read(Hit(backend="pages", address=url))
        if isinstance(answer, NotRead):
            raise SearchFailed("refused", f"{url} could not be read: {answer.reason}.")
        pages.append(answer)
    for name in named.runs:
        run = await store.runs.load(name)
        pages += await store.snapshots(run.id).list()
    return pages


def _describe_library(library: Library) -> Origin:
    return Origin(name=library.label, languages=library.languages, skipped=library.skipped)


async def open_settled_store(settings: Settings, keep: bool = True) -> Store:
    """Open the store that the settings name: PostgreSQL, else SQLite in the data folder; in memory if nothing is kept.

    Raises:
        StoreError: the store cannot be used.
    """
    return await open_store((settings.database_url or settings.home) if keep else None)

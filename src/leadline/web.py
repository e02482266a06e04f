"""From settings to what asks the web: the backends of a run, wrapped, and the reader of what they find."""

import asyncio
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from leadline.clock import SystemClock
from leadline.documents.web_page import prepare
from leadline.errors import FetchFailed, SourceError
from leadline.network import Gate, open_client
from leadline.network.gate import find_place, read_place
from leadline.pace import find_pace
from leadline.ports import Account, Journal, Reader, SearchBackend, Snapshots
from leadline.reading import Fetcher, RecalledReader, WebReader
from leadline.records import Request
from leadline.search.advising import AdvisingSearch
from leadline.search.bounds import BoundedSearch
from leadline.search.falling_back import FallbackSearch
from leadline.search.merging import MergedSearch
from leadline.search.pacing import PacedSearch
from leadline.search.provider import LOCAL, Provider, Setup
from leadline.search.registry import find_providers, list_entries
from leadline.search.retrying import RetryingSearch
from leadline.settings import Settings

DEFAULT, DEFAULT_FALLBACK = ("duckduckgo",), ("wikipedia",)
"""What is asked when neither a source nor a backend is named: the web without a key."""

WITHOUT_KEY = ("wikipedia", "duckduckgo")
"""Backends that work for everybody, to be advised when others do not."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The backends of a run by name: those asked at once, and those asked in turn when they fail."""

    search: tuple[str, ...]
    fallback: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys((*self.search, *self.fallback)))

    @property
    def label(self) -> str:
        """As the first line of a run and the report's head name them."""
        return ", else ".join([", ".join(self.search), *self.fallback]) if self.search else ""


def choose_backends(request: Request) -> Choice:
    """Return the web's backends of a request; none when it has sources and names no backend."""
    named = tuple(name for name in dict.fromkeys(request.search) if name != "library")
    if named:
        return Choice(named, request.fallback)
    if request.sources:
        return Choice((), ())
    return Choice(DEFAULT, request.fallback or DEFAULT_FALLBACK)


def check_backends(choice: Choice, settings: Settings, offline: bool) -> None:
    """Say now what would keep the backends from working.

    Raises:
        SourceError: one is unknown, broken, lacks a key or an address, or is beyond what `--offline` allows.
    """
    gate = Gate(offline=offline, own=_own_places(choice.names, settings))
    for provider in find_providers(choice.names).values():
        url = _find_url(provider, settings)
        if not url:
            variable = provider.url_variable
            raise SourceError(
                f"The search backend {provider.name!r} needs the address of your server: set {variable}, for example"
                f" {variable}=http://localhost:8080"
            )
        if provider.key == "needed" and not settings.find_search(provider.name).key:
            raise SourceError(
                f"The search backend {provider.name!r} needs a key: set {provider.variable}, or use --search"
                f" {','.join(WITHOUT_KEY)} which need none."
            )
        if url == LOCAL:
            continue
        try:
            gate.check_url(url.replace("{language}", "en"))
        except FetchFailed as error:
            hint = "name documents of your own: --in FOLDER" if offline else "check its url"
            raise SourceError(f"{provider.name} cannot be asked: {error}; {hint}.") from error


def name_hosts(choice: Choice, settings: Settings, language: str) -> list[str]:
    """Return the hosts that searches go to, in order of the backends."""
    urls = [url for provider in find_providers(choice.names).values() if (url := _find_url(provider, settings)) != LOCAL]
    languages = dict.fromkeys([language.split("-")[0], "en"])
    spelled = [url.replace("{language}", tag) for url in urls for tag in (languages if "{language}" in url else ("",))]
    return list(dict.fromkeys(find_place(url)[0] for url in spelled))


def open_search(
    choice: Choice, settings: Settings, request: Request, account: Account, stack: AsyncExitStack
) -> tuple[SearchBackend, Mapping[str, Reader]]:
    """Return the backends of a choice as one: bounded, at a pace, retried, merged, with fallbacks, and with advice.

    Beside it, by name, those that read what they find.

    Args:
        choice: with at least one backend.
        settings: keys and addresses.
        request: its topic is in the advice, and it says whether the run is offline.
        account: counts searches that are made again, and tells of those that failed.
        stack: closes the connections.
    """
    loading = asyncio.create_task(asyncio.to_thread(prepare))  # while the search is on its way
    stack.push_async_callback(asyncio.wait, [loading])
    bare = open_backends(choice, settings, request.offline, stack)
    opened = {name: _wrap(bare[name], provider, settings, account) for name, provider in find_providers(choice.names).items()}
    first = [opened[name] for name in choice.search]
    chain = [first[0] if len(first) == 1 else MergedSearch(first, account), *(opened[name] for name in choice.fallback)]
    readers = {name: backend for name, backend in bare.items() if isinstance(backend, Reader)}
    return AdvisingSearch(FallbackSearch(chain, account), advise(choice, settings, request)), readers


def _wrap(search: SearchBackend, provider: Provider, settings: Settings, account: Account) -> SearchBackend:
    clock = SystemClock()
    if per_minute := settings.find_search(provider.name).per_minute:
        search = PacedSearch(search, find_pace(provider.name, per_minute), clock)
    return BoundedSearch(RetryingSearch(search, clock, account), provider.longest)


def open_backends(choice: Choice, settings: Settings, offline: bool, stack: AsyncExitStack) -> dict[str, SearchBackend]:
    """Return the backends of a choice by name, as they are."""
    gate = Gate(_own_places(choice.names, settings), offline)
    client = open_client(gate)
    stack.push_async_callback(client.aclose)

    def open_one(provider: Provider) -> SearchBackend:
        own = settings.find_search(provider.name)
        return provider.open(Setup(client=client, check=gate.check_url, key=own.key, url=own.url, options=own.options))

    return {name: open_one(provider) for name, provider in find_providers(choice.names).items()}


def advise(choice: Choice, settings: Settings, request: Request) -> str:
    """Return a command that does the same research without the backends of a choice."""
    keyed = [e.name for e in list_entries() if e.provider and e.provider.key == "needed" and settings.find_search(e.name).key]
    others = [name for name in (*keyed, *WITHOUT_KEY) if name not in choice.names]
    way = f"--search {others[0]}" if others else "--in FOLDER"
    return f"leadline research {shlex.quote(' '.join(request.topic.split()))} {way}"


def open_reader(
    settings: Settings, offline: bool, snapshots: Snapshots, journal: Journal | None, stack: AsyncExitStack
) -> Reader:
    """Return the reader of web pages.

    Args:
        settings: name the services of one's own that pages may be read from.
        offline: whether nothing but loopback may be read.
        snapshots: where pages are kept.
        journal: remembers what was read; None to read anew.
        stack: closes the connections.
    """
    client = open_client(open_page_gate(settings, offline))
    stack.push_async_callback(client.aclose)
    fetcher = Fetcher(client)
    stack.push_async_callback(fetcher.close)
    reader = WebReader(fetcher, snapshots)
    return reader if journal is None else RecalledReader(reader, journal, snapshots)


def open_page_gate(settings: Settings, offline: bool) -> Gate:
    """Return the gate that pages are read through."""
    return Gate([read_place(place) for place in settings.allow], offline)


def _find_url(provider: Provider, settings: Settings) -> str:
    return settings.find_search(provider.name).url or provider.url


def _own_places(names: Iterable[str], settings: Settings) -> Sequence[tuple[str, int]]:
    return [find_place(url) for name in names if (url := settings.find_search(name).url)]

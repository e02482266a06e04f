"""Whether all that a run needs works here, part by part, and what to do where it does not."""

import asyncio
import stat
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from leadline.configuring import find_path
from leadline.desk import open_desk
from leadline.engine import open_books
from leadline.errors import LeadlineError
from leadline.models import ModelChoice
from leadline.pipeline.asking import make_query
from leadline.records import NotRead, Request
from leadline.settings import Settings
from leadline.wiring import assembled, check_model, make_run, settle_models

Part = Literal["folder", "settings", "database", "model", "search", "fetching", "fonts"]

_PATIENCE = 30.0
"""Seconds that a part may take; a model that has to be loaded first may take all of them."""


_FIXES: dict[Part, str] = {
    "model": "start its server, set its key, or name another: leadline config set model.name PROVIDER:NAME",
    "search": "check the network, or name a backend of your own: leadline backends",
    "fetching": "check network, proxy and firewall; documents of your own need none: --in FOLDER",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What is to be said of a part; `fix` is what to do, empty where all is well."""

    part: Part
    well: bool
    words: str
    fix: str = ""


class _Ill(Exception):
    """Something does not work. Its arguments are words and fix."""


async def examine(settings: Settings, offline: bool) -> list[Finding]:
    """Return how each part is. A model is asked one small question; a search is made and one page read, unless `offline`."""
    parts: dict[Part, Callable[[], Awaitable[str]]] = {
        "folder": lambda: _check_folder(settings),
        "settings": lambda: _check_file(settings),
        "database": lambda: _check_database(settings),
        "model": lambda: _check_model(settings),
        "fonts": _check_fonts,
    }
    if not offline:
        parts |= {"search": lambda: _check_search(settings), "fetching": lambda: _check_fetching(settings)}
    return [await _examine(part, check) for part, check in parts.items()]


async def _examine(part: Part, check: Callable[[], Awaitable[str]]) -> Finding:
    try:
        async with asyncio.timeout(_PATIENCE):
            return Finding(part, True, await check())
    except _Ill as ill:
        return Finding(part, False, *ill.args)
    except TimeoutError:
        return Finding(part, False, f"no answer within {_PATIENCE:g} s", "look whether it is up and reachable from here")
    except LeadlineError as error:
        return Finding(part, False, str(error), _FIXES.get(part, "mend what it names"))


async def _check_folder(settings: Settings) -> str:
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        probe = settings.home / ".doctor"
        probe.write_text("", encoding="utf-8")
        probe.unlink()
    except OSError as error:
        raise _Ill(f"{settings.home} cannot be written ({error.strerror})", "set LEADLINE_HOME to a folder of yours") from error
    return str(settings.home)


async def _check_file(settings: Settings) -> str:
    path = find_path(settings)
    if not path.exists():
        return "no settings file; all is at its default or in the environment"
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise _Ill(f"{path} can be read by others, and may hold keys", f"chmod 600 {path}")
    return str(path)


async def _check_database(settings: Settings) -> str:
    async with open_desk(settings) as desk, open_books(desk.place):
        return "PostgreSQL" if settings.database_url else "SQLite in the data folder"


async def _check_model(settings: Settings) -> str:
    if not settings.model.name:
        return "none: plans and points are made by code alone (leadline config set model.name ollama:qwen3:8b)"
    request = settle_models(Request(topic="-"), settings)
    window = await check_model(request, settings)
    return f"{(request.model or ModelChoice()).name} answers; its window has {window:,} tokens"


async def _check_search(settings: Settings) -> str:
    async with open_desk(settings, keep=False) as desk:
        run = make_run(Request(topic="weather"))
        async with assembled(run, desk.store, settings) as crew:
            hits = await crew.search.search(make_query("weather", 3, run.topic, crew.reach.scope))
            if not hits:
                raise _Ill(f"{crew.origin.name} found nothing for “weather”", "name another backend: --search NAME")
            return f"{crew.origin.name} answers"


async def _check_fetching(settings: Settings) -> str:
    async with open_desk(settings, keep=False) as desk:
        run = make_run(Request(topic="example", sources=("https://example.com/",)))
        async with assembled(run, desk.store, settings) as crew:
            hits = await crew.search.search(make_query("example", 1, run.topic, crew.reach.scope))
            page = await crew.reader.read(hits[0])
            if isinstance(page, NotRead):
                raise _Ill(f"a page could not be read: {page.reason}", "look at proxy and firewall")
            return "pages of the web can be read"


async def _check_fonts() -> str:
    try:
        process = await asyncio.create_subprocess_exec("fc-list", ":lang=zh", stdout=-1, stderr=-3)
    except OSError as error:
        raise _Ill("fontconfig is not here, so that PDF has no fonts", "apt-get install fontconfig fonts-noto-cjk") from error
    said, _ = await process.communicate()
    if not said.strip():
        raise _Ill("no font here has Chinese letters, so that PDF has none", "apt-get install fonts-noto-cjk")
    return "PDF has fonts for Chinese too"

"""`leadline serve`: from the command line to a server."""

import asyncio
import signal
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.cli.interrupts import heard, leave_soon
from leadline.cli.streams import put, say
from leadline.cli.troubles import told
from leadline.cli.worker import clearing, tell
from leadline.desk import open_desk
from leadline.engine import Limits
from leadline.errors import UsageError
from leadline.server.access import Access, read_networks
from leadline.server.serving import bound
from leadline.server.serving import serve as answer
from leadline.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Door:
    """The options of the command, as typed."""

    port: int
    open_page: bool
    host: str
    token_file: Path | None
    allowed_hosts: tuple[str, ...]
    root_path: str
    proxies: tuple[str, ...]
    user_header: str
    at_once: int


async def serve(**options: Any) -> None:
    """Serve until a signal says stop."""
    door, settings = Door(**options), load_settings()
    access = _make_access(door, settings)
    stopped = asyncio.Event()

    def stop() -> None:
        say("the server stops; its runs go on when it is started again")
        leave_soon(0)
        stopped.set()

    with bound(door.host, door.port) as opened, heard([signal.SIGINT, signal.SIGTERM], stop), told(say):
        address = _write_address(door, opened.getsockname()[1])

        def announce() -> None:
            put(address)
            if door.open_page and not webbrowser.open(address):
                say("No browser could be opened; open the address above in one.")

        async with open_desk(settings) as desk, clearing(desk):
            await answer(desk, access, opened, Limits(door.at_once), tell, stopped, announce)


def _write_address(door: Door, port: int) -> str:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(door.host, f"[{door.host}]" if ":" in door.host else door.host)
    return f"http://{host}:{port}{_root(door)}/"


def _root(door: Door) -> str:
    path = door.root_path.strip("/")
    return f"/{path}" if path else ""


def _make_access(door: Door, settings: Settings) -> Access:
    return Access(
        host=door.host,
        allowed_hosts=frozenset(host.lower() for host in door.allowed_hosts),
        token=_read_token(door.token_file) if door.token_file else settings.token,
        root_path=_root(door),
        proxies=read_networks(door.proxies),
        user_header=door.user_header,
    )


def _read_token(path: Path) -> str:
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The token file {str(path)!r} cannot be read; name one that holds a line of text.") from error
    if not token:
        raise UsageError(f"The token file {str(path)!r} is empty; write a long random line into it.")
    return token

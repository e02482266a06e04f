"""Where the engine keeps its data, and the small words that its callers use."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Role = Literal["research", "serve", "worker"]
State = Literal["unknown", "queued", "working", "interrupted", "ended"]
"""`unknown`: never submitted. `interrupted`: whoever had it has died, and nobody has taken it yet."""

Perform = Callable[[str], Awaitable[None]]
GiveUp = Callable[[str, str], Awaitable[None]]
Progress = Callable[[str], Awaitable[int]]

DATA_VERSION = 1
"""Version of what the engine hands to `perform`: raised when a run begun by an older release is to be treated otherwise.

DBOS takes a hash of the source code for this when it is not told; every edit would then leave all runs hanging.
"""

PRIORITY = 100
"""Of runs that nobody gave a priority; a lower number goes first, 1 is the lowest."""

ATTEMPTS = 5
"""Beginnings of a run without progress, before it is given up: each may have cost a process its life, and others their work."""


async def no_progress(run: str) -> int:
    """Say of every run that it never gets on."""
    return 0


def make_executor_id() -> str:
    """Return an id that no process has had: with DBOS's own, "local", a second process does the first one's work again."""
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the engine keeps its data.

    Attributes:
        home: the data folder, which holds `engine.db` and the lock files unless there is a URL.
        database_url: the PostgreSQL database of the store; the engine's tables are in a schema of their own there.
    """

    home: Path
    database_url: str | None = None

    @property
    def folder(self) -> Path:
        """The folder of the lock files."""
        return self.home / "engine"

    @property
    def file(self) -> Path:
        """The SQLite file."""
        return self.home / "engine.db"


@dataclass(frozen=True, slots=True)
class Limits:
    """How many runs are carried out at once.

    Attributes:
        per_process: in each process that listens to the queue. The value of whoever opened last holds for all.
        overall: in all processes together; None for no such limit.
    """

    per_process: int = 16
    overall: int | None = None


@dataclass(frozen=True, slots=True)
class Versions:
    """The data version that this release writes, and the older ones that it can finish."""

    own: int = DATA_VERSION
    readable: frozenset[int] = frozenset()

    def judge(self, recorded: str | None) -> Literal["own", "older", "unreadable", "newer"]:
        """Say what a version found on a run is to this release."""
        if recorded is None or not recorded.isdecimal():
            return "unreadable"
        number = int(recorded)
        if number == self.own:
            return "own"
        if number > self.own:
            return "newer"
        return "older" if number in self.readable else "unreadable"


@dataclass(frozen=True, slots=True)
class Peer:
    """A process that carries out runs. `holds` are the local things that only it can reach."""

    id: str
    role: Role
    host: str
    process: int
    holds: frozenset[str]

"""Runs that cannot be lost: queue, limits, recovery and workers on DBOS. The only folder that imports it, and only on opening.

The engine knows runs by their ids and nothing else. A run is one workflow without steps, whose body is `perform(run)`: what
it has done is remembered by the store alone. Read in this order: place, rounds, books, engine, then signs and ledger.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from leadline.engine.place import (
    ATTEMPTS,
    DATA_VERSION,
    PRIORITY,
    GiveUp,
    Limits,
    Peer,
    Perform,
    Place,
    Progress,
    Role,
    State,
    Versions,
    make_executor_id,
    no_progress,
)

if TYPE_CHECKING:
    from leadline.engine.books import Books
    from leadline.engine.engine import Engine

__all__ = [
    "DATA_VERSION",
    "GiveUp",
    "Limits",
    "PRIORITY",
    "Peer",
    "Perform",
    "Place",
    "Progress",
    "Role",
    "State",
    "Versions",
    "open_books",
    "open_engine",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())  # a worker shows what is logged; a terminal is not written into


@asynccontextmanager
async def open_books(place: Place, versions: Versions = Versions()) -> "AsyncIterator[Books]":
    """Open the books alone: to submit, stop and forget runs and to ask about them, without carrying out any.

    Where this process has an engine, they are its own: opening them anew takes 20 ms of processor time and a write.

    Args:
        place: where the engine keeps its data.
        versions: what this release can finish.

    Raises:
        StoreError: the engine's data cannot be used; one sentence, without the URL's password.
    """
    await _load()
    from leadline.engine.engine import Engine

    if (here := Engine.find(place, versions)) is not None:
        yield here.books
        return
    async with _open(place, versions, "") as books:
        yield books


@asynccontextmanager
async def open_engine(
    place: Place,
    role: Role,
    perform: Perform,
    give_up: GiveUp,
    *,
    holds: Callable[[], Collection[str]] = tuple,
    limits: Limits = Limits(),
    progress: Progress = no_progress,
    attempts: int = ATTEMPTS,
    versions: Versions = Versions(),
) -> "AsyncIterator[Engine]":
    """Open an engine that carries out runs in this process and on this event loop; at most one in a process.

    Leaving the block lets no further run start, stops those at work within 2 seconds and leaves them to whoever comes next.

    Args:
        place: where the engine keeps its data.
        role: `research` carries out the runs that it is told to and no other; `serve` and `worker` take runs from the queue
            and continue those of processes that have died.
        perform: does a run to its end, given its id. Called again for the same run after a crash.
        give_up: told that a run will not be tried again, and why; returning ends the run for the engine.
        holds: tells the names of the local things (libraries) that only this process can reach, and is asked again every few
            seconds; runs that need them come here.
        limits: how many runs at once; ignored by `research`.
        progress: says how far a run has come, as a number that grows with what is kept of it.
        attempts: beginnings of a run without progress before it is given up.
        versions: what this release can finish.

    Raises:
        StoreError: the engine's data cannot be used; one sentence, without the URL's password.
        UsageError: this process has an engine already.
    """
    await _load()
    async with _open(place, versions, make_executor_id()) as books:
        from leadline.engine.attempts import Attempts
        from leadline.engine.engine import Engine

        engine = Engine(books, role, Attempts(perform, give_up, progress, books, attempts), holds, limits)
        try:
            await engine.start()
            yield engine
        finally:
            await engine.close()


async def _load() -> None:
    await asyncio.to_thread(import_module, "dbos")  # takes a second


@asynccontextmanager
async def _open(place: Place, versions: Versions, me: str) -> "AsyncIterator[Books]":
    from leadline.engine.books import Books

    books = await Books.open(place, versions, me)
    try:
        yield books
    finally:
        await books.close()

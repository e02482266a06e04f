"""The one way to a store: in memory, in a folder, or on PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from leadline import ports
from leadline.errors import StoreError
from leadline.events import Envelope
from leadline.store import memory
from leadline.store.bells import Bells
from leadline.store.database import Database, Driver
from leadline.store.journal import Journal
from leadline.store.ledger import DatabaseLedger, find_heads
from leadline.store.migrations import upgrade
from leadline.store.notes import DatabaseNotes
from leadline.store.pages import DatabaseSnapshots
from leadline.store.runs import DatabaseRuns
from leadline.store.watching import Tail

FILE = "leadline.db"
"""Name of the SQLite file in a data folder."""


class Runs(ports.Runs, Protocol):
    """The runs of a store, whose events can also be followed."""

    async def tail(self, run: str) -> Tail:
        """Return where a run stands, without reading all of its events. Raises NotFound."""
        ...

    def watch(self, run: str, after: int = 0) -> AsyncIterator[Envelope]:
        """Yield the events above `after` as they arrive, from whatever process, each once and in order.

        Ends when the run has ended and its last event is a `done` event. Raises NotFound.
        """
        ...


@dataclass(frozen=True)
class Store:
    """What is kept, by small doors. `place` names the store without password; as a context manager it closes itself."""

    place: str
    runs: Runs
    notes: ports.Notes
    journal: Callable[[str], Journal]
    """Opens the journal of a run; a new one hears the run's signals from the first on."""
    snapshots: Callable[[str], ports.Snapshots]
    """Opens the saved pages; what is saved through it is kept as long as the run it was opened for."""
    close: Callable[[], Awaitable[None]]
    """Finishes what is being written and lets go of files and connections."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def open_store(target: str | Path | None, *, poll: float = 0.2, patience: float = 30.0) -> Store:
    """Open a store, and make or upgrade its schema if need be.

    Args:
        target: a `postgresql://` URL; or a data folder, made if missing, that holds `leadline.db`; or None for memory.
        poll: seconds between two looks for rows that other processes wrote.
        patience: seconds that work is tried again for while the database is away or locked.

    Raises:
        StoreError: the store cannot be used; its first line says why and what to do, without the URL's password.
    """
    if target is None:
        return _open_memory()
    database = Database(await asyncio.to_thread(_choose_driver, target, patience))
    bells = Bells(partial(find_heads, database), poll)

    async def close() -> None:
        await bells.close()
        await database.close()

    try:
        await database.connect()
        await upgrade(database)
    except BaseException:
        await close()
        raise
    return Store(
        place=database.driver.place,
        runs=DatabaseRuns(database, bells),
        notes=DatabaseNotes(database),
        journal=lambda run: Journal(run, DatabaseLedger(database, run), bells),
        snapshots=partial(DatabaseSnapshots, database),
        close=close,
    )


def _open_memory() -> Store:
    rows, bells = memory.Rows(), Bells()
    return Store(
        place="memory",
        runs=memory.MemoryRuns(rows, bells),
        notes=memory.MemoryNotes(rows),
        journal=lambda run: Journal(run, memory.MemoryLedger(rows, run), bells),
        snapshots=partial(memory.MemorySnapshots, rows),
        close=bells.close,
    )


def _choose_driver(target: str | Path, patience: float) -> Driver:
    """Return the driver for a target; psycopg is imported here, and only for a URL."""
    scheme, separator, _ = str(target).partition("://")
    if not separator or isinstance(target, Path):
        return _choose_file(Path(target), patience)
    if scheme not in ("postgresql", "postgres"):
        raise StoreError(f"{scheme}:// is not a store: use a folder, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE.")
    from leadline.store.postgres import PostgresDriver

    return PostgresDriver(str(target), patience)


def _choose_file(folder: Path, patience: float) -> Driver:
    from leadline.store.sqlite import SqliteDriver

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The data folder {str(folder)!r} cannot be made ({error.strerror}): make it writable, or choose another one."
        ) from error
    return SqliteDriver(folder / FILE, patience)

"""Runs, their events and their signals as rows of a database."""

import datetime as dt
import uuid
from collections.abc import AsyncIterator, Sequence
from functools import partial

from leadline.errors import NotFound, StoreError
from leadline.events import Call, Envelope
from leadline.records import Run, Signal, SignalKind, Todo
from leadline.store.bells import Bells
from leadline.store.database import Connection, Database
from leadline.store.ledger import append, to_envelope
from leadline.store.rows import RUN_VERSION, check_name, is_name, lost_run, missing, stamp, to_run
from leadline.store.watching import Tail, follow

_SAVE = (
    "INSERT INTO runs (id, version, status, created, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
    " SET version = excluded.version, status = excluded.status, created = excluded.created, body = excluded.body"
)
_CANDIDATES = 6
_AFTER_ALL = "9999"
"""Greater than any moment as text."""


class DatabaseRuns:
    """See `leadline.ports.Runs`."""

    def __init__(self, database: Database, bells: Bells) -> None:
        self._database = database
        self._bells = bells

    async def save(self, run: Run) -> None:
        """Create the run or replace it."""
        check_name("run", run.id)
        values = (run.id, RUN_VERSION, run.status, stamp(run.created), run.model_dump_json())
        await self._database.write(f"run {run.id}", lambda connection: connection.execute(_SAVE, *values))
        self._bells.ring("events", run.id)

    async def load(self, run: str) -> Run:
        """Return a run by a unique prefix of its id.

        Raises:
            NotFound: no run, or more than one, goes by that name.
            StoreError: the run's row is damaged, or newer than this release.
        """
        sql = f"SELECT id, version, body FROM runs WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT {_CANDIDATES}"
        rows = await self._database.read(lambda connection: connection.execute(sql, len(run), run)) if is_name(run) else []
        found = {row[0]: row for row in rows}
        return to_run(*found[choose(run, list(found))])

    async def list(self, limit: int = 50, before: dt.datetime | None = None) -> Sequence[Run]:
        """Return the runs, newest first; one that cannot be read stands there as failed, with the reason."""
        sql = "SELECT id, version, body, created FROM runs WHERE created < ? ORDER BY created DESC, id DESC LIMIT ?"
        bound = stamp(before) if before else _AFTER_ALL
        rows = await self._database.read(lambda connection: connection.execute(sql, bound, limit))
        return [_to_listed(*row) for row in rows]

    async def delete(self, run: str) -> None:
        """Remove the run with its journal, events, signals, notes, and the pages that no other run uses.

        Raises:
            NotFound: no such run.
        """
        if not (is_name(run) and await self._database.write(f"run {run}", partial(_delete, run=run))):
            raise missing("run", run)
        self._bells.ring("events", run)

    async def signal(self, run: str, kind: SignalKind, todos: Sequence[Todo] = (), todo: int = 0) -> Signal:
        """Append a signal for the run's loop and return it with its sequence number.

        Raises:
            NotFound: no such run.
        """
        signal = Signal(seq=0, kind=kind, todos=tuple(todos), todo=todo)
        key, body = uuid.uuid4().hex, signal.model_dump_json()
        work = partial(_signal, run=run, key=key, body=body)
        seq = await self._database.write(f"signals {run}", work) if is_name(run) else 0
        if not seq:
            raise missing("run", run)
        self._bells.ring("signals", run)
        return signal.model_copy(update={"seq": seq})

    async def events(self, run: str, after: int = 0) -> Sequence[Envelope]:
        """Return the events of a run with a sequence number above `after`, in order.

        Raises:
            NotFound: no such run.
        """
        sql = "SELECT seq, body FROM events WHERE run = ? AND seq > ? ORDER BY seq"
        rows = await self._database.read(lambda connection: connection.execute(sql, run, after)) if is_name(run) else []
        if not rows:
            await self.tail(run)
        return [to_envelope(run, *row) for row in rows]

    async def calls(self, run: str) -> Sequence[Call]:
        """Return what the journal of a run has recorded, in order of its end."""
        sql = "SELECT key, kind, created, seconds FROM journal WHERE run = ? ORDER BY created, key"
        rows = await self._database.read(lambda connection: connection.execute(sql, run))
        return [Call(key=key, kind=kind, ended=ended, seconds=seconds) for key, kind, ended, seconds in rows]

    async def tail(self, run: str) -> Tail:
        """Return where the run stands. Raises NotFound."""
        sql = (
            "SELECT runs.status, events.seq, events.body FROM runs LEFT JOIN events ON events.run = runs.id"
            " WHERE runs.id = ? ORDER BY COALESCE(events.seq, 0) DESC LIMIT 1"
        )
        rows = await self._database.read(lambda connection: connection.execute(sql, run)) if is_name(run) else []
        if not rows:
            raise missing("run", run)
        status, seq, body = rows[0]
        done = seq is not None and to_envelope(run, seq, body).event.type == "done"
        return Tail(seq or 0, done, ended=status != "running")

    def watch(self, run: str, after: int = 0) -> AsyncIterator[Envelope]:
        """Yield the events above `after` as they arrive, from whatever process, each once and in order.

        Ends when the run has ended and its last event is a `done` event. Raises NotFound.
        """
        return follow(self, self._bells, run, after)


def choose(name: str, ids: Sequence[str]) -> str:
    """Return the id that a name means, among all ids that start with it.

    Raises:
        NotFound: there is none, or several and none is the name itself.
    """
    if not ids:
        raise missing("run", name)
    if name in ids:
        return name
    if len(ids) > 1:
        shown = ", ".join(ids[: _CANDIDATES - 1]) + (", …" if len(ids) >= _CANDIDATES else "")
        raise NotFound(f"{name!r} is the start of several runs ({shown}): give more of the id.")
    return ids[0]


def _to_listed(run: str, version: int, body: str, created: str) -> Run:
    try:
        return to_run(run, version, body)
    except StoreError as error:
        return lost_run(run, created, str(error))


def _signal(connection: Connection, run: str, key: str, body: str) -> int:
    if not connection.execute("SELECT 1 FROM runs WHERE id = ?", run):
        return 0
    return append(connection, "signals", run, key, body)


def _delete(connection: Connection, run: str) -> bool:
    if not connection.execute("DELETE FROM runs WHERE id = ? RETURNING id", run):
        return False
    for table in ("journal", "events", "signals", "notes", "run_pages"):
        connection.execute(f"DELETE FROM {table} WHERE run = ?", run)
    connection.execute("DELETE FROM pages WHERE NOT EXISTS (SELECT 1 FROM run_pages WHERE run_pages.page = pages.id)")
    connection.execute("DELETE FROM visits WHERE NOT EXISTS (SELECT 1 FROM pages WHERE pages.id = visits.page)")
    return True

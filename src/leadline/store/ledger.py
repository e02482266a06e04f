"""Journal, events and signals of a run as rows of a database."""

from collections.abc import Mapping, Sequence

from leadline.events import Envelope, Event
from leadline.records import Signal
from leadline.store.bells import Table
from leadline.store.database import Connection, Database
from leadline.store.journal import Entry, KeyedEvent
from leadline.store.rows import to_record

_FIND = "SELECT value FROM journal WHERE run = ? AND key = ?"
_END = (
    "INSERT INTO journal (run, key, kind, value, created, seconds) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (run, key) DO NOTHING RETURNING key"
)


class DatabaseLedger:
    """See `leadline.store.journal.Ledger`."""

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        self._run = run

    async def find(self, key: str) -> str | None:
        """Return the answer recorded under a key."""
        return await self._database.read(lambda connection: _find(connection, self._run, key))

    async def end(self, entry: Entry, events: Sequence[KeyedEvent]) -> str:
        """Record an entry and its events in one transaction."""
        bodies = [(key, event.model_dump_json()) for key, event in events]
        return await self._database.write(f"run {self._run}", lambda connection: _end(connection, self._run, entry, bodies))

    async def append(self, key: str, event: Event) -> int:
        """Append an event."""
        body = event.model_dump_json()
        return await self._database.write(
            f"run {self._run}", lambda connection: append(connection, "events", self._run, key, body)
        )

    async def next_signal(self, after: int) -> Signal | None:
        """Return the signal that follows a sequence number."""
        sql = "SELECT seq, body FROM signals WHERE run = ? AND seq > ? ORDER BY seq LIMIT 1"
        rows = await self._database.read(lambda connection: connection.execute(sql, self._run, after))
        return to_signal(self._run, *rows[0]) if rows else None


def _find(connection: Connection, run: str, key: str) -> str | None:
    rows = connection.execute(_FIND, run, key)
    return rows[0][0] if rows else None


def _end(connection: Connection, run: str, entry: Entry, events: Sequence[tuple[str, str]]) -> str:
    if not connection.execute(_END, run, entry.key, entry.kind, entry.value, entry.created, entry.seconds):
        return _find(connection, run, entry.key) or entry.value  # another process was first, and its events are there
    for key, body in events:
        append(connection, "events", run, key, body)
    return entry.value


def append(connection: Connection, table: Table, run: str, key: str, body: str) -> int:
    """Append a row with the next sequence number of its run, unless its key is there; return the number of the row.

    Numbers have no gaps: a number is taken only when the one below is committed. Where another transaction takes the same
    number first, the insert waits for it and does nothing, and the next round finds the number that is free then.
    """
    while True:
        inserted = connection.execute(
            f"INSERT INTO {table} (run, seq, key, body) SELECT ?, COALESCE(MAX(seq), 0) + 1, ?, ? FROM {table} WHERE run = ?"
            " ON CONFLICT DO NOTHING RETURNING seq",
            *(run, key, body, run),
        )
        if rows := inserted or connection.execute(f"SELECT seq FROM {table} WHERE run = ? AND key = ?", run, key):
            seq: int = rows[0][0]
            return seq


def to_signal(run: str, seq: int, body: str) -> Signal:
    """Return the signal of a row; its number is that of the row."""
    return to_record(Signal, body, f"signal {seq} of run {run}").model_copy(update={"seq": seq})


def to_envelope(run: str, seq: int, body: str) -> Envelope:
    """Return the event of a row, in its envelope."""
    return to_record(Envelope, f'{{"run":"{run}","seq":{seq},"event":{body}}}', f"event {seq} of run {run}")


async def find_heads(database: Database, table: Table, runs: Sequence[str]) -> Mapping[str, int]:
    """Return the highest sequence number of each run that has rows."""
    places = ", ".join("?" * len(runs))
    sql = f"SELECT run, MAX(seq) FROM {table} WHERE run IN ({places}) GROUP BY run"
    return dict(await database.read(lambda connection: [(row[0], row[1]) for row in connection.execute(sql, *runs)]))

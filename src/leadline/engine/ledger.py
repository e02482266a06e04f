"""Two small tables of our own beside DBOS's: who carries out runs, and how often each run was at work in one that died."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from leadline.engine.place import Peer


def make_tables(schema: str | None) -> sa.MetaData:
    """Return the tables, in a schema."""
    metadata = sa.MetaData(schema=schema)
    sa.Table(
        "leadline_executors",
        metadata,
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("process", sa.Integer, nullable=False),
        sa.Column("holds", sa.Text, nullable=False),
    )
    sa.Table(
        "leadline_crashes",
        metadata,
        sa.Column("run", sa.Text, primary_key=True),
        sa.Column("times", sa.Integer, nullable=False),
        sa.Column("progress", sa.BigInteger, nullable=False),
    )
    return metadata


@dataclass(frozen=True, slots=True)
class Crashes:
    """How often a run was at work in a process that died, since it had come to `progress`."""

    times: int
    progress: int


class Ledger:
    """The tables' rows. Every method blocks and is one transaction."""

    def __init__(self, engine: sa.Engine, schema: str | None) -> None:
        self._engine = engine
        self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")  # a third of the round trips
        tables = {table.name: table for table in make_tables(schema).sorted_tables}
        self._executors = tables["leadline_executors"]
        self._crashes = tables["leadline_crashes"]
        self._insert = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert

    def announce(self, peer: Peer) -> None:
        """Write down an executor, whose lock is held, and what it holds by now."""
        values = {
            "id": peer.id,
            "role": peer.role,
            "host": peer.host,
            "process": peer.process,
            "holds": json.dumps(sorted(peer.holds)),
        }
        with self._engine.begin() as connection:
            insert = self._insert(self._executors).values(values)
            connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_={"holds": insert.excluded.holds}))

    def strike(self, executor: str) -> None:
        """Take an executor off the list."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(self._executors).where(self._executors.c.id == executor))

    def list_executors(self) -> Sequence[Peer]:
        """Return all executors on the list, dead or alive, by id."""
        with self._reading.connect() as connection:
            rows = connection.execute(sa.select(self._executors).order_by(self._executors.c.id)).all()
        return [Peer(row.id, row.role, row.host, row.process, frozenset(json.loads(row.holds))) for row in rows]

    def find_crashes(self, run: str) -> Crashes | None:
        """Return what is known of a run's crashes; None if there were none."""
        crashes = self._crashes
        with self._reading.connect() as connection:
            row = connection.execute(sa.select(crashes).where(crashes.c.run == run)).one_or_none()
        return Crashes(row.times, row.progress) if row else None

    def count_crashes(self, runs: Sequence[str], by: int) -> None:
        """Add to the crashes of some runs: 1 when they are found with a dead process, -1 when a process leaves them behind."""
        if not runs:
            return
        crashes = self._crashes
        upsert = self._insert(crashes).values([{"run": run, "times": by, "progress": 0} for run in runs])
        with self._engine.begin() as connection:
            connection.execute(
                upsert.on_conflict_do_update(index_elements=["run"], set_={"times": crashes.c.times + upsert.excluded.times})
            )

    def note_progress(self, run: str, progress: int) -> None:
        """Begin to count at one again: a run that has crashed has come further since."""
        with self._engine.begin() as connection:
            connection.execute(sa.update(self._crashes).where(self._crashes.c.run == run).values(times=1, progress=progress))

    def forget_crashes(self, run: str) -> None:
        """Forget all crashes of a run."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(self._crashes).where(self._crashes.c.run == run))

    def close(self) -> None:
        """Let go of the connections."""
        self._engine.dispose()

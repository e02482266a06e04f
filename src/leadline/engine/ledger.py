"""Two small tables of our own beside DBOS's: who carries out runs, and how often each run has been begun."""

import json
from collections.abc import Sequence

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
        "leadline_attempts",
        metadata,
        sa.Column("run", sa.Text, primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("progress", sa.BigInteger, nullable=False),
    )
    return metadata


class Ledger:
    """The tables' rows. Every method blocks and is one transaction."""

    def __init__(self, engine: sa.Engine, schema: str | None) -> None:
        self._engine = engine
        tables = {table.name: table for table in make_tables(schema).sorted_tables}
        self._executors = tables["leadline_executors"]
        self._attempts = tables["leadline_attempts"]
        self._insert = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert

    def announce(self, peer: Peer) -> None:
        """Write down an executor; its lock is held."""
        values = {
            "id": peer.id,
            "role": peer.role,
            "host": peer.host,
            "process": peer.process,
            "holds": json.dumps(sorted(peer.holds)),
        }
        with self._engine.begin() as connection:
            connection.execute(self._insert(self._executors).values(values).on_conflict_do_nothing())

    def strike(self, executor: str) -> None:
        """Take an executor off the list."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(self._executors).where(self._executors.c.id == executor))

    def list_executors(self) -> Sequence[Peer]:
        """Return all executors on the list, dead or alive, by id."""
        with self._engine.begin() as connection:
            rows = connection.execute(sa.select(self._executors).order_by(self._executors.c.id)).all()
        return [Peer(row.id, row.role, row.host, row.process, frozenset(json.loads(row.holds))) for row in rows]

    def count_attempt(self, run: str, progress: int) -> int:
        """Count one more beginning of a run, and return how many there have been with the same progress."""
        attempts = self._attempts
        upsert = self._insert(attempts).values(run=run, count=1, progress=progress)
        count = sa.case((attempts.c.progress == progress, attempts.c.count + 1), else_=1)
        upsert = upsert.on_conflict_do_update(index_elements=["run"], set_={"count": count, "progress": progress})
        with self._engine.begin() as connection:
            return int(connection.execute(upsert.returning(attempts.c.count)).scalar_one())

    def excuse_attempts(self, runs: Sequence[str]) -> None:
        """Take back one beginning of each run: it was not the run's fault that it did not come to an end."""
        if not runs:
            return
        attempts = self._attempts
        with self._engine.begin() as connection:
            connection.execute(sa.update(attempts).where(attempts.c.run.in_(runs)).values(count=attempts.c.count - 1))

    def forget_attempts(self, run: str) -> None:
        """Begin to count anew."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(self._attempts).where(self._attempts.c.run == run))

    def close(self) -> None:
        """Let go of the connections."""
        self._engine.dispose()

"""The engine's database: made ready once, and errors of those who use it in our words."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

import psycopg
import sqlalchemy as sa
from dbos import DBOS
from dbos import error as dbos_error
from filelock import FileLock, Timeout
from sqlalchemy.exc import SQLAlchemyError

from leadline.engine.ledger import make_tables
from leadline.engine.place import Place
from leadline.errors import StoreError

T = TypeVar("T")

SCHEMA = "leadline_engine"
"""The schema of the engine's tables on PostgreSQL, beside that of the store."""

_LOCK = 0x1EAD0E61
"""Number of the advisory lock under which our own tables are made."""

_PATIENCE = 30.0
"""Seconds to wait for another process that is making the database ready, or that writes."""

_PAUSES = (0.2, 0.8)
"""Seconds after which work on PostgreSQL is done again: a server that ends connections takes new ones at once."""


def url_of(place: Place) -> sa.URL:
    """Return the database's URL as SQLAlchemy and DBOS take it."""
    if place.database_url is None:
        return sa.URL.create("sqlite", database=str(place.file))
    return sa.make_url(place.database_url).set(drivername="postgresql+psycopg")


def as_text(url: sa.URL) -> str:
    """Return a URL with its password, for DBOS."""
    return url.render_as_string(hide_password=False)


def schema_of(place: Place) -> str | None:
    """Return the schema of the engine's tables; SQLite has none."""
    return None if place.database_url is None else SCHEMA


def open_tables(place: Place) -> sa.Engine:
    """Return an engine for our own tables, which has not connected yet."""
    with translated(place):
        if place.database_url is None:
            return sa.create_engine(url_of(place), connect_args={"timeout": _PATIENCE})
        return sa.create_engine(url_of(place), pool_size=2, pool_pre_ping=True, connect_args={"connect_timeout": 5})


def prepare(place: Place, engine: sa.Engine) -> None:
    """Make the database ready. Blocks.

    Raises:
        StoreError: it cannot be used; a server that is not there is told at once.
    """
    if place.database_url is None:
        with translated(place):
            _prepare_file(place, engine)
        return
    with translated(place), engine.connect():  # DBOS would try for long to reach a server that is not there
        pass
    insist(place, lambda: _prepare_schema(engine))


def _prepare_file(place: Place, engine: sa.Engine) -> None:
    """One process at a time: the switch to WAL does not wait for others, it fails."""
    place.folder.mkdir(parents=True, exist_ok=True)
    with FileLock(place.folder / "opening.lock", timeout=_PATIENCE):
        with closing(sqlite3.connect(place.file, timeout=_PATIENCE)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        DBOS.migrate(as_text(engine.url))
        make_tables(None).create_all(engine)


def _prepare_schema(engine: sa.Engine) -> None:
    DBOS.migrate(as_text(engine.url), schema=SCHEMA)
    with engine.begin() as connection:
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        make_tables(SCHEMA).create_all(connection)


def insist(place: Place, work: Callable[[], T]) -> T:
    """Do something with the database that blocks: up to three times on PostgreSQL, where a connection may be lost meanwhile.

    Raises:
        StoreError: it cannot be used.
    """
    with translated(place):
        for pause in _PAUSES if place.database_url else ():
            try:
                return work()
            except (sa.exc.OperationalError, psycopg.OperationalError):
                time.sleep(pause)
        return work()


@contextmanager
def translated(place: Place) -> Iterator[None]:
    """Turn what the database's libraries raise into a StoreError of one sentence, without the URL's password."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, psycopg.Error, dbos_error.DBOSException, OSError, Timeout) as error:
        raise StoreError(_explain(place, error)) from error


def _explain(place: Place, error: Exception) -> str:
    cause = getattr(error, "orig", None) or error
    reason = (str(cause).splitlines() or [type(cause).__name__])[0].strip()
    if place.database_url is not None:
        name = url_of(place).set(drivername="postgresql", query={}).render_as_string(hide_password=True)
        return f"The engine's tables at {name} cannot be used ({reason}): check URL, server and the role's rights."
    if "malformed" in reason or "not a database" in reason:
        return (
            f"The engine's file {str(place.file)!r} is damaged ({reason}): move it away and resume the runs that had not ended;"
            " what they found is in the store."
        )
    return f"The engine's file {str(place.file)!r} cannot be used ({reason}): make the folder writable, and free some space."

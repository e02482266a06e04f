"""Stores for the contract tests: in memory, on SQLite and on PostgreSQL, all through `open_store`."""

import sqlite3
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import psycopg
import pytest

from leadline.store import Store, open_store

Kind = Literal["memory", "sqlite", "postgres"]


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    """Return the URL of a database that is this session's own."""
    name = f"leadline_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield urlsplit(postgres_server)._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def postgres(postgres_database: str) -> str:
    """Return the URL of an empty database."""
    with psycopg.connect(postgres_database, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS leadline CASCADE")
    return postgres_database


@pytest.fixture(params=["sqlite", "postgres"])
def target(request: pytest.FixtureRequest, home: Path) -> str | Path:
    """Return where an empty store is that several processes can open."""
    return str(request.getfixturevalue("postgres")) if request.param == "postgres" else home


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, home: Path) -> AsyncIterator[Store]:
    """Yield an empty store of each kind."""
    kind: Kind = request.param
    where = {"memory": None, "sqlite": home}[kind] if kind != "postgres" else request.getfixturevalue("postgres")
    async with await open_store(where, poll=0.02) as opened:
        yield opened


@pytest.fixture
async def peers(target: str | Path) -> AsyncIterator[tuple[Store, Store]]:
    """Yield two stores on one database that know nothing of each other, as two processes would."""
    async with await open_store(target, poll=0.02) as one, await open_store(target, poll=0.02) as other:
        yield one, other


class Rows:
    """The rows of a store as another program sees them, without Leadline."""

    def __init__(self, target: str | Path) -> None:
        self._target = target

    def change(self, sql: str) -> None:
        """Run one statement."""
        if isinstance(self._target, Path):
            with closing(sqlite3.connect(self._target / "leadline.db")) as file, file:
                file.execute(sql)
        else:
            with psycopg.connect(self._target, options="-c search_path=leadline") as connection:
                connection.execute(sql.encode())


@pytest.fixture
def rows(target: str | Path) -> Rows:
    """Return the rows of the store at `target`."""
    return Rows(target)

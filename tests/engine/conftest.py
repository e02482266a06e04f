"""Places for the engine: a data folder, or a PostgreSQL database of the test's own."""

import asyncio
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.engine.cluster import Cluster, open_cluster
from tests.engine.crowd import Say, Workers

from leadline.engine import Place, open_books


@contextmanager
def _database(server: str, template: str) -> Iterator[str]:
    name = f"leadline_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        try:
            yield name
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> Iterator[str]:
    """Return the name of a database with the engine's tables: making them takes two seconds, copying a tenth of one."""

    async def prepare(url: str) -> None:
        async with open_books(Place(Path(), url)):
            pass

    with _database(postgres_server, "template1") as name:
        asyncio.run(prepare(urlsplit(postgres_server)._replace(path=f"/{name}").geturl()))
        yield name


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """Return the URL of a database without runs."""
    with _database(postgres_server, postgres_template) as name:
        yield urlsplit(postgres_server)._replace(path=f"/{name}").geturl()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, home: Path) -> Place:
    """Return a place without runs of each kind."""
    return Place(home) if request.param == "sqlite" else Place(home, request.getfixturevalue("postgres_url"))


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Say:
    """Return a function that tells a figure to whoever runs the tests."""

    def write(text: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{request.node.name}: {text}\n")

    return write


@pytest.fixture
async def workers(place: Place) -> AsyncIterator[Workers]:
    async with Workers(place) as crowd:
        yield crowd


@pytest.fixture
def cluster(postgres_server: str) -> Iterator[Cluster]:
    """Return a PostgreSQL server of the test's own, which may be stopped; it is there wherever one is for the other tests."""
    with open_cluster() as own:
        yield own

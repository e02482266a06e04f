"""Databases that fail while a run is on: one sentence or a second try, nothing lost, never a hang."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.store.conftest import Rows
from tests.store.samples import make_note, make_run, say

from leadline.errors import StoreError
from leadline.store import Store, open_store
from leadline.store.bells import Bells
from leadline.store.database import Connection, Database
from leadline.store.journal import Journal
from leadline.store.ledger import DatabaseLedger
from leadline.store.migrations import upgrade
from leadline.store.sqlite import SqliteDriver


async def answer() -> str:
    return "answer"


# --- rows -------------------------------------------------------------------------------------------------------------


async def test_a_damaged_note_is_listed_with_the_reason(target: str | Path, rows: Rows) -> None:
    async with await open_store(target) as store:
        for number in range(3):
            await store.notes.create(make_note(f"n{number}", run="r1", minute=number))
        rows.change("UPDATE notes SET body = '{\"id\": 1' WHERE id = 'n1'")
        for notes in (await store.notes.list(), await store.notes.list("r1"), await store.notes.search("vacuum")):
            assert [(note.id, note.type) for note in notes] == [("n2", "summary"), ("n1", "damaged"), ("n0", "summary")]
            assert "note n1 is damaged" in notes[1].body
        with pytest.raises(StoreError, match="note n1 is damaged and cannot be read: restore"):
            await store.notes.read("n1")
        await store.notes.delete("n1")


async def test_a_damaged_or_newer_run_is_listed_with_the_reason(target: str | Path, rows: Rows) -> None:
    async with await open_store(target) as store:
        for number in range(3):
            await store.runs.save(make_run(f"r{number}", number))
        rows.change("UPDATE runs SET body = '' WHERE id = 'r0'")
        rows.change("UPDATE runs SET version = 7 WHERE id = 'r1'")
        listed = await store.runs.list()
        assert [(run.id, run.status) for run in listed] == [("r2", "running"), ("r1", "failed"), ("r0", "failed")]
        with pytest.raises(StoreError, match="saved in format 7 by a newer Leadline; this reads up to 1: upgrade"):
            await store.runs.load("r1")
        with pytest.raises(StoreError, match="run r0 is damaged"):
            await store.runs.load("r0")


async def test_a_damaged_answer_is_not_asked_for_again(target: str | Path, rows: Rows) -> None:
    async with await open_store(target) as store:
        await store.journal("r1").once("k", "search", answer)
        rows.change("UPDATE journal SET value = '{'")
        with pytest.raises(StoreError, match="call k of run r1 is damaged"):
            await store.journal("r1").once("k", "search", answer)


# --- SQLite -----------------------------------------------------------------------------------------------------------


@contextmanager
def locked(home: Path) -> Iterator[sqlite3.Connection]:
    file = sqlite3.connect(home / "leadline.db", isolation_level=None, check_same_thread=False)
    file.execute("BEGIN IMMEDIATE")
    yield file
    file.close()


async def test_a_locked_file_is_given_up_after_a_while(home: Path) -> None:
    async with await open_store(home, patience=0.2) as store:
        with locked(home):
            with pytest.raises(StoreError, match=r"keeps the store .* locked: end it, or wait for it, and try again"):
                await store.runs.save(make_run("r1"))
            assert await store.runs.list() == []
        await store.runs.save(make_run("r1"))


async def test_a_lock_that_goes_away_is_waited_for(home: Path) -> None:
    async with await open_store(home, patience=20) as store:
        with locked(home) as file:
            threading.Timer(0.3, file.rollback).start()
            await store.runs.save(make_run("r1"))
        assert (await store.runs.load("r1")).id == "r1"


class SmallDisk(SqliteDriver):
    """A file that may not grow beyond 256 KiB."""

    def connect(self) -> Connection:
        connection = super().connect()
        connection.execute("PRAGMA max_page_count = 64")
        return connection


async def test_a_full_disk_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    database = Database(SmallDisk(tmp_path / "leadline.db", 1.0))
    await upgrade(database)
    journal = Journal("r1", DatabaseLedger(database, "r1"), Bells())

    async def ask(index: int) -> None:
        await journal.once(f"k{index}", "read", lambda: asyncio.sleep(0, "x" * 10_000))

    outcomes = await asyncio.gather(*(ask(index) for index in range(40)), return_exceptions=True)
    failed = [str(outcome) for outcome in outcomes if outcome is not None]
    assert 0 < len(failed) < 40
    assert all(sentence.startswith("The disk that holds") and "is full: free some space" in sentence for sentence in failed)
    await database.close()

    async with await open_store(tmp_path) as store:
        kept = store.journal("r1")
        again = [await kept.once(f"k{index}", "read", answer) == "answer" for index in range(40)]
    assert again == [outcome is not None for outcome in outcomes]


async def test_one_work_that_fails_does_not_harm_those_committed_with_it(tmp_path: Path) -> None:
    database = Database(SqliteDriver(tmp_path / "leadline.db", 1.0))
    await upgrade(database)
    sql = "INSERT INTO pages (id, body) VALUES (?, '')"

    async def insert(name: str | None) -> None:
        await database.write(f"page {name}", lambda connection: connection.execute(sql, name))

    outcomes = await asyncio.gather(*(insert(name) for name in ("a", "b", None, "c")), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), type(None), StoreError, type(None)]
    assert await database.read(lambda connection: connection.execute("SELECT id FROM pages")) == [("a",), ("b",), ("c",)]
    await database.close()


# --- PostgreSQL -------------------------------------------------------------------------------------------------------


class Server:
    """The server of a database, as its operator has it."""

    def __init__(self, server: str, database: str) -> None:
        self._server = server
        self._name = urlsplit(database).path[1:]

    def cut(self) -> None:
        """End all connections to the database, as a restart does; workers of the server's own, such as autovacuum, stay."""
        self._run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{self._name}' AND backend_type = 'client backend'"
        )

    def allow(self, connections: bool) -> None:
        """Let connections in, or not."""
        self._run(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS {connections}")

    def _run(self, sql: str) -> None:
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(sql.encode())


@pytest.fixture
def server(postgres_server: str, postgres_database: str) -> Iterator[Server]:
    server = Server(postgres_server, postgres_database)
    yield server
    server.allow(True)


async def test_lost_connections_are_opened_again(postgres: str, server: Server) -> None:
    async with await open_store(postgres) as store:
        await store.runs.save(make_run("r1"))
        server.cut()
        assert (await store.runs.load("r1")).id == "r1"
        await store.runs.save(make_run("r2"))


async def write_calls(store: Store, run: str) -> list[object]:
    journal = store.journal(run)

    async def call(index: int) -> object:
        return await journal.once(f"k{index}", "read", lambda: asyncio.sleep(0, index), lambda _: [(f"e{index}", say(run))])

    return [await call(index) for index in range(40)]


async def test_connections_lost_in_the_middle_of_writing_lose_and_repeat_nothing(postgres: str, server: Server) -> None:
    async with await open_store(postgres) as store:
        writing = asyncio.gather(*(write_calls(store, f"r{number}") for number in range(6)))
        while not writing.done():
            await asyncio.to_thread(server.cut)
            await asyncio.wait([writing], timeout=0.15)
        assert writing.result() == [list(range(40))] * 6
        for number in range(6):
            assert [envelope.seq for envelope in await store.runs.events(f"r{number}")] == list(range(1, 41))


async def test_signals_are_sent_once_though_connections_are_lost(postgres: str, server: Server) -> None:
    async with await open_store(postgres) as store:
        await store.runs.save(make_run("r1"))
        sending = asyncio.gather(*(store.runs.signal("r1", "retry", todo=number) for number in range(60)))
        await asyncio.to_thread(server.cut)
        sent = await sending
        assert sorted(signal.seq for signal in sent) == list(range(1, 61))
        journal = store.journal("r1")
        assert [await journal.next_signal(0) for _ in range(61)] == [*sorted(sent, key=lambda signal: signal.seq), None]


async def test_a_database_that_stays_away_is_given_up_and_found_again(postgres: str, server: Server) -> None:
    async with await open_store(postgres, patience=0.3) as store:
        await store.runs.save(make_run("r1"))
        server.allow(False)
        server.cut()
        for refused in (store.runs.list(), store.runs.save(make_run("r2"))):
            with pytest.raises(StoreError, match=r"cannot be reached \(.*not currently accepting connections"):
                await refused
        server.allow(True)
        assert [run.id for run in await store.runs.list()] == ["r1"]


async def test_who_waits_is_told_when_the_database_stays_away(postgres: str, server: Server) -> None:
    async with await open_store(postgres, poll=0.02, patience=0.1) as store:
        await store.runs.save(make_run("r1"))
        waiting = asyncio.create_task(store.journal("r1").next_signal(None))
        await asyncio.wait([waiting], timeout=0.1)
        server.allow(False)
        server.cut()
        with pytest.raises(StoreError):
            await asyncio.wait_for(waiting, 10)

"""Stores that cannot be used: one sentence, status 1, nothing lost, no hang."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

Run = Callable[..., Any]

QUESTION = "How are dead rows reclaimed?"
COMMANDS = (
    ["runs", "list"],
    ["notes", "list"],
    ["worker", "--until-idle"],
    ["research", QUESTION, "--in", "manual"],
    ["research", QUESTION, "--in", "manual", "--detach"],
)


def _error(said: str) -> str:
    """The last line, which is the error."""
    *_, line = said.splitlines()
    assert line.startswith("leadline: ")
    return line


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://u:geheim@127.0.0.1/db", "mysql:// is not a store"),
        ("postgresql://u:geheim@127.0.0.1:1/db", "cannot be reached"),
        ("postgresql://u:ge/heim@127.0.0.1:5432/db", "wrong shape"),
    ],
)
def test_a_wrong_or_unreachable_url(
    leadline: Run, documents: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], url: str, says: str
) -> None:
    monkeypatch.setenv("LEADLINE_DATABASE_URL", url)
    done = leadline(*command)
    assert (done.status, done.out) == (1, "")
    assert says in _error(done.err)
    assert "heim" not in done.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_damaged_store(leadline: Run, documents: Path, home: Path, command: list[str]) -> None:
    home.mkdir()
    (home / "leadline.db").write_bytes(b"no database " * 500)
    done = leadline(*command)
    assert (done.status, done.out) == (1, "")
    assert "leadline.db is damaged" in _error(done.err)
    assert (home / "leadline.db").read_bytes() == b"no database " * 500


@pytest.mark.parametrize("command", COMMANDS[2:], ids=" ".join)
def test_damaged_books_of_the_engine(leadline: Run, documents: Path, home: Path, command: list[str]) -> None:
    before = leadline("research", QUESTION, "--in", "manual", "--quiet").out
    for name in ("engine.db-wal", "engine.db-shm"):
        (home / name).unlink(missing_ok=True)
    (home / "engine.db").write_bytes(b"no database " * 500)
    done = leadline(*command)
    assert (done.status, done.out) == (1, "")
    assert "engine.db' is damaged" in _error(done.err)
    assert "engine.db' is damaged" in leadline("doctor", "--offline").out
    shutil.move(home / "engine.db", home / "engine.db.damaged")
    if "research" in command:
        assert leadline("runs", "resume", "-q").out == before
    assert all(line.split()[1] == "complete" for line in leadline("runs", "list").out.splitlines())


def test_a_newer_schema(leadline: Run, documents: Path, home: Path) -> None:
    leadline("research", QUESTION, "--in", "manual", "--quiet")
    with closing(sqlite3.connect(home / "leadline.db")) as connection, connection:
        connection.execute("UPDATE schema_version SET version = 99")
    for command in COMMANDS:
        done = leadline(*command)
        assert (done.status, done.out) == (1, "")
        assert "schema 99" in _error(done.err)
        assert "upgrade Leadline" in done.err


def test_a_disk_that_is_full_loses_nothing(leadline: Run, documents: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk: the run begins, and what it finds does not fit."""
    leadline("research", QUESTION, "--in", "manual", "--quiet")
    kept = leadline("notes", "list").out
    largest = max(path.stat().st_size for path in (tmp_path / "home").iterdir() if path.is_file())

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    began = time.monotonic()
    command = [sys.executable, "-m", "leadline", "research", QUESTION, "--in", "manual"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", preexec_fn=limit, timeout=60)
    assert done.returncode == 1, done.stderr
    assert "disk" in _error(done.stderr)
    assert "Traceback" not in done.stderr
    assert time.monotonic() - began < 50
    assert kept in leadline("notes", "list").out
    for line in leadline("runs", "list").out.splitlines():
        name, state, *_ = line.split()
        assert state == "complete" or leadline("runs", "resume", name, "-q").status == 0


@pytest.fixture
def postgres(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the settings name an empty database of PostgreSQL."""
    server = os.environ.get("LEADLINE_TEST_POSTGRES")
    if not server:
        pytest.skip("LEADLINE_TEST_POSTGRES is not set: the URL of a PostgreSQL role that may create databases")
    name = f"leadline_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        url = urlsplit(server)._replace(path=f"/{name}").geturl()
        monkeypatch.setenv("LEADLINE_DATABASE_URL", url)
        yield url
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def test_on_postgres_all_commands_work_and_a_worker_takes_what_it_can_reach(
    postgres: str, leadline: Run, start: Run, documents: Path, home: Path
) -> None:
    done = leadline("research", QUESTION, "--in", "manual")
    assert done.status == 0, done.err
    refused = leadline("research", QUESTION, "--in", "manual", "--detach")
    assert refused.status == 2
    assert "No live worker holds" in _error(refused.err)
    assert len(leadline("runs", "list").out.splitlines()) == 1
    before = leadline("runs", "show", "--json").out
    assert "No live worker holds" in _error(leadline("runs", "retry", "--todo", "1", "--detach").err)
    assert leadline("runs", "show", "--json").out == before
    worker = start("worker")
    assert "postgresql://" in (first := worker.wait_for("takes runs"))
    assert f":{urlsplit(postgres).password}@" not in first
    taken = leadline("research", QUESTION, "--in", "manual", "--detach")
    assert taken.status == 0, taken.err
    assert leadline("runs", "watch", taken.out.strip()).status == 0
    worker.send(signal.SIGTERM)
    assert worker.finish().status == 0
    assert leadline("notes", "list", "--run", taken.out.strip()).out
    assert leadline("runs", "delete", "--yes").status == 0
    assert not (home / "leadline.db").exists()
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("UPDATE leadline.schema_version SET version = 99")
    assert "schema 99" in _error(leadline("runs", "list").err)

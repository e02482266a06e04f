"""What goes wrong beneath a run: the database restarts, its disk fills up, the clock jumps."""

import asyncio
import datetime as dt
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.engine.actors import until
from tests.engine.cluster import Cluster, own
from tests.engine.crowd import Say, Workers, all_ended, make_run, read_calls

from leadline.engine import Place, open_books
from leadline.errors import StoreError
from leadline.store import open_store

FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")


async def test_runs_survive_restarts_of_the_database(cluster: Cluster, home: Path, say: Say) -> None:
    place = Place(home, cluster.url)
    log = home / "calls.log"
    names = [f"run{number}" for number in range(4)]
    async with Workers(place) as workers, await open_store(cluster.url) as store, open_books(place) as books:
        for _ in range(2):
            await workers.start()
        await until(workers.ready)
        for name in names:
            await make_run(store, name)
            await books.submit(name)
        for how in ("fast", "immediate", "immediate"):
            before = read_calls(log).begun.total()
            await until(lambda before=before: read_calls(log).begun.total() > before)
            await asyncio.to_thread(cluster.stop, how)
            await asyncio.to_thread(cluster.start)
        await until(lambda: all_ended(store, names), seconds=180)
        assert await workers.stop() == [0, 0]
        assert {(await store.runs.load(name)).status for name in names} == {"complete"}
    calls = read_calls(log)
    say(
        f"3 restarts, {calls.begun.total()} calls begun, in the window of the commit: {calls.repeated_in_window},"
        f" half done: {calls.repeated_half_done}"
    )
    assert calls.repeated_when_kept == []
    assert {key: found for key, found in calls.digests.items() if len(found) > 1} == {}


@pytest.fixture
def small_disk(cluster: Cluster) -> Iterator[Path]:
    """Return a file system of 24 MB that the server may put a database on; making a database takes 8 of them."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    folder = cluster.folder / "small"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)], check=True)
    try:
        own(folder)
        yield folder
    finally:
        cluster.stop("immediate")
        subprocess.run(["umount", str(folder)], check=True)


async def test_a_full_disk_of_the_database_loses_nothing_that_was_saved(cluster: Cluster, small_disk: Path) -> None:
    with psycopg.connect(cluster.url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'".encode())
        connection.execute("CREATE DATABASE small TABLESPACE small")
    url = cluster.url.removesuffix("/postgres") + "/small"
    outcomes: list[object] = []
    async with await open_store(url) as store:
        await make_run(store, "r1")
        journal = store.journal("r1")

        async def ask(index: int) -> None:
            noise = os.urandom(200_000).hex()
            await journal.once(f"k{index}", "read", lambda: asyncio.sleep(0, noise))

        for index in range(80):
            outcomes += await asyncio.gather(ask(index), return_exceptions=True)
        failed = {str(outcome) for outcome in outcomes if outcome is not None}
        assert 0 < sum(outcome is None for outcome in outcomes) < 80
        assert failed == {
            f"The disk of PostgreSQL at postgresql://postgres@127.0.0.1:{cluster.port}/small is full:"
            " free some space and resume; what was saved is safe."
        }
        assert all(isinstance(outcome, StoreError) for outcome in outcomes if outcome is not None)
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    async with await open_store(url) as store:
        kept = store.journal("r1")
        again = [await kept.once(f"k{index}", "read", lambda: asyncio.sleep(0, "anew")) == "anew" for index in range(80)]
    assert again == [outcome is not None for outcome in outcomes]


async def test_runs_survive_a_clock_that_jumps(place: Place, home: Path, workers: Workers) -> None:
    if not FAKETIME.exists():
        pytest.skip("faketime is not installed: the library that makes a process see another time")
    offset = home / "offset"
    log = home / "calls.log"
    workers.environment = {
        "LD_PRELOAD": str(FAKETIME),
        "FAKETIME_TIMESTAMP_FILE": str(offset),
        "FAKETIME_CACHE_DURATION": "0",
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    offset.write_text("+0", encoding="utf-8")
    names = [f"run{number}" for number in range(4)]
    async with await open_store(place.database_url or place.home) as store, open_books(place) as books:
        await workers.start()
        for name in names:
            await make_run(store, name)
            await books.submit(name)
        for jump in ("+2d", "-2d", "+1h"):
            before = read_calls(log).begun.total()
            await until(lambda before=before: read_calls(log).begun.total() > before)
            offset.write_text(jump, encoding="utf-8")
        await until(lambda: all_ended(store, names))
        assert await workers.stop() == [0]
        assert {(await store.runs.load(name)).status for name in names} == {"complete"}
        ended = [run.ended for run in [await store.runs.load(name) for name in names]]
        now = dt.datetime.now(dt.UTC)
        assert all(moment is not None and moment - now > dt.timedelta(minutes=50) for moment in ended)
    assert set(read_calls(log).begun.values()) == {1}

"""kill -9 at any moment: every run goes on, and nothing that was kept is done again.

LEADLINE_TEST_KILLS is the number of kills per store (10), LEADLINE_TEST_SEED that of their moments (1).
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
from tests.engine.actors import until
from tests.engine.crowd import Begun, Say, Workers, all_ended, make_run, read_calls
from tests.engine.worker import POISON

from leadline.engine import Place, open_books
from leadline.engine.books import Books
from leadline.events import PointEvent, ReportEvent
from leadline.store import Store, open_store

KILLS = int(os.environ.get("LEADLINE_TEST_KILLS", "10"))
SEED = int(os.environ.get("LEADLINE_TEST_SEED", "1"))
AT_ONCE = 8


class Reader:
    """Follows a run's events, and breaks off and comes back at random."""

    def __init__(self, store: Store, run: str, moments: random.Random) -> None:
        self._store = store
        self._run = run
        self._moments = moments
        self.seen: list[int] = []
        self.breaks = 0

    async def follow(self) -> None:
        while not await self._listen(self._moments.randrange(1, 12)):
            self.breaks += 1

    async def _listen(self, at_most: int) -> bool:
        """Take some events in, and say whether the run has ended."""
        watching = self._store.runs.watch(self._run, after=self.seen[-1] if self.seen else 0)
        async with _closed(watching):
            async for envelope in watching:
                self.seen.append(envelope.seq)
                at_most -= 1
                if at_most == 0:
                    return False
        return True


@asynccontextmanager
async def _closed(watching: AsyncIterator[object]) -> AsyncIterator[None]:
    try:
        yield
    finally:
        await watching.aclose()  # type: ignore[attr-defined]


def _names(prefix: str) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"{prefix}{number:03}"


async def test_runs_survive_kill_9(place: Place, workers: Workers, say: Say) -> None:
    moments = random.Random(SEED)
    log = place.home / "calls.log"
    begun = Begun(log)
    names = _names("run")
    readers: dict[str, tuple[Reader, asyncio.Task[None]]] = {}
    async with await open_store(place.database_url or place.home) as store, open_books(place) as books:

        async def keep_busy() -> None:
            """Have eight runs at work or waiting."""
            for _ in range(AT_ONCE - sum(not task.done() for _, task in readers.values())):
                name = next(names)
                await make_run(store, name)
                await books.submit(name)
                reader = Reader(store, name, moments)
                readers[name] = (reader, asyncio.create_task(reader.follow()))

        async def has_begun(before: int) -> bool:
            """Whether calls were begun since; with work for every worker meanwhile."""
            await keep_busy()
            return begun.count() > before

        await keep_busy()
        for _ in range(1 if place.database_url is None else 2):
            await workers.start()
        for _ in range(KILLS):
            before = begun.count()
            await until(lambda before=before: has_begun(before))
            await asyncio.sleep(moments.uniform(0, 1.5))
            await workers.kill(moments.choice(workers.processes))
            await workers.start()
        async with asyncio.timeout(300):
            await asyncio.gather(*(task for _, task in readers.values()))
        await until(lambda: _all_written_down(books))
        assert await workers.stop() == [0] * len(workers.processes)
        await _check_events(store, {name: reader for name, (reader, _) in readers.items()})
        assert await books.interrupted() == []
    calls = read_calls(log)
    say(
        f"{KILLS} kills, {len(readers)} runs, {calls.begun.total()} calls begun; repeated although kept:"
        f" {len(calls.repeated_when_kept)}, in the window of the commit: {calls.repeated_in_window},"
        f" half done: {calls.repeated_half_done}"
    )
    assert calls.repeated_when_kept == []
    assert {key: found for key, found in calls.digests.items() if len(found) > 1} == {}


async def _all_written_down(books: Books) -> bool:
    """Whether the engine has written down as well that the runs have ended."""
    return await books.count_open() == 0


async def _check_events(store: Store, readers: dict[str, Reader]) -> None:
    for name, reader in readers.items():
        run = await store.runs.load(name)
        assert (run.status, run.reason) == ("complete", "")
        events = await store.runs.events(name)
        assert reader.seen == [envelope.seq for envelope in events] == list(range(1, len(events) + 1))
        reports = [envelope.event.report for envelope in events if isinstance(envelope.event, ReportEvent)]
        assert run.report is not None
        assert reports[-1:] == [run.report]
        assert run.points
        assert {e.event.point.id for e in events if isinstance(e.event, PointEvent)} >= {point.id for point in run.points}
    assert sum(reader.breaks for reader in readers.values()) > len(readers)


async def test_four_processes_side_by_side_on_one_place(place: Place, workers: Workers) -> None:
    names = [f"run{number}" for number in range(8)]
    async with await open_store(place.database_url or place.home) as store, open_books(place) as books:
        for name in names:
            await make_run(store, name)
        for name in names[:6]:
            await books.submit(name)
        serving = [await workers.start(role) for role in ("serve", "worker")]
        searching = [await workers.start("research", name) for name in names[6:]]
        async with asyncio.timeout(180):
            for process in searching:
                assert await process.wait() == 0
                workers.processes.remove(process)
            await until(lambda: all_ended(store, names), seconds=180)
        assert await workers.stop() == [0] * len(serving)
        assert {(await store.runs.load(name)).status for name in names} == {"complete"}
    calls = read_calls(place.home / "calls.log")
    assert set(calls.begun.values()) == {1}


async def test_a_dead_workers_run_is_taken_by_another(place: Place, workers: Workers, say: Say) -> None:
    log = place.home / "calls.log"
    async with await open_store(place.database_url or place.home) as store, open_books(place) as books:
        for role in ("worker", "serve"):
            await workers.start(role)
        await until(lambda: read_calls(log).ready == 2)
        await make_run(store, "run1")
        await books.submit("run1")
        await until(lambda: bool(read_calls(log).begun))
        busy = int(log.read_text(encoding="utf-8").splitlines()[-1].split(" ")[1])
        await workers.kill(next(process for process in workers.processes if process.pid == busy))
        died = asyncio.get_running_loop().time()
        before = read_calls(log).begun.total()
        await until(lambda: read_calls(log).begun.total() > before)
        taken = asyncio.get_running_loop().time() - died
        say(f"taken {taken:.2f} s after its worker was killed")
        await until(lambda: all_ended(store, ["run1"]))
    assert read_calls(log).repeated_when_kept == []


async def test_a_worker_told_to_end_leaves_and_its_run_goes_on(place: Place, workers: Workers, say: Say) -> None:
    log = place.home / "calls.log"
    async with await open_store(place.database_url or place.home) as store, open_books(place) as books:
        await workers.start("serve")
        await make_run(store, "run1")
        await books.submit("run1")
        await until(lambda: bool(read_calls(log).begun))
        began = asyncio.get_running_loop().time()
        assert await workers.stop() == [0]
        say(f"ended {asyncio.get_running_loop().time() - began:.2f} s after it was told to")
        assert await books.interrupted() == ["run1"]
        assert (await store.runs.load("run1")).status == "running"
        workers.processes.clear()
        await workers.start("serve")
        await until(lambda: all_ended(store, ["run1"]))
    assert read_calls(log).repeated_when_kept == []


async def test_runs_survive_the_loss_of_all_connections(postgres_url: str, home: Path, say: Say) -> None:
    place = Place(home, postgres_url)
    log = home / "calls.log"
    names = [f"run{number}" for number in range(4)]
    async with Workers(place) as workers, await open_store(postgres_url) as store, open_books(place) as books:
        for _ in range(2):
            await workers.start()
        for name in names:
            await make_run(store, name)
            await books.submit(name)
        for _ in range(3):
            before = read_calls(log).begun.total()
            await until(lambda before=before: read_calls(log).begun.total() > before)
            with psycopg.connect(postgres_url, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
                )
        await until(lambda: all_ended(store, names), seconds=180)
        assert await workers.stop() == [0, 0]
        assert {(await store.runs.load(name)).status for name in names} == {"complete"}
    calls = read_calls(log)
    say(f"{calls.begun.total()} calls begun, {calls.repeated_half_done} repeated half done")
    assert calls.repeated_when_kept == []


async def test_a_run_that_ends_every_process_is_given_up_and_others_are_not(place: Place, workers: Workers) -> None:
    async with await open_store(place.database_url or place.home) as store, open_books(place) as books:
        await make_run(store, "poison", POISON)
        await make_run(store, "run1")
        await books.submit("poison")
        await books.submit("run1")
        for _ in range(10):
            process = await workers.start(attempts=3)
            ended = asyncio.create_task(until(lambda: all_ended(store, ["poison", "run1"])))
            await asyncio.wait({ended, asyncio.create_task(process.wait())}, return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                break
            ended.cancel()
            workers.processes.remove(process)
        poison = await store.runs.load("poison")
        assert poison.reason == "Run poison was given up after 3 attempts: its process died each time."
        assert (await store.runs.load("run1")).status == "complete"

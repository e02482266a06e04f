"""What durability costs: 200 runs at once of 12 calls of a second, idle workers, and what a second worker brings.

Needs `LEADLINE_TEST_POSTGRES`, the URL of a PostgreSQL role that may create databases (`.ci/postgres` prints one).
"""

import asyncio
import os
import resource
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from bench.figures import Figure, print_figures
from leadline.engine import Limits, Place, open_books, open_engine
from leadline.events import StatusEvent
from leadline.ports import Journal
from leadline.store import open_store

RUNS = 200
CALLS = 12
SECONDS = 1.0
IDLE_SECONDS = 20.0
SHARED_RUNS, SLOTS = 40, 4


async def work(journal: Journal, calls: int = CALLS) -> None:
    """Make calls of a second one after the other, with an event before and after each."""

    async def call() -> str:
        await asyncio.sleep(SECONDS)
        return "answer"

    for number in range(calls):
        await journal.emit(StatusEvent(message=f"Asking {number}"), f"before:{number}")
        await journal.once(f"call:{number}", "summarise", call)
        await journal.emit(StatusEvent(message=f"Asked {number}"), f"after:{number}")


async def time_in_memory() -> float:
    """Return the seconds that all runs take without anything durable."""
    async with await open_store(None) as store:
        began = time.perf_counter()
        await asyncio.gather(*(work(store.journal(f"run{number}")) for number in range(RUNS)))
        return time.perf_counter() - began


async def time_durable(place: Place, waiting: bool = False) -> float:
    """Return the seconds that all runs take.

    Args:
        place: where to.
        waiting: whether the runs are in the queue already when the worker comes; otherwise submitting them counts too.
    """
    left = RUNS
    finished = asyncio.Event()
    names = [f"run{number}{waiting}" for number in range(RUNS)]

    async def perform(run: str) -> None:
        nonlocal left
        await work(store.journal(run))
        left -= 1
        if left == 0:
            finished.set()

    if waiting:
        async with open_books(place) as books:
            for name in names:
                await books.submit(name)
    async with await open_store(place.database_url or place.home) as store:
        began = time.perf_counter()
        async with open_engine(place, "worker", perform, give_up, limits=Limits(per_process=RUNS)) as engine:
            if not waiting:
                began = time.perf_counter()
                for name in names:
                    await engine.books.submit(name)
            await finished.wait()
            return time.perf_counter() - began


async def give_up(run: str, reason: str) -> None:
    raise AssertionError(f"{run}: {reason}")


async def measure_idle(place: Place) -> float:
    """Return the share of a core that a worker without runs uses."""

    async def perform(run: str) -> None: ...

    async with await open_store(place.database_url or place.home), open_engine(place, "worker", perform, give_up):
        await asyncio.sleep(2)  # what opening leaves to do
        before = time.process_time()
        await asyncio.sleep(IDLE_SECONDS)
        return (time.process_time() - before) / IDLE_SECONDS


async def serve(place: Place) -> None:
    """Work on the runs of `time_workers` until the input ends."""
    async with await open_store(place.database_url or place.home) as store:

        async def perform(run: str) -> None:
            await work(store.journal(run), calls=2)
            print(run, flush=True)

        async with open_engine(place, "worker", perform, give_up, limits=Limits(per_process=SLOTS)):
            print("ready", flush=True)
            await asyncio.to_thread(sys.stdin.read)


async def time_workers(place: Place, count: int) -> float:
    """Return the seconds that some worker processes take for runs that their slots bound."""
    processes = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.engine", "serve", str(place.home), place.database_url or ""),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        for _ in range(count)
    ]
    outputs = [process.stdout for process in processes if process.stdout]
    for output in outputs:
        await output.readline()
    async with open_books(place) as books:
        began = time.perf_counter()
        for number in range(SHARED_RUNS):
            await books.submit(f"{count}workers{number}")
        lines: asyncio.Queue[bytes] = asyncio.Queue()
        listening = [asyncio.create_task(_pass_on(output, lines)) for output in outputs]
        for _ in range(SHARED_RUNS):
            await lines.get()
        seconds = time.perf_counter() - began
    for process in processes:
        assert process.stdin
        process.stdin.close()
        await process.wait()
    await asyncio.gather(*listening)
    return seconds


async def _pass_on(output: asyncio.StreamReader, lines: "asyncio.Queue[bytes]") -> None:
    while line := await output.readline():
        lines.put_nowait(line)


def measure_size(home: Path) -> float:
    """Return the bytes that a run takes on disk."""
    return sum(path.stat().st_size for path in home.rglob("*") if path.is_file()) / RUNS


@contextmanager
def a_database() -> Iterator[str]:
    """Give the URL of a new PostgreSQL database."""
    server = os.environ.get("LEADLINE_TEST_POSTGRES")
    if not server:
        raise SystemExit("LEADLINE_TEST_POSTGRES is not set: the URL of a PostgreSQL role that may create databases.")
    name = f"leadline_bench_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def measure() -> list[Figure]:
    """Run all of it."""
    with tempfile.TemporaryDirectory() as folder, a_database() as url:
        sqlite, postgres = Place(Path(folder, "home")), Place(Path(folder, "none"), url)
        memory = asyncio.run(time_in_memory())
        on_sqlite = asyncio.run(time_durable(sqlite))
        size = measure_size(sqlite.home)
        waiting = asyncio.run(time_durable(sqlite, waiting=True))
        on_postgres = asyncio.run(time_durable(postgres))
        one, two = (asyncio.run(time_workers(postgres, count)) for count in (1, 2))
        print(f"in memory {memory:.2f} s; one worker {one:.2f} s, two {two:.2f} s; most memory {_most_memory():.0f} MB\n")
        return [
            Figure("runs200_sqlite_s", on_sqlite, 13.5),
            Figure("runs200_postgres_s", on_postgres, 14.5),
            Figure("durable_over_memory", waiting / memory, 1.05),
            Figure("two_workers_speedup", one / two, 1.8, "more"),
            Figure("idle_cpu_sqlite", asyncio.run(measure_idle(sqlite)), 0.06),
            Figure("idle_cpu_postgres", asyncio.run(measure_idle(postgres)), 0.12),
            Figure("bytes_per_run", size, 100_000),
        ]


def _most_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve(Place(Path(sys.argv[2]), sys.argv[3] or None)))
    else:
        print_figures(measure())

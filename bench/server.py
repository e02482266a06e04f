"""How quickly the server listens, and what it costs to have many look on: `python -m bench.server`.

500 viewers follow 20 runs. The server is a process of its own that carries the runs out, as `leadline serve` does; an event is
late by the time from when the run says it to when a viewer has it.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from bench.figures import Figure, print_figures
from bench.page import measure_page, save_report
from leadline.clock import SystemClock
from leadline.desk import Desk, open_desk
from leadline.engine import Limits
from leadline.events import DoneEvent, StatusEvent
from leadline.records import Request, Run
from leadline.server.access import Access
from leadline.server.serving import bound, serve
from leadline.settings import Settings
from leadline.wiring import make_run

VIEWERS, RUNS = 500, 20
EVENTS, PAUSE = 50, 0.2
"""Events of each run, and the seconds between two: a run over a library says about as much."""
FILLING = "x" * 400
"""A point with its evidence has about this length."""
TRIES = 3


# --- the process that serves ------------------------------------------------------------------------------------------


async def speak(desk: Desk, run: Run, number: int) -> None:
    """Say what a run says, with the time in it."""
    journal = desk.store.journal(run.id)
    await asyncio.sleep(PAUSE * number / RUNS)
    for place in range(EVENTS):
        await journal.emit(StatusEvent(message=f"{time.time()} {FILLING}"), f"event:{place}")
        await asyncio.sleep(PAUSE)
    await journal.emit(DoneEvent(status="complete"), "done")
    await desk.store.runs.save(run.model_copy(update={"status": "complete", "ended": SystemClock().now()}))


async def serve_runs(home: Path) -> None:
    """Serve runs that begin to speak when a line comes on stdin, and print the cores that this has taken."""
    ready, stopped = asyncio.Event(), asyncio.Event()
    with bound("127.0.0.1", 0) as opened:
        async with open_desk(Settings(home=home)) as desk:
            runs = [make_run(Request(topic=f"Question {n}?")) for n in range(RUNS)]
            for run in runs:
                await desk.store.runs.save(run)
            serving = asyncio.create_task(serve(desk, Access(), opened, Limits(), lambda run: None, stopped, ready.set))
            await ready.wait()
            report = await save_report(desk)
            told = {"port": opened.getsockname()[1], "runs": [run.id for run in runs], "report": report}
            print(json.dumps(told), flush=True)
            await asyncio.to_thread(sys.stdin.readline)
            began, used = time.perf_counter(), time_used()
            await asyncio.gather(*(speak(desk, run, number) for number, run in enumerate(runs)))
            print(json.dumps((time_used() - used) / (time.perf_counter() - began)), flush=True)
            await asyncio.to_thread(sys.stdin.readline)
            stopped.set()
            await serving


def time_used() -> float:
    """Return the seconds of processor time of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


# --- those who look on ------------------------------------------------------------------------------------------------


async def view(port: int, run: str, connected: asyncio.Event) -> list[float]:
    """Follow a run to its end, and return by how much each event was late, in milliseconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    writer.write(f"GET /api/v1/runs/{run}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 200 " in head, head
    connected.set()
    late, numbers = [], []
    while line := await reader.readline():
        if line.startswith(b"id: "):
            numbers.append(int(line[4:]))
        elif line.startswith(b'data: {"type":"status"'):
            late.append((time.time() - float(json.loads(line[6:])["message"].split()[0])) * 1000)
        elif line.startswith(b"0\r"):
            break
    writer.close()
    assert numbers == list(range(1, EVENTS + 2)), f"{run}: not every event once: {numbers}"
    return late


async def view_all(port: int, runs: Sequence[str], begin: IO[str]) -> list[float]:
    """Let all look on, and return how late their events were, in order."""
    connected = [asyncio.Event() for _ in range(VIEWERS)]
    viewers = [asyncio.create_task(view(port, runs[n % len(runs)], event)) for n, event in enumerate(connected)]
    for event in connected:
        await event.wait()
    begin.write("\n")
    begin.flush()
    return sorted(ms for late in await asyncio.gather(*viewers) for ms in late)


def measure_viewers() -> list[Figure]:
    """Return how late events are at the 95th percentile, the cores that the server takes, and what a report's page costs."""
    with tempfile.TemporaryDirectory() as home, started([sys.executable, "-m", "bench.server", home]) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        told: dict[str, Any] = json.loads(server.stdout.readline())
        late = asyncio.run(view_all(told["port"], told["runs"], server.stdin))
        cores = float(server.stdout.readline())
        report_ms, page_kb = measure_page(f"http://127.0.0.1:{told['port']}/runs/{told['report']}", TRIES)
        server.stdin.write("\n")
        server.stdin.flush()
    print(f"{len(late):,} events of {VIEWERS} viewers on {RUNS} runs, each once; median {late[len(late) // 2]:.0f} ms late")
    return [
        Figure("report40_ms", report_ms, 200),
        Figure("page_kb", page_kb, 100),
        Figure("viewers500_p95_ms", late[int(len(late) * 0.95)], 250),
        Figure("viewers500_cores", cores, 1),
    ]


def measure_start() -> float:
    """Return the seconds from starting `leadline serve` to its first answer; of some tries the best."""
    return min(time_start() for _ in range(TRIES))


def time_start() -> float:
    """Return the seconds of one start."""
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        command = [sys.executable, "-m", "leadline", "serve", "--port", "0"]
        with started(command, LEADLINE_HOME=home) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline().rstrip("/\n").rsplit(":", 1)[1])
            asyncio.run(ask(port))
            return time.perf_counter() - began


async def ask(port: int) -> None:
    """Ask once whether the server lives."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b" 200 " in await reader.readline()
    writer.close()


@contextmanager
def started(command: list[str], **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a process for the block."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env={**os.environ, **environment}, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def main() -> None:
    """Measure and print."""
    if len(sys.argv) > 1:
        asyncio.run(serve_runs(Path(sys.argv[1])))
        return
    print_figures([*measure_viewers(), Figure("listening_s", measure_start(), 2)])


if __name__ == "__main__":
    main()

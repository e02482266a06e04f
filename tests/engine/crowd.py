"""The worker processes of the crash suite, and what their log says."""

import asyncio
import datetime as dt
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from tests.engine.actors import until
from tests.engine.worker import run
from tests.forks import Forked

from leadline.clock import SystemClock
from leadline.engine import Place, Role
from leadline.records import Request, Run, Topic
from leadline.store import Store

ROOT = Path(__file__).parents[2]
Say = Callable[[str], None]
Process = asyncio.subprocess.Process | Forked


@dataclass
class Calls:
    """What the workers' log says."""

    begun: Counter[str] = field(default_factory=Counter)
    digests: dict[str, set[str]] = field(default_factory=dict)
    repeated_when_kept: list[str] = field(default_factory=list)
    repeated_in_window: int = 0
    repeated_half_done: int = 0
    ready: int = 0


def read_calls(path: Path) -> Calls:
    """Judge each call that was begun more than once by how far it had come before."""
    calls = Calls()
    last: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        what, _, key, digest = line.split(" ")
        if what == "ready":
            calls.ready += 1
            continue
        if what in ("kept", "met"):
            calls.digests.setdefault(key, set()).add(digest)
        if what == "begun":
            calls.begun[key] += 1
            match last.get(key):
                case "kept" | "met":
                    calls.repeated_when_kept.append(key)
                case "ended":
                    calls.repeated_in_window += 1
                case "begun":
                    calls.repeated_half_done += 1
        last[key] = what
    return calls


class Begun:
    """Counts the calls begun so far, reading each line of the log once: a long one is looked at many times a second."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._count = 0

    def count(self) -> int:
        if self._path.exists():
            with self._path.open("rb") as log:
                log.seek(self._read)
                fresh = log.read()
            whole = fresh[: fresh.rfind(b"\n") + 1]
            self._read += len(whole)
            self._count += sum(line.startswith(b"begun ") for line in whole.splitlines())
        return self._count


@dataclass
class Workers:
    """The processes that are killed, at the latest when the block ends: one left behind fails whatever test comes later."""

    place: Place
    environment: Mapping[str, str] = field(default_factory=dict)
    processes: list[Process] = field(default_factory=list)

    async def __aenter__(self) -> Self:
        self.place.home.mkdir(exist_ok=True)
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in list(self.processes):
            if process.returncode is None:
                await self.kill(process)

    async def start(self, role: Role = "worker", own: str = "", attempts: int = 1_000) -> Process:
        """Start one; runs have many attempts, for it is not they who kill it."""
        arguments = [str(self.place.home), self.place.database_url or "", role, str(attempts), own]
        if self.environment:  # it names what only a fresh process loads before all else
            environment = {**os.environ, **self.environment, "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-m", "tests.engine.worker", *arguments]
            process: Process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment)
        else:
            process = Forked(run, *arguments)
        self.processes.append(process)
        return process

    async def kill(self, process: Process) -> None:
        process.kill()
        await process.wait()
        self.processes.remove(process)

    def ready(self) -> bool:
        """Whether all have come as far as to hear that they shall end."""
        log = self.place.home / "calls.log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        heard = {line.split(" ")[1] for line in lines if line.startswith("ready ")}
        return {str(process.pid) for process in self.processes if process.returncode is None} <= heard

    async def stop(self) -> list[int | None]:
        await until(self.ready)
        for process in self.processes:
            if process.returncode is None:
                process.terminate()
        async with asyncio.timeout(180):
            for process in self.processes:
                await process.wait()
        return [process.returncode for process in self.processes]


async def make_run(store: Store, name: str, text: str = "What is on a boat?") -> None:
    topic = Topic(text=text, language="en", today=dt.date(2026, 11, 30))
    request = Request(topic=topic.text, sources=("fakes",), todos=5)
    await store.runs.save(Run(id=name, request=request, topic=topic, created=SystemClock().now()))


async def all_ended(store: Store, names: list[str]) -> bool:
    return all([(await store.runs.load(name)).status != "running" for name in names])

"""A worker process for the crash suite: does runs over fakes that are slow and costly, and writes down every call.

Each line of its log is written at once: `begun` and `ended` around a call, `kept` with a digest once the journal has
returned its answer as recorded by this process, `met` with a digest when the journal had the answer already.
"""

import asyncio
import hashlib
import json
import os
import random
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from pydantic import JsonValue

from leadline.clock import SystemClock
from leadline.engine import Limits, Place, Role, open_engine
from leadline.events import DoneEvent, ErrorEvent, Event
from leadline.pipeline.crew import Crew, Origin
from leadline.pipeline.loop import conduct
from leadline.ports import Journal
from leadline.records import Draft, Hit, Passage, Query, Run, Signal, Todo, Topic
from leadline.store import Store, open_store
from leadline.testing import Corpus, ScriptedAnalyst

SENTENCES = 40
TEXTS = {
    f"{name}.md": " ".join(f"The {name} has property {number} of {name}." for number in range(SENTENCES))
    for name in ("anchor", "buoy", "compass", "dinghy", "ensign")
}
TODOS = [Todo(id=number, title=f"About the {name[:-3]}", query=name[:-3]) for number, name in enumerate(sorted(TEXTS), start=1)]
POISON = "What ends whoever asks?"
PAID = ("plan", "search", "todo")
"""Kinds of calls that cost something. A point is looked for before it is kept, and costs nothing."""

SLOWEST, FASTEST = 0.3, 0.05


async def work_slowly() -> None:
    await asyncio.sleep(random.uniform(FASTEST, SLOWEST))  # not seeded: a repeated call answers otherwise


class SlowCorpus(Corpus):
    """A corpus that takes its time."""

    async def search(self, query: Query) -> Sequence[Hit]:
        await work_slowly()
        return await super().search(query)


class FickleAnalyst(ScriptedAnalyst):
    """An analyst that says something else each time it is asked."""

    async def summarise(self, topic: Topic, todo: Todo, passages: Sequence[Passage], at_most: int):  # type: ignore[no-untyped-def]
        prose = [passage for passage in passages if passage.kind == "prose"]
        for passage in random.sample(prose, min(at_most, 4)):
            await work_slowly()
            yield Draft(text=passage.text, cites=(passage.label,))


class Log:
    """The log file of all workers."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def write(self, what: str, key: str, value: object = None) -> None:
        digest = hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]
        os.write(self._file, f"{what} {os.getpid()} {key.replace(' ', '_')} {digest}\n".encode())


class CountingJournal:
    """A journal that writes down what is called and what is kept."""

    def __init__(self, journal: Journal, run: str, log: Log) -> None:
        self._journal = journal
        self._run = run
        self._log = log

    async def once(self, key: str, kind: str, call: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        name = f"{self._run}/{key}"
        called = False

        async def counted() -> JsonValue:
            nonlocal called
            called = True
            if kind not in PAID:
                return await call()
            self._log.write("begun", name)
            answer = await call()
            self._log.write("ended", name)
            return answer

        value = await self._journal.once(key, kind, counted)
        self._log.write("kept" if called else "met", name, value)
        return value

    async def emit(self, event: Event, key: str) -> int:
        return await self._journal.emit(event, key)

    async def next_signal(self, timeout: float | None) -> Signal | None:
        return await self._journal.next_signal(timeout)


def assemble(run: Run, store: Store, log: Log) -> Crew:
    corpus = SlowCorpus(TEXTS)
    return Crew(
        analyst=FickleAnalyst(TODOS),
        search=corpus,
        reader=corpus,
        journal=CountingJournal(store.journal(run.id), run.id, log),
        notes=store.notes,
        snapshots=store.snapshots(run.id),
        clock=SystemClock(),
        origin=Origin(name="fakes", languages={"en": 1.0}),
    )


async def work(home: Path, url: str | None, role: Role, attempts: int, own: str | None) -> None:
    """Work until SIGTERM; a `research` process until its own run has ended."""
    log = Log(home / "calls.log")
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    async with await open_store(url or home) as store:

        async def perform(name: str) -> None:
            run = await store.runs.load(name)
            if run.topic.text == POISON:
                os.kill(os.getpid(), signal.SIGKILL)
            outcome = await conduct(run.id, run.topic, run.request, assemble(run, store, log))
            done = {"status": outcome.status, "plan": outcome.plan, "report": outcome.report, "ended": SystemClock().now()}
            await store.runs.save(run.model_copy(update=done))

        async def give_up(name: str, reason: str) -> None:
            run = await store.runs.load(name)
            await store.journal(name).emit(ErrorEvent(message=reason), "error")
            await store.journal(name).emit(DoneEvent(status="failed"), "done")
            update = {"status": "failed", "reason": reason, "ended": SystemClock().now()}
            await store.runs.save(run.model_copy(update=update))

        async def progress(name: str) -> int:
            return len(await store.runs.events(name))

        place, limits = Place(home, url), Limits(per_process=8)
        async with open_engine(place, role, perform, give_up, limits=limits, progress=progress, attempts=attempts) as engine:
            log.write("ready", role)
            await (engine.carry_out(own) if own else stopping.wait())


def run(folder: str, database: str, role: Role, attempts: str, own: str) -> None:
    asyncio.run(work(Path(folder), database or None, role, int(attempts), own or None))


if __name__ == "__main__":
    run(*sys.argv[1:])  # type: ignore[arg-type]

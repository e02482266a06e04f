"""`leadline runs watch`: the events of a run, from whatever process they come."""

import asyncio
import signal
import time
from collections.abc import Callable

from leadline.cli.attending import STATUS
from leadline.cli.closing import closing_lines
from leadline.cli.finding import find_run
from leadline.cli.interrupts import heard
from leadline.cli.progress import Progress, open_progress, speak
from leadline.cli.streams import complain, put, say
from leadline.desk import Desk, open_desk
from leadline.engine import open_books
from leadline.events import Envelope
from leadline.records import Run
from leadline.settings import load_settings

LOOK = 2.0
"""Seconds between two looks at who has the run."""

LOST = 2
"""Looks in a row that find a run in nobody's hands, after which watching ends: whoever is there takes it within one."""

LONELY = 15
"""Looks that find it waiting for a worker when none lives: one that was just started is there within two or three."""


async def watch_run(name: str | None, in_json: bool) -> int:
    """Follow a run to its end and return its exit status."""
    began = time.monotonic()
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        with open_progress(in_json) as progress:
            progress.words = speak(run.topic.language)
            tell = _put if in_json else progress.show
            why = await _follow(desk, run, tell, progress)
        run = await desk.store.runs.load(run.id)
    if why:
        complain(why)
        return STATUS["cancelled"] if why == _LEFT else STATUS["failed"]
    for line in [] if in_json else closing_lines(run, (), time.monotonic() - began, verbose=False):
        say(line)
    if run.status == "failed":
        complain(run.reason or "the run failed.")
    return STATUS[run.status]


def _put(envelope: Envelope) -> None:
    put(envelope.model_dump_json())


_LEFT = "stopped watching; the run goes on."


async def _follow(desk: Desk, run: Run, tell: Callable[[Envelope], None], progress: Progress) -> str:
    """Tell of events until the run has ended; return why that was not waited for, "" if it was."""

    async def follow() -> str:
        async for envelope in desk.store.runs.watch(run.id):
            tell(envelope)
        return ""

    work = [asyncio.create_task(follow())]
    if run.status == "running":
        work.append(asyncio.create_task(_look_after(desk, run, progress)))
    stopped = asyncio.Event()
    work.append(asyncio.create_task(_wait(stopped)))
    try:
        with heard([signal.SIGINT], stopped.set):
            done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        return next(task for task in work if task in done).result()
    finally:
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)


async def _wait(stopped: asyncio.Event) -> str:
    await stopped.wait()
    return _LEFT


async def _look_after(desk: Desk, run: Run, progress: Progress) -> str:
    """Return why it is of no use to go on waiting, once that is so for a while: nobody has the run, or will take it."""
    lost = lonely = 0
    async with open_books(desk.place) as books:
        while lost < LOST and lonely < LONELY:
            state = await books.state(run.id)
            waits = state == "queued" and not any(peer.role != "research" for peer in await books.peers())
            lost = lost + 1 if state not in ("queued", "working") else 0
            lonely = lonely + 1 if waits else 0
            if lonely == LOST:
                progress.remark("It waits for a worker, and none lives: leadline worker")
            await asyncio.sleep(LOOK)
    if lost:
        return f"run {run.id} was interrupted and nobody has taken it: leadline runs resume {run.id}"
    return f"run {run.id} waits for a worker, and none lives: leadline worker"

"""`leadline worker`: a process that takes runs from the queue."""

import asyncio
import datetime as dt
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from leadline.cli.closing import count
from leadline.cli.interrupts import heard, leave_soon
from leadline.cli.streams import complain, say
from leadline.cli.troubles import told
from leadline.clock import SystemClock, happens
from leadline.desk import Desk, open_desk
from leadline.engine import Limits, open_books
from leadline.errors import StoreError
from leadline.records import Run
from leadline.retention import delete_old
from leadline.settings import load_settings

if TYPE_CHECKING:
    from leadline.engine.books import Books

IDLE_LOOK = 0.5
IDLE_LOOKS = 4
"""A worker is idle when so many looks in a row, 2 seconds, saw nothing to do: runs of the dead are found in half of that."""

CLEARING = 3600.0
"""Seconds between two looks for runs that have been over for long."""


async def work(at_once: int, overall: int | None, until_idle: bool) -> None:
    """Take runs from the queue until a signal says stop, or nothing is left to do."""
    stopped = asyncio.Event()

    def stop() -> None:
        say("the worker stops; its runs wait for another")
        leave_soon(0)
        stopped.set()

    with heard([signal.SIGINT, signal.SIGTERM], stop), told(say):
        async with open_desk(load_settings()) as desk, clearing(desk):
            await _take_runs(desk, Limits(at_once, overall), stopped, until_idle)
    if not stopped.is_set():
        say("nothing is left to do; the worker has stopped")


async def _take_runs(desk: Desk, limits: Limits, stopped: asyncio.Event, until_idle: bool) -> None:
    async with open_books(desk.place) as books:
        while True:
            async with desk.engaged("worker", limits, tell):
                say(f"the worker takes runs, {limits.per_process} at once; store: {desk.store.place}")
                await _wait(books, stopped, until_idle)
            # Whoever submitted a run while this worker was leaving has seen it alive, and has started no other.
            if stopped.is_set() or not await books.count_open() or await books.peers():
                return


async def _wait(books: "Books", stopped: asyncio.Event, until_idle: bool) -> None:
    """Wait for a signal, or until nothing was to do for some time."""
    idle = 0
    while not stopped.is_set() and idle < IDLE_LOOKS:
        if not await happens(stopped, IDLE_LOOK if until_idle else None):
            idle = 0 if await books.count_open() else idle + 1


def tell(run: Run) -> None:
    """Write a line for a run that was begun or has ended."""
    what = "begun" if run.status == "running" else f"{run.status}, {count(len(run.points), 'point')}"
    why = f" ({run.reason})" if run.reason else ""
    say(f"{_now():%H:%M:%S} run {run.id} {what}: {' '.join(run.topic.text.split())}{why}")


def _now() -> dt.datetime:
    return SystemClock().now().astimezone()


@asynccontextmanager
async def clearing(desk: Desk) -> AsyncIterator[None]:
    """Delete old runs now and every hour, if the settings say so, for the block."""
    task = asyncio.create_task(_clear(desk, desk.settings.keep_days)) if desk.settings.keep_days else None
    try:
        yield
    finally:
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _clear(desk: Desk, days: int) -> None:
    while True:
        try:
            for run in await delete_old(desk, days, SystemClock().now()):
                say(f"run {run.id} was deleted: it ended more than {count(days, 'day')} ago")
        except StoreError as error:
            complain(str(error))  # the database is away; there is another hour
        await asyncio.sleep(CLEARING)

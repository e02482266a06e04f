"""Carrying a run out in this process while a person looks on: progress, Ctrl-C, and what is said in the end."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager

from leadline.api import follow
from leadline.cli.interrupts import heard, leave_soon
from leadline.cli.progress import Progress, open_progress, speak
from leadline.cli.streams import complain, say
from leadline.cli.troubles import told
from leadline.desk import Desk, Shift
from leadline.records import Run, RunStatus

STATUS: dict[RunStatus, int] = {"complete": 0, "incomplete": 3, "failed": 1, "cancelled": 130, "running": 1}
"""Exit status of a command that followed a run to its end."""

MOST_NAMED = 3
"""Interrupted runs that a command names."""

Tell = Callable[[Run], Awaitable[None]]
"""Shows a run that has ended."""


async def carry_out_here(desk: Desk, taking: Awaitable[Run], tell: Tell, quiet: bool, after: int = 0) -> int:
    """Do a run in this process, show how it goes and what came of it, and return the exit status.

    Args:
        desk: of the run's store.
        taking: gives the run, which has not ended; progress is shown meanwhile.
        tell: shows the outcome.
        quiet: no progress.
        after: number of the last event that is old news.

    Raises:
        UsageError: the run cannot be taken in.
        RunElsewhere: another process has it in work.
        StoreError: the store cannot be used.
    """
    with ExitStack() as display:
        progress = display.enter_context(open_progress(quiet))
        display.enter_context(told(progress.remark))
        run = await taking
        progress.words = speak(run.topic.language)
        async with desk.engaged("research") as shift:
            with _cancelling(desk, run, progress) as interrupted:
                progress.recall((await desk.store.runs.events(run.id))[:after])
                async for envelope in follow(desk, shift, run, after):
                    progress.show(envelope)
            display.close()  # the engine takes half a second to close; the report need not wait for that
            run = await desk.store.runs.load(run.id)
            await tell(run)
            if not quiet:
                await _name_interrupted(shift, run)
    if run.status == "failed":
        complain(run.reason or "the run failed.")
    if interrupted.is_set():
        leave_soon(STATUS[run.status])
    return STATUS[run.status]


async def _name_interrupted(shift: Shift, run: Run) -> None:
    others = [name for name in await shift.find_interrupted() if name != run.id]
    for name in others[:MOST_NAMED]:
        say(f"run {name} was interrupted: leadline runs resume {name}")
    if len(others) > MOST_NAMED:
        say(f"and {len(others) - MOST_NAMED} more: leadline runs list")


@contextmanager
def _cancelling(desk: Desk, run: Run, progress: Progress) -> Iterator[asyncio.Event]:
    """Let the first Ctrl-C cancel the run, which then ends with what it has, and the second one leave at once.

    Yields what is set by the first.
    """
    interrupted = asyncio.Event()
    writing: list[asyncio.Task[object]] = []

    def cancel() -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, lambda *_: _leave(run, progress))
        progress.remark("Stopping with what was found so far; Ctrl-C again leaves at once.")
        writing.append(asyncio.ensure_future(desk.store.runs.signal(run.id, "cancel")))

    with heard([signal.SIGINT], cancel):
        yield interrupted


def _leave(run: Run, progress: Progress) -> None:
    progress.abandon()
    complain(f"run {run.id} was left where it stood; it can go on: leadline runs resume {run.id}")
    os._exit(STATUS["cancelled"])  # waits for no thread; all that is kept is in the store, as after a crash

"""Beginning a run, again if it fails, and giving it up after some beginnings."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from leadline.engine.place import ATTEMPTS, GiveUp, Perform, Progress
from leadline.errors import StoreError, UsageError

T = TypeVar("T")

_log = logging.getLogger(__name__)

_CRASHED = "it ended its process each time"

_SUSPECT, _QUARANTINE = 2, 4.0
"""After two crashes runs begin again at different moments, up to 4 seconds apart, then 8, …: one of those that died together
is to blame, and the others get on meanwhile."""

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
"""Seconds between two beginnings: a database that restarts is back within the sum of five."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """How a run is begun.

    Attributes:
        perform: does a run to its end.
        give_up: told of a run that will not be begun again.
        progress: says how far a run has come. Who gets on is not to blame for the end of its process.
        count: counts one more beginning, given the progress, and returns the number of those with the same progress; on disk,
            for a run may end its process each time.
        forget: begins to count anew.
        most: beginnings without progress before a run is given up.
        pause: waits some seconds between two beginnings.
    """

    perform: Perform
    give_up: GiveUp
    progress: Progress
    count: Callable[[str, int], Awaitable[int]]
    forget: Callable[[str], Awaitable[None]]
    most: int = ATTEMPTS
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def carry_out(self, run: str) -> None:
        """Do a run to its end, or give it up. Only cancelling ends this otherwise."""
        reason = ""
        while True:
            number = await self._count(run)
            if number > self.most:
                await self._end(run, f"Run {run} was given up after {self.most} attempts: {reason or _CRASHED}.")
                return
            if number > _SUSPECT and not reason:
                await self.pause(random.uniform(0, _QUARANTINE * (number - _SUSPECT)))
            error = await _outcome(self.perform(run))
            if error is None:
                await self._insist(lambda: self.forget(run))
                return
            _log.warning("attempt %d of run %s failed", number, run, exc_info=error)
            if isinstance(error, UsageError):  # nothing that waiting could mend
                await self._end(run, str(error))
                return
            reason = str(error) or type(error).__name__
            await self.pause(min(_FIRST_PAUSE * 2.0 ** (number - 1), _LONGEST_PAUSE))

    async def _count(self, run: str) -> int:
        async def count() -> int:
            return await self.count(run, await self.progress(run))

        return await self._insist(count)

    async def _end(self, run: str, reason: str) -> None:
        error = await _outcome(self.give_up(run, reason))
        while error is not None:
            _log.warning("run %s could not be given up", run, exc_info=error)
            await self.pause(_LONGEST_PAUSE)
            error = await _outcome(self.give_up(run, reason))
        await self._insist(lambda: self.forget(run))

    async def _insist(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something with the engine's own tables, for as long as they are away."""
        while True:
            try:
                return await work()
            except StoreError as error:
                _log.warning("%s", error)
                await self.pause(_FIRST_PAUSE)


async def _outcome(work: Awaitable[None]) -> BaseException | None:
    """Return what work raised, whatever it is; None if it ended well. Cancelling goes through to it, and is waited for."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task})
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
    if task.cancelled():
        raise asyncio.CancelledError
    return task.exception()

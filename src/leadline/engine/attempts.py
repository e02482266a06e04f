"""Beginning a run, again if it fails, and giving it up when it does not get on."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from leadline.engine.place import ATTEMPTS, GiveUp, Perform, Progress
from leadline.errors import StoreError, UsageError

T = TypeVar("T")

_log = logging.getLogger(__name__)

_CRASHED = "its process died each time"

_SUSPECT, _QUARANTINE = 2, 4.0
"""After two crashes runs begin again at different moments, up to 4 seconds apart, then 8, …: one of those that died together
is to blame, and the others get on meanwhile."""

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
"""Seconds between two beginnings after an error: a database that restarts is back within the sum of five."""


class Memory(Protocol):
    """What outlives the process: a run may end it each time that it is begun."""

    async def count_crashes(self, run: str, progress: int) -> int:
        """Return how often a run has crashed since it had come as far as it has now."""
        ...

    async def forget_crashes(self, run: str) -> None:
        """Forget all crashes of a run."""
        ...


@dataclass(frozen=True, slots=True)
class Attempts:
    """How a run is begun.

    Attributes:
        perform: does a run to its end.
        give_up: told of a run that will not be begun again.
        progress: says how far a run has come. Who gets on is not to blame for the end of its process.
        memory: of crashes.
        most: beginnings without progress before a run is given up.
        pause: waits some seconds between two beginnings.
    """

    perform: Perform
    give_up: GiveUp
    progress: Progress
    memory: Memory
    most: int = ATTEMPTS
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def carry_out(self, run: str) -> None:
        """Do a run to its end, or give it up. Only cancelling ends this otherwise."""
        crashes = await self._insist(lambda: self._count_crashes(run))
        reason = await self._try(run, crashes)
        while reason is not None and await _outcome(self.give_up(run, reason)) is not None:
            _log.warning("run %s could not be given up", run)
            await self.pause(_LONGEST_PAUSE)
        if crashes:
            await self._insist(lambda: self.memory.forget_crashes(run))

    async def _try(self, run: str, crashes: int) -> str | None:
        """Begin a run until it ends; return why it has to be given up, None if it has not."""
        cause = _CRASHED
        if _SUSPECT < crashes < self.most:
            await self.pause(random.uniform(0, _QUARANTINE * (crashes - _SUSPECT)))
        for number in range(crashes, self.most):
            error = await _outcome(self.perform(run))
            if error is None:
                return None
            if isinstance(error, UsageError):  # nothing that waiting could mend
                return str(error)
            _log.warning("attempt %d of run %s failed", number + 1, run, exc_info=error)
            cause = str(error) or type(error).__name__
            await self.pause(min(_FIRST_PAUSE * 2.0 ** (number - crashes), _LONGEST_PAUSE))
        return f"Run {run} was given up after {self.most} attempts: {cause}."

    async def _count_crashes(self, run: str) -> int:
        return await self.memory.count_crashes(run, await self.progress(run))

    async def _insist(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something with the tables, for as long as they are away."""
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

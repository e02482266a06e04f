"""Beginning a run, again if it fails, and giving it up when it does not get on."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from leadline.engine.place import ATTEMPTS, GiveUp, Perform, Progress
from leadline.errors import StoreError, UsageError

T = TypeVar("T")

_log = logging.getLogger(__name__)

_CRASHED = "its process died each time"

_SUSPECT, _ALONE = 2, 5.0
"""One of the runs that died together is to blame. After two crashes without progress each begins by itself, 5 seconds before
the next, and those that wait for their turn are not counted if the process dies meanwhile."""

_SETTLING = 1.0
"""Seconds in which the others that this process has just taken say that they wait."""

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
"""Seconds between two beginnings after an error: a database that restarts is back within the sum of five."""


class Memory(Protocol):
    """What outlives the process: a run may end it each time that it is begun."""

    async def count_crashes(self, run: str, progress: int) -> int:
        """Return how often a run has crashed since it had come as far as it has now."""
        ...

    async def blame(self, run: str, times: int) -> None:
        """Add to the crashes of a run."""
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
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def carry_out(self, run: str) -> None:
        """Do a run to its end, or give it up. Only cancelling ends this otherwise."""
        crashes = await self._insist(lambda: self._count_crashes(run))
        reason = await (self._try_alone if _SUSPECT <= crashes < self.most else self._try)(run, crashes)
        while reason is not None and await _outcome(self.give_up(run, reason)) is not None:
            _log.warning("run %s could not be given up", run)
            await self.pause(_LONGEST_PAUSE)
        if crashes:
            await self._insist(lambda: self.memory.forget_crashes(run))

    async def _try(self, run: str, crashes: int) -> str | None:
        """Begin a run until it ends; return why it has to be given up, None if it has not."""
        cause = _CRASHED
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

    async def _try_alone(self, run: str, crashes: int) -> str | None:
        await self._insist(lambda: self.memory.blame(run, -1))
        async with self._alone():
            await self.pause(_SETTLING)
            await self._insist(lambda: self.memory.blame(run, 1))
            return await self._try(run, crashes)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Wait for the turn, and keep it for a while."""
        await self._turn.acquire()
        held = True

        def let_go() -> None:
            nonlocal held
            if held:
                held = False
                self._turn.release()

        timer = asyncio.get_running_loop().call_later(_ALONE, let_go)
        try:
            yield
        finally:
            timer.cancel()
            let_go()

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

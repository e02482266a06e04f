"""How many pages of one host are fetched at once: a few, and one by one where the host cannot bear that."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """The turns of one host.

    Args:
        at_once: pages that are fetched at the same time.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._busy = 0
        self._waiting: deque[asyncio.Event] = deque()

    @property
    def shared(self) -> bool:
        """Whether more than one page may be on its way."""
        return self._at_once > 1

    def narrow(self) -> None:
        """Fetch one page at a time from now on."""
        self._at_once = 1

    @asynccontextmanager
    async def take(self, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """Wait for a turn, first come first served, and hold it for the block. Waiting takes nothing from the deadline."""
        loop, end = asyncio.get_running_loop(), deadline.when()
        left = None if end is None else end - loop.time()
        deadline.reschedule(None)
        await self._wait()
        try:
            deadline.reschedule(None if left is None else loop.time() + left)
            yield
        finally:
            self._busy -= 1
            self._wake()

    async def _wait(self) -> None:
        turn = asyncio.Event()
        self._waiting.append(turn)
        self._wake()
        try:
            await turn.wait()
        except asyncio.CancelledError:
            if turn.is_set():  # the turn came at the very moment of the cancel: it goes to the next one
                self._busy -= 1
            else:
                self._waiting.remove(turn)
            self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._busy < self._at_once:
            self._busy += 1
            self._waiting.popleft().set()

"""Waking those who wait for rows: at once for rows written in this process, by polling for those of other processes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal

from leadline.clock import happens
from leadline.errors import StoreError

Table = Literal["events", "signals"]
Heads = Callable[[Table, Sequence[str]], Awaitable[Mapping[str, int]]]
"""Finds the highest sequence number of each of some runs; a run without rows is left out."""


class Ear:
    """One who waits. `seen` is the highest sequence number that it knows of; it keeps that up to date itself."""

    def __init__(self, seen: int) -> None:
        self.seen = seen
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake the waiter."""
        self._rung.set()

    def hush(self) -> None:
        """Forget earlier rings: call it before looking for rows, so that none between looking and waiting is missed."""
        self._rung.clear()

    async def wait(self, seconds: float | None) -> bool:
        """Wait for a ring, at most `seconds` (None: for ever), and say whether there was one."""
        return await happens(self._rung, seconds)


class Bells:
    """Who waits for which run, and one poll for all of them.

    Args:
        heads: looks at the store; None for a store that no other process writes.
        poll: seconds between two looks.
    """

    def __init__(self, heads: Heads | None = None, poll: float = 0.2) -> None:
        self.poll = poll
        self._heads = heads
        self._ears: dict[tuple[Table, str], list[Ear]] = {}
        self._polling: asyncio.Task[None] | None = None

    def ring(self, table: Table, run: str) -> None:
        """Wake all who wait for new rows of a run."""
        for ear in self._ears.get((table, run), ()):
            ear.ring()

    @contextmanager
    def hear(self, table: Table, run: str, seen: int) -> Iterator[Ear]:
        """Listen for new rows of a run while the block lasts."""
        ear = Ear(seen)
        ears = self._ears.setdefault((table, run), [])
        ears.append(ear)
        self._start_polling()
        try:
            yield ear
        finally:
            ears.remove(ear)
            if not ears:
                del self._ears[table, run]

    async def close(self) -> None:
        """End polling."""
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.wait([self._polling])

    def _start_polling(self) -> None:
        if self._heads is not None and (self._polling is None or self._polling.done()):
            self._polling = asyncio.create_task(self._keep_polling(self._heads))

    async def _keep_polling(self, heads: Heads) -> None:
        while self._ears:
            await asyncio.sleep(self.poll)
            await self._look("events", heads)
            await self._look("signals", heads)

    async def _look(self, table: Table, heads: Heads) -> None:
        runs = sorted(run for kind, run in self._ears if kind == table)
        if not runs:
            return
        try:
            found = await heads(table, runs)
        except StoreError:
            self._ring_all(table, runs)  # who waits looks for itself then, and meets the error
            return
        for run in runs:
            for ear in self._ears.get((table, run), ()):
                if ear.seen != found.get(run, 0):
                    ear.ring()

    def _ring_all(self, table: Table, runs: Sequence[str]) -> None:
        for run in runs:
            self.ring(table, run)

"""What tests hand to an engine, and how they wait for it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from leadline.engine import Limits, Place, Progress, Role, Versions, open_engine
from leadline.engine.engine import Engine
from leadline.engine.place import no_progress


async def until(condition: Callable[[], Awaitable[bool]] | Callable[[], bool], seconds: float = 120.0) -> None:
    """Wait until a condition holds; fail if it does not in time."""
    async with asyncio.timeout(seconds):
        while True:
            holds = condition()
            if holds if isinstance(holds, bool) else await holds:
                return
            await asyncio.sleep(0.02)


@dataclass
class Actor:
    """Performs runs: ends at once, or waits for its gate where it has one, or raises what was planted."""

    begun: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    given_up: dict[str, str] = field(default_factory=dict)
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    errors: dict[str, Exception] = field(default_factory=dict)

    async def perform(self, run: str) -> None:
        self.begun.append(run)
        if run in self.gates:
            await self.gates[run].wait()
        if run in self.errors:
            raise self.errors[run]
        self.ended.append(run)

    async def give_up(self, run: str, reason: str) -> None:
        self.given_up[run] = reason

    def hold_back(self, run: str) -> asyncio.Event:
        self.gates[run] = asyncio.Event()
        return self.gates[run]

    @asynccontextmanager
    async def at(
        self,
        place: Place,
        role: Role = "worker",
        *,
        holds: Collection[str] = (),
        limits: Limits = Limits(),
        progress: Progress = no_progress,
        versions: Versions = Versions(),
    ) -> AsyncIterator[Engine]:
        async with open_engine(
            place, role, self.perform, self.give_up, holds=lambda: holds, limits=limits, progress=progress, versions=versions
        ) as engine:
            yield engine

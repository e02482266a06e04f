"""A server whose analyst waits to be allowed, for a process of its own that may be killed.

All is real but the analyst: it plans from the topic's words, finds what the sources say, and waits before each point until the
file `allowed` in the data folder names more points than it has given.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.clock import SystemClock
from leadline.desk import Desk
from leadline.engine import Limits
from leadline.pipeline.loop import conduct
from leadline.records import Draft, Passage, Run, Todo, Topic
from leadline.server.access import Access
from leadline.server.serving import bound, serve
from leadline.settings import load_settings
from leadline.wiring import assembled, open_settled_store

FILE = "allowed"
LOOK = 0.02


class PatientAnalyst(ExtractiveAnalyst):
    """The extractive analyst, one allowed point at a time."""

    given = 0

    def __init__(self, file: Path) -> None:
        self._file = file

    async def summarise(self, topic: Topic, todo: Todo, passages: Sequence[Passage], at_most: int) -> AsyncIterator[Draft]:
        """Yield the drafts, each when it is allowed."""
        if "broken" in todo.title:
            raise RuntimeError("the analyst broke <b>down</b>")
        async for draft in super().summarise(topic, todo, passages, at_most):
            while PatientAnalyst.given >= _read(self._file):
                await asyncio.sleep(LOOK)
            PatientAnalyst.given += 1
            yield draft


def _read(file: Path) -> int:
    return int(file.read_text() or 0) if file.exists() else 0


@dataclass(frozen=True)
class PatientDesk(Desk):
    """The desk, with that analyst."""

    async def perform(self, name: str) -> None:
        """Do a run to its end."""
        run = await self.reopen(await self.store.runs.load(name))
        analyst = PatientAnalyst(self.settings.home / FILE)
        async with assembled(run, self.store, self.settings) as crew:
            outcome = await conduct(run.id, run.topic, run.request, replace(crew, analyst=analyst))
        update = {field: getattr(outcome, field) for field in ("status", "plan", "report", "usage", "reason")}
        await self.store.runs.save(run.model_copy(update={**update, "ended": SystemClock().now()}))


def run(home: str, port: int) -> None:
    """Serve what is in a data folder."""
    os.environ["LEADLINE_HOME"] = home
    asyncio.run(_serve(port))


async def _serve(port: int) -> None:
    def ignore(run: Run) -> None:
        pass

    settings = load_settings()
    with bound("127.0.0.1", port) as opened:
        async with await open_settled_store(settings) as store:
            desk = PatientDesk(store, settings)
            await serve(desk, Access(), opened, Limits(), ignore, asyncio.Event(), lambda: None)

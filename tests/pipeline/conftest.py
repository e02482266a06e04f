import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from leadline.clock import SystemClock
from leadline.events import Event
from leadline.pipeline.crew import Crew, Origin
from leadline.pipeline.loop import Outcome, conduct
from leadline.records import Plan, Request, Run, Todo, Topic
from leadline.store import Store, open_store
from leadline.testing import Corpus, ScriptedAnalyst

TOPIC = Topic(text="How does VACUUM work?", language="en", today=dt.date(2026, 11, 30))
TEXTS = {
    "vacuum.md": "VACUUM reclaims the space of dead rows.",
    "freeze.md": "Freezing keeps old rows valid.",
    "index.md": "An index scan visits heap pages in order.",
}
TODOS = (
    Todo(id=1, title="Dead rows", query="vacuum"),
    Todo(id=2, title="Freezing", query="freezing"),
    Todo(id=3, title="Scans", query="index scan"),
)


@dataclass
class Rig:
    """One run over fakes, that can be conducted again and again."""

    store: Store
    corpus: Corpus
    analyst: ScriptedAnalyst
    request: Request

    def crew(self) -> Crew:
        return Crew(
            analyst=self.analyst,
            search=self.corpus,
            reader=self.corpus,
            journal=self.store.journal("run1"),
            notes=self.store.notes,
            snapshots=self.store.snapshots("run1"),
            clock=SystemClock(),
            origin=Origin(name="corpus", languages={"en": 1.0}),
        )

    async def conduct(self) -> Outcome:
        return await conduct("run1", TOPIC, self.request, self.crew())

    async def events(self) -> list[Event]:
        return [envelope.event for envelope in await self.store.runs.events("run1")]


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with await open_store(None) as store:
        request = Request(topic=TOPIC.text, sources=("corpus",), plan=Plan(todos=TODOS))
        await store.runs.save(Run(id="run1", request=request, topic=TOPIC, created=SystemClock().now()))
        yield Rig(store, Corpus(TEXTS), ScriptedAnalyst(TODOS), request)

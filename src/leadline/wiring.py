"""From a request to a run: the only place that names concrete classes."""

import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import JsonValue

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.clock import SystemClock
from leadline.errors import LeadlineError, SourceError
from leadline.events import DoneEvent, Envelope, ErrorEvent, Event
from leadline.library import Library
from leadline.pipeline.crew import Crew, Origin
from leadline.pipeline.loop import conduct
from leadline.pipeline.plan import make_plan as plan_topic
from leadline.pipeline.topic import make_topic
from leadline.ports import Clock, Journal
from leadline.records import Plan, Request, Run, Signal
from leadline.store import Store

Tell = Callable[[Envelope], None]

_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
"""Without the letters that are read as digits."""

_ID_LENGTH = 8
"""30**8 ids: a thousand runs collide once in a million times."""


class ToldJournal:
    """A journal that also tells a listener of each new event at once."""

    def __init__(self, journal: Journal, run: str, tell: Tell) -> None:
        self._journal = journal
        self._run = run
        self._tell = tell
        self._told = 0

    async def once(self, key: str, kind: str, call: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """As the journal within."""
        return await self._journal.once(key, kind, call)

    async def emit(self, event: Event, key: str) -> int:
        """Append the event; tell of it unless it was there before."""
        seq = await self._journal.emit(event, key)
        if seq > self._told:
            self._told = seq
            self._tell(Envelope(run=self._run, seq=seq, event=event))
        return seq

    async def next_signal(self, timeout: float | None) -> Signal | None:
        """As the journal within."""
        return await self._journal.next_signal(timeout)


def make_run(request: Request, clock: Clock | None = None) -> Run:
    """Return a new run for a request, with its topic checked and its date fixed.

    Raises:
        TopicError: the topic or the language cannot be used.
    """
    now = (clock or SystemClock()).now()
    topic = make_topic(request.topic, request.language, now.date())
    name = "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))
    return Run(id=name, request=request, topic=topic, created=now)


async def assemble(run: Run, store: Store, home: Path, tell: Tell) -> Crew:
    """Return those who do the work of a run.

    Raises:
        SourceError: a source is missing, unknown or without a readable document.
    """
    if not run.request.sources:
        raise SourceError("No source was named. Name a file, a folder or a library: --in PATH")
    library = await Library.open(run.request.sources, home)
    return Crew(
        analyst=ExtractiveAnalyst(),
        search=library,
        reader=library,
        journal=ToldJournal(store.journal(run.id), run.id, tell),
        notes=store.notes,
        snapshots=store.snapshots(run.id),
        clock=SystemClock(),
        origin=Origin(name=library.label, languages=library.languages, skipped=library.skipped),
    )


async def perform(run: Run, store: Store, home: Path, tell: Tell) -> Run:
    """Do a run to its end and return it with plan, report and status.

    A run that fails as a whole is returned as failed, with its reason; one that is interrupted is kept as cancelled.

    Raises:
        UsageError: the run cannot begin as it was asked for.
    """
    crew = await assemble(run, store, home, tell)
    await store.runs.save(run)
    ended = run.model_copy(update={"status": "cancelled"})
    try:
        outcome = await conduct(run.id, run.topic, run.request, crew)
        ended = run.model_copy(
            update={"status": outcome.status, "plan": outcome.plan, "report": outcome.report, "reason": outcome.reason}
        )
    except LeadlineError as error:
        ended = run.model_copy(update={"status": "failed", "reason": str(error)})
        await crew.journal.emit(ErrorEvent(message=str(error)), "error")
        await crew.journal.emit(DoneEvent(status="failed"), "done")
    finally:
        ended = ended.model_copy(update={"ended": crew.clock.now()})
        await store.runs.save(ended)
    return ended


async def plan_only(run: Run, store: Store, home: Path) -> Plan:
    """Return the plan that a run would begin with, and keep nothing.

    Raises:
        UsageError: the run cannot begin as it was asked for.
    """
    crew = await assemble(run, store, home, lambda _: None)
    return await plan_topic(run.topic, run.request, crew)

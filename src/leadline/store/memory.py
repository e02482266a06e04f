"""The store in memory: for tests, and for runs that nobody wants to keep. No thread, no file, no other process."""

import datetime as dt
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from leadline.events import Call, Envelope, Event
from leadline.records import Note, Page, Run, Signal, SignalKind, Todo, Visit
from leadline.store.bells import Bells
from leadline.store.journal import Entry, KeyedEvent
from leadline.store.pages import unsaved
from leadline.store.rows import check_name, index_words, missing, search_terms
from leadline.store.runs import choose
from leadline.store.watching import Tail, follow


@dataclass(slots=True)
class Rows:
    """All that a store in memory holds: by run, and within it by key or in order."""

    runs: dict[str, Run] = field(default_factory=dict)
    journal: dict[str, dict[str, Entry]] = field(default_factory=dict)
    events: dict[str, dict[str, Envelope]] = field(default_factory=dict)
    signals: dict[str, list[Signal]] = field(default_factory=dict)
    pages: dict[str, Page] = field(default_factory=dict)
    visits: dict[str, Visit] = field(default_factory=dict)
    users: dict[str, set[str]] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)


class MemoryLedger:
    """See `leadline.store.journal.Ledger`."""

    def __init__(self, rows: Rows, run: str) -> None:
        self._rows = rows
        self._run = run

    async def find(self, key: str) -> str | None:
        """Return the answer recorded under a key."""
        entry = self._rows.journal.get(self._run, {}).get(key)
        return entry.value if entry else None

    async def end(self, entry: Entry, events: Sequence[KeyedEvent]) -> str:
        """Record an entry and its events."""
        entries = self._rows.journal.setdefault(self._run, {})
        if entry.key not in entries:
            entries[entry.key] = entry
            for key, event in events:
                await self.append(key, event)
        return entries[entry.key].value

    async def append(self, key: str, event: Event) -> int:
        """Append an event."""
        events = self._rows.events.setdefault(self._run, {})
        return events.setdefault(key, Envelope(run=self._run, seq=len(events) + 1, event=event)).seq

    async def next_signal(self, after: int) -> Signal | None:
        """Return the signal that follows a sequence number."""
        signals = self._rows.signals.get(self._run, [])
        return signals[after] if after < len(signals) else None


class MemoryRuns:
    """See `leadline.ports.Runs`."""

    def __init__(self, rows: Rows, bells: Bells) -> None:
        self._rows = rows
        self._bells = bells

    async def save(self, run: Run) -> None:
        """Create the run or replace it."""
        check_name("run", run.id)
        self._rows.runs[run.id] = run
        self._bells.ring("events", run.id)

    async def load(self, run: str) -> Run:
        """Return a run by a unique prefix of its id. Raises NotFound."""
        return self._rows.runs[choose(run, sorted(name for name in self._rows.runs if run and name.startswith(run)))]

    async def list(self, limit: int = 50, before: dt.datetime | None = None) -> Sequence[Run]:
        """Return the runs, newest first."""
        runs = [run for run in self._rows.runs.values() if before is None or run.created < before]
        return sorted(runs, key=lambda run: (run.created, run.id), reverse=True)[:limit]

    async def delete(self, run: str) -> None:
        """Remove the run with all that no other run uses. Raises NotFound."""
        self._check(run)
        rows = self._rows
        for table in (rows.runs, rows.journal, rows.events, rows.signals):
            table.pop(run, None)
        rows.notes = {name: note for name, note in rows.notes.items() if note.run != run}
        rows.users = {page: users - {run} for page, users in rows.users.items() if users - {run}}
        rows.pages = {name: page for name, page in rows.pages.items() if name in rows.users}
        rows.visits = {address: visit for address, visit in rows.visits.items() if visit.page in rows.pages}
        self._bells.ring("events", run)

    async def signal(self, run: str, kind: SignalKind, todos: Sequence[Todo] = (), todo: int = 0) -> Signal:
        """Append a signal and return it with its sequence number. Raises NotFound."""
        self._check(run)
        signals = self._rows.signals.setdefault(run, [])
        signals.append(Signal(seq=len(signals) + 1, kind=kind, todos=tuple(todos), todo=todo))
        self._bells.ring("signals", run)
        return signals[-1]

    async def events(self, run: str, after: int = 0) -> Sequence[Envelope]:
        """Return the events with a sequence number above `after`, in order. Raises NotFound."""
        if run not in self._rows.events:
            self._check(run)
        return list(self._rows.events.get(run, {}).values())[after:]

    async def calls(self, run: str) -> Sequence[Call]:
        """Return what the journal of a run has recorded, in order of its end."""
        entries = self._rows.journal.get(run, {}).values()
        calls = [Call(key=e.key, kind=e.kind, ended=dt.datetime.fromisoformat(e.created), seconds=e.seconds) for e in entries]
        return sorted(calls, key=lambda call: (call.ended, call.key))

    async def tail(self, run: str) -> Tail:
        """Return where the run stands. Raises NotFound."""
        self._check(run)
        events = list(self._rows.events.get(run, {}).values())
        done = bool(events) and events[-1].event.type == "done"
        return Tail(len(events), done, ended=self._rows.runs[run].status != "running")

    def watch(self, run: str, after: int = 0) -> AsyncIterator[Envelope]:
        """Yield the events above `after` as they arrive, each once and in order, until the run has ended."""
        return follow(self, self._bells, run, after)

    def _check(self, run: str) -> None:
        if run not in self._rows.runs:
            raise missing("run", run)


class MemorySnapshots:
    """See `leadline.ports.Snapshots`."""

    def __init__(self, rows: Rows, run: str) -> None:
        self._rows = rows
        self._run = run

    async def save(self, page: Page, visit: Visit | None = None) -> None:
        """Keep a page for this run, and the visit that gave it."""
        check_name("page", page.id)
        self._rows.pages.setdefault(page.id, page)
        self._rows.users.setdefault(page.id, set()).add(self._run)
        if visit is not None:
            self._rows.visits[visit.address] = visit

    async def find_visit(self, address: str) -> Visit | None:
        """Return the latest visit of an address whose page is still kept."""
        visit = self._rows.visits.get(address)
        return visit if visit is not None and visit.page in self._rows.pages else None

    async def load(self, page: str) -> Page:
        """Return a saved page by id. Raises NotFound."""
        if page not in self._rows.pages:
            raise unsaved(page)
        return self._rows.pages[page]

    async def list(self) -> Sequence[Page]:
        """Return the pages that this run has saved, by id."""
        return [page for name, page in sorted(self._rows.pages.items()) if self._run in self._rows.users.get(name, ())]


class MemoryNotes:
    """See `leadline.ports.Notes`."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    async def create(self, note: Note) -> Note:
        """Save a new note; one with the same id is left as it is and returned."""
        check_name("note", note.id)
        return self._rows.notes.setdefault(note.id, note)

    async def read(self, note: str) -> Note:
        """Return a note. Raises NotFound."""
        if note not in self._rows.notes:
            raise missing("note", note)
        return self._rows.notes[note]

    async def update(self, note: str, *, title: str, body: str, updated: dt.datetime) -> Note:
        """Replace title and body. Raises NotFound."""
        change: Mapping[str, object] = {"title": title, "body": body, "updated": updated}
        self._rows.notes[note] = (await self.read(note)).model_copy(update=change)
        return self._rows.notes[note]

    async def delete(self, note: str) -> None:
        """Remove a note. Raises NotFound."""
        await self.read(note)
        del self._rows.notes[note]

    async def list(self, run: str | None = None, limit: int = 100) -> Sequence[Note]:
        """Return notes, newest first, of one run or of all."""
        found = [note for note in self._rows.notes.values() if run is None or note.run == run]
        return sorted(found, key=lambda note: (note.created, note.id), reverse=True)[:limit]

    async def search(self, query: str, limit: int = 20) -> Sequence[Note]:
        """Return the notes that hold every word of the query, newest first."""
        terms = search_terms(query)
        notes = await self.list(limit=len(self._rows.notes))
        return [note for note in notes if all(term in index_words(note) for term in terms)][:limit]

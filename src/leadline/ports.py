"""The seams: what research asks of the world. Built-ins, fakes and plugins come through the same doors.

Cross-cutting behaviour (metering, limits, retries, caching) wraps one of these; it is never a flag behind it.
"""

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Protocol, runtime_checkable

from pydantic import JsonValue

from leadline.events import Call, Envelope, Event
from leadline.models import Spend
from leadline.records import (
    Draft,
    Hit,
    Note,
    NotRead,
    Outline,
    Page,
    Passage,
    Plan,
    Query,
    Quote,
    Repair,
    Run,
    Sentence,
    Signal,
    SignalKind,
    Survey,
    Todo,
    Topic,
    Visit,
)


class Analyst(Protocol):
    """Plans, summarises and writes. Knows passages by label only, never addresses or numbers of references."""

    name: str
    """As the first line of a run and the report's head print it, e.g. `extractive, no model`."""

    async def plan(self, topic: Topic, survey: Survey, at_least: int, at_most: int) -> Plan:
        """Split the topic into `at_least` to `at_most` todos with specific queries, no two alike."""
        ...

    def summarise(self, topic: Topic, todo: Todo, passages: Sequence[Passage], at_most: int) -> AsyncIterator[Draft]:
        """Say what the passages say about the todo: at most `at_most` points, one by one, best first."""
        ...

    async def locate(self, topic: Topic, drafts: Sequence[Draft], passages: Sequence[Passage]) -> Sequence[Quote]:
        """Name, word for word, what carries each draft in the passages; a draft that they do not carry gets no quote.

        One question for all drafts of a todo that code could not decide. What is named is looked for in the page and
        compared again, so a made-up quote only costs the point its place.

        Args:
            topic: the question, for its language.
            drafts: points that are not yet held by what they cite.
            passages: what the drafts cite and what stands beside it, in the order of the pages.
        """
        ...

    async def repair(self, topic: Topic, draft: Draft, passages: Sequence[Passage]) -> Repair:
        """Say a draft again so that the passages hold it, with the words of theirs that do; asked once for a draft.

        Args:
            topic: the question, for its language.
            draft: a point that failed its check.
            passages: what it cites and what stands beside it.
        """
        ...

    def write(self, outline: Outline) -> tuple[AsyncIterator[Sentence], AsyncIterator[Sentence]]:
        """Overview and summary, sentence by sentence, from the points alone."""
        ...


@runtime_checkable
class Foresighted(Protocol):
    """An analyst that tells what it will search for while it still plans, so that sources can be fetched meanwhile."""

    def foresee(self, hear: Callable[[str], None]) -> None:
        """Tell `hear` of every query of the plan as soon as it is known."""
        ...


@runtime_checkable
class Reviewer(Protocol):
    """An analyst that can look over what was found."""

    async def review(self, outline: Outline, at_most: int) -> Sequence[Todo]:
        """Return at most `at_most` further todos, for what is missing or contradictory; none when all is said."""
        ...


class Account(Protocol):
    """What a run may use and has used. Reserved before each call of a model, settled after it."""

    async def count_search(self) -> None:
        """Count one more search, before it is made. Raises LimitReached when it may not be."""
        ...

    async def reserve(self, estimate: Spend) -> int:
        """Count one more call of a model, before it is made, and return its number. Raises LimitReached when it may not be."""
        ...

    async def settle(self, number: int, spend: Spend) -> None:
        """Put what the call has really used in the place of its estimate."""
        ...

    async def say(self, key: str, **values: str) -> None:
        """Tell those who follow the run what is being done; `key` names the sentence in their language."""
        ...

    async def remark(self, key: str, **values: str) -> None:
        """Tell the readers of the report what went otherwise than it should; `key` names the sentence in their language."""
        ...


class SearchBackend(Protocol):
    """Finds pages."""

    name: str

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return at most `query.limit` hits, best first; an empty list means that nothing was found, and nothing else.

        Raises:
            SearchFailed: the search could not be made.
        """
        ...


@runtime_checkable
class Reader(Protocol):
    """Turns a hit into a saved page. A search backend that is one too reads its own hits."""

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return the page, or why there is none. Never raises for what a page does wrong."""
        ...


class Journal(Protocol):
    """The memory of one run. What it has recorded is never done again."""

    async def once(self, key: str, kind: str, call: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Return what `call` gave under this key, calling it only if no earlier call under the key has ended.

        Args:
            key: identity of the request within the run: whatever decides the answer is in it.
            kind: what sort of call this is (`plan`, `search`, `read`, `summarise`, `write`), for accounts and fault reports.
            call: makes the answer, as JSON. If it raises, nothing is recorded.
        """
        ...

    async def emit(self, event: Event, key: str) -> int:
        """Append an event and return its sequence number; an event whose key was emitted before is not appended again."""
        ...

    async def next_signal(self, timeout: float | None) -> Signal | None:
        """Wait up to `timeout` seconds (None: for ever) for the next signal in order; None when none came."""
        ...


class Snapshots(Protocol):
    """Saved pages, by the hash of their bytes."""

    async def save(self, page: Page, visit: Visit | None = None) -> None:
        """Keep a page; saving the same id again changes nothing. A visit replaces the earlier one of its address."""
        ...

    async def find_visit(self, address: str) -> Visit | None:
        """Return the latest visit of an address whose page is still kept, by whatever run."""
        ...

    async def load(self, page: str) -> Page:
        """Return a saved page by id.

        Raises:
            NotFound: no such page.
        """
        ...

    async def list(self) -> Sequence[Page]:
        """Return the pages that this run has saved, by id."""
        ...


class Notes(Protocol):
    """Notes by id. Every operation is atomic; an id is only ever a key, never part of a path."""

    async def create(self, note: Note) -> Note:
        """Save a new note; one with the same id is left as it is and returned."""
        ...

    async def read(self, note: str) -> Note:
        """Return a note. Raises NotFound."""
        ...

    async def update(self, note: str, *, title: str, body: str, updated: dt.datetime) -> Note:
        """Replace title and body. Raises NotFound."""
        ...

    async def delete(self, note: str) -> None:
        """Remove a note. Raises NotFound."""
        ...

    async def list(self, run: str | None = None, limit: int = 100) -> Sequence[Note]:
        """Return notes, newest first, of one run or of all."""
        ...

    async def search(self, query: str, limit: int = 20) -> Sequence[Note]:
        """Return the notes that hold every word of the query, newest first."""
        ...


class Runs(Protocol):
    """Runs and their events, as the store keeps them."""

    async def save(self, run: Run) -> None:
        """Create the run or replace it."""
        ...

    async def load(self, run: str) -> Run:
        """Return a run by a unique prefix of its id. Raises NotFound."""
        ...

    async def list(self, limit: int = 50, before: dt.datetime | None = None) -> Sequence[Run]:
        """Return the runs, newest first; with `before`, those that were created before that moment."""
        ...

    async def delete(self, run: str) -> None:
        """Remove the run with its journal, events, signals and notes. Raises NotFound."""
        ...

    async def signal(self, run: str, kind: SignalKind, todos: Sequence[Todo] = (), todo: int = 0) -> Signal:
        """Append a signal for the run's loop and return it with its sequence number."""
        ...

    async def events(self, run: str, after: int = 0) -> Sequence[Envelope]:
        """Return the events of a run with a sequence number above `after`, in order."""
        ...

    async def calls(self, run: str) -> Sequence[Call]:
        """Return what the journal of a run has recorded, in order of its end."""
        ...


class Clock(Protocol):
    """Time, so that tests decide it."""

    def now(self) -> dt.datetime:
        """Return the current time, with a time zone."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

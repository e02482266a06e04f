"""The nouns: small, frozen, JSON-serialisable. Everything above speaks in these.

Read in this order: what was asked (Request, Topic), the plan (Todo, Plan), what was found (Hit, Page, Passage), what was
said and why it may be said (Draft, Evidence, Point, Dropped), what comes of it (TodoResult, Note, Report, Run).
"""

import datetime as dt
import hashlib
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

PassageKind = Literal["prose", "item", "code", "table", "heading"]
Verdict = Literal["verbatim", "supported", "partial", "unsupported", "contradicted", "unreachable", "unchecked"]
Method = Literal["exact", "words", "none"]
TaskStatus = Literal["pending", "in_progress", "completed", "empty", "failed", "skipped", "cancelled"]
SignalKind = Literal["edit", "retry", "cancel", "resume"]
RunStatus = Literal["running", "complete", "incomplete", "failed", "cancelled"]

HOLDING: frozenset[Verdict] = frozenset({"verbatim", "supported", "partial"})
"""Verdicts under which a citation may stand in a report."""

FIRM: frozenset[Verdict] = frozenset({"verbatim", "supported"})
"""Verdicts under which a page says all of a point; one that holds but is not firm is named behind "see also"."""


class Record(BaseModel):
    """Base of all nouns: immutable, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- what was asked ---------------------------------------------------------------------------------------------------


class Topic(Record):
    """The question of a run, as its analyst sees it.

    `language` is a BCP 47 tag (`en`, `zh`, `zh-Hant`, …): the language of the report. `today` is fixed when the run is made.
    """

    text: str
    language: str
    today: dt.date


class Limits(Record):
    """What a run may use, over all its restarts: None is no limit.

    `calls` counts searches and model calls; `seconds` runs from when the run first began, whoever works on it.
    """

    calls: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)


class Request(Record):
    """What a person asked for: all that a run depends on, apart from the world.

    `sources` are as typed (`PATH`, `@NAME`); `todos` is an exact number of todos or None for 3 to 5; `max_points` bounds
    the points of the whole report.
    """

    topic: str
    sources: tuple[str, ...] = ()
    language: str | None = None
    todos: int | None = Field(default=None, ge=1, le=12)
    max_points: int | None = Field(default=None, ge=1)
    limits: Limits = Limits()
    plan: "Plan | None" = None


# --- the plan ---------------------------------------------------------------------------------------------------------


class Todo(Record):
    """One piece of the research. `id` is its place in the conversation with people, `key` its identity for the journal."""

    id: int = Field(ge=1)
    title: str = Field(min_length=1)
    intent: str = ""
    query: str = Field(min_length=1)
    skip: bool = False
    attempt: int = Field(default=1, ge=1)

    @property
    def key(self) -> str:
        """Hash of what decides the result: two todos with the same key have the same result, whatever their order."""
        content = "\x1f".join((self.title, self.intent, self.query, str(self.attempt)))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Plan(Record):
    """One revision of the list of todos."""

    revision: int = Field(default=1, ge=1)
    todos: tuple[Todo, ...]


class Signal(Record):
    """Something that a person tells a run: change the plan, retry a todo, stop. `seq` is its order within the run.

    `edit` carries the whole new list of todos, `retry` the id of one; `cancel` and `resume` carry nothing.
    """

    seq: int
    kind: SignalKind
    todos: tuple[Todo, ...] = ()
    todo: int = 0


# --- what was found ---------------------------------------------------------------------------------------------------


class Span(Record):
    """A stretch of a page's text, in characters: start inclusive, end exclusive."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Hit(Record):
    """A search result. `address` is a URL, or `source:path` of a library document; `spans` are the places that matched."""

    backend: str
    address: str
    title: str = ""
    snippet: str = ""
    score: float = 0.0
    spans: tuple[Span, ...] = ()


class Page(Record):
    """A saved copy of what was read.

    `id` is the SHA-256 of the bytes. `text` is plain text with light Markdown structure: `# ` headings, `- ` items, fenced
    code, ` | ` table rows, paragraphs on one line with a blank line between; all offsets count in it. `date` is as exact as
    the document gives it (`2022`, `2022-10`, `2022-10-12`), or "".
    """

    id: str
    address: str
    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    date: str = ""
    language: str = ""


class NotRead(Record):
    """A hit that gave no page, and why, in words for the reader of the report."""

    address: str
    reason: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, list item, table row or code block of a page.

    `label` (`3.2`: source 3, passage 2) is all that an analyst sees of the source; `text` is `page.text[start:end]`;
    `heading` is the nearest heading above it.

    No `Record`: a run makes 30,000 of them from pages that were validated, and nothing but memory ever holds them.
    """

    label: str
    page: str
    start: int
    end: int
    text: str
    kind: PassageKind = "prose"
    heading: str = ""


class Survey(Record):
    """What the planner sees of the sources: passages that the topic's own words find."""

    passages: tuple[Passage, ...] = ()
    titles: tuple[str, ...] = ()


# --- what was said, and why it may be said ----------------------------------------------------------------------------


class Draft(Record):
    """A point as an analyst hands it in, unchecked. `cites` are labels of passages; `score` orders points, higher first."""

    text: str
    cites: tuple[str, ...]
    score: float = 0.0


class Evidence(Record):
    """One citation of a point, checked: `quote` is `page.text[start:end]` of the page with id `page`; `score` is 0 to 1."""

    page: str
    start: int
    end: int
    quote: str
    verdict: Verdict
    method: Method
    score: float = 0.0


class Point(Record):
    """A checked sentence with its evidence, best first. Its verdict is that of its best evidence."""

    id: str
    text: str
    evidence: tuple[Evidence, ...]
    score: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """Verdict of the best evidence."""
        return self.evidence[0].verdict if self.evidence else "unsupported"

    @property
    def firm(self) -> int:
        """Number of pages that say all of it."""
        return len({evidence.page for evidence in self.evidence if evidence.verdict in FIRM})


class Dropped(Record):
    """A point that is not in the report, and why."""

    text: str
    reason: str
    evidence: tuple[Evidence, ...] = ()


# --- what comes of it -------------------------------------------------------------------------------------------------


class Source(Record):
    """A page without its text: what a reference is made of. `number` is its place in the list of references, 0 = not cited."""

    page: str
    address: str
    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    date: str = ""
    number: int = 0


class TodoResult(Record):
    """What became of one todo: a function of the todo's content and the sources.

    `sources` are the pages that its points cite, `read` the ids of all pages read; `reason` says what really failed.
    """

    key: str
    status: TaskStatus
    points: tuple[Point, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    sources: tuple[Source, ...] = ()
    read: tuple[str, ...] = ()
    not_read: tuple[NotRead, ...] = ()
    reason: str = ""


class Note(Record):
    """A saved summary of one todo. `id` is made by the store and is safe as a file name."""

    id: str
    title: str
    body: str
    type: str = "summary"
    tags: tuple[str, ...] = ("research", "summary")
    run: str = ""
    created: dt.datetime
    updated: dt.datetime


class Skipped(Record):
    """A document of a source that could not be used. `kind` is a suffix (`.pptx`) or a word (`empty`, `unreadable`, …)."""

    address: str
    kind: str


class Usage(Record):
    """What a run has used so far."""

    searches: int = 0
    pages: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Sentence(Record):
    """A sentence of overview or summary. `points` are ids of the points that it follows from."""

    text: str
    points: tuple[str, ...] = ()


class Section(Record):
    """One numbered section: the checked points of one todo, or the words that say why there are none."""

    todo: Todo
    status: TaskStatus
    points: tuple[Point, ...] = ()
    reason: str = ""


class Tally(Record):
    """What the last line of a report says."""

    verbatim: int = 0
    supported: int = 0
    partial: int = 0
    dropped: int = 0
    read: int = 0
    snippets: int = 0


class Report(Record):
    """The report as data; `research.rendering` turns it into Markdown.

    `analyst` and `origin` name who wrote it and from which sources; `notices` are sentences about the run as a whole.
    """

    title: str
    language: str
    date: dt.date
    analyst: str
    origin: str
    overview: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    summary: tuple[Sentence, ...]
    references: tuple[Source, ...]
    dropped: tuple[Dropped, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notices: tuple[str, ...] = ()
    tally: Tally


class Outline(Record):
    """What an analyst writes overview and summary from: the points of every section, and from how many pages they are."""

    topic: Topic
    read: int = 0
    sections: tuple[Section, ...]


class Run(Record):
    """A run as the store knows it."""

    id: str
    request: Request
    topic: Topic
    status: RunStatus = "running"
    created: dt.datetime
    ended: dt.datetime | None = None
    plan: Plan | None = None
    report: Report | None = None
    usage: Usage = Usage()
    reason: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """The points of the report, in its order."""
        return tuple(p for s in self.report.sections for p in s.points) if self.report else ()

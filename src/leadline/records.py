"""The nouns: small, frozen, JSON-serialisable. Everything above speaks in these.

Read in this order: what was asked (Request, Topic), the plan (Todo, Plan), what was found (Hit, Page, Passage), what was
said and why it may be said (Draft, Evidence, Point, Dropped), what comes of it (TodoResult, Note, Report, Run).
"""

import bisect
import datetime as dt
import hashlib
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from leadline.models import Limits as Limits
from leadline.models import Manner, ModelChoice
from leadline.models import Scope as Scope
from leadline.models import Usage as Usage
from leadline.record import Record as Record

PassageKind = Literal["prose", "item", "code", "table", "heading"]
Verdict = Literal["verbatim", "supported", "partial", "unsupported", "contradicted", "unreachable", "unchecked"]
Method = Literal["exact", "words", "quote", "none"]
Genre = Literal["", "official", "paper", "reference", "news", "forum", "blog", "social"]
Unsupported = Literal["drop", "mark"]
TaskStatus = Literal["pending", "in_progress", "completed", "empty", "failed", "skipped", "cancelled"]
PageKind = Literal["read", "abstract", "snippet"]
SignalKind = Literal["edit", "retry", "cancel", "resume", "approve"]
RunStatus = Literal["running", "complete", "incomplete", "failed", "cancelled"]

HOLDING: frozenset[Verdict] = frozenset({"verbatim", "supported", "partial"})
"""Verdicts under which a citation may stand in a report."""

FIRM: frozenset[Verdict] = frozenset({"verbatim", "supported"})
"""Verdicts under which a page says all of a point; one that holds but is not firm is named behind "see also"."""


# --- what was asked ---------------------------------------------------------------------------------------------------


class Topic(Record):
    """The question of a run, as its analyst sees it.

    `language` is a BCP 47 tag (`en`, `zh`, `zh-Hant`, …): the language of the report. `today` is fixed when the run is made.
    """

    text: str
    language: str
    today: dt.date


class Request(Record):
    """What a person asked for: all that a run depends on, apart from the world.

    `sources` are as typed (`PATH`, `@NAME`, a URL, `run:ID`); `search` and `fallback` name search backends; without either
    the web is asked; `offline` refuses every connection beyond this machine; `todos` is an exact number or None for at most 5;
    `max_points` bounds the whole report; `unsupported` says what becomes of a point that no page holds; with `review`
    nothing is searched for before the plan is approved; without a model the analyst is the extractive one; `depth` is the
    number of rounds of research, each but the first after a look over what was found.
    """

    topic: str
    sources: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    fallback: tuple[str, ...] = ()
    scope: Scope = Scope()
    offline: bool = False
    language: str | None = None
    todos: int | None = Field(default=None, ge=1, le=12)
    max_points: int | None = Field(default=None, ge=1)
    unsupported: Unsupported = "drop"
    limits: Limits = Limits()
    plan: "Plan | None" = None
    model: ModelChoice | None = None
    manner: Manner = Manner()
    depth: int = Field(default=1, ge=1, le=5)
    review: bool = False


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

    `edit` carries the whole new list of todos, `retry` the id of one; `cancel`, `resume` and `approve` carry nothing.
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


class Query(Record):
    """What a search backend is asked for.

    `limit` is the most hits wanted, `language` a BCP 47 tag or ""; `since` and `until` are days, both included; `sites` and
    `not_sites` are host names, with their subdomains. Hits are sifted by them afterwards.
    """

    text: str
    limit: int = Field(default=10, ge=1)
    language: str = ""
    since: dt.date | None = None
    until: dt.date | None = None
    sites: tuple[str, ...] = ()
    not_sites: tuple[str, ...] = ()


class Hit(Record):
    """A search result. `address` is a URL, or `source:path` of a library document; `spans` are the places that matched.

    `abstract` is the whole abstract of a paper where the backend delivers it, and may be cited as such; `document` is the
    address of an open-access copy that is read instead. `date` is as exact as the backend gives it. `attempt` is that of the
    todo which it was found for: a todo that is done again reads anew.
    """

    backend: str
    address: str
    title: str = ""
    snippet: str = ""
    score: float = 0.0
    spans: tuple[Span, ...] = ()
    abstract: str = ""
    document: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    attempt: int = 1


class Card(Record):
    """What is known of a page without its text.

    `date` is as exact as the document gives it (`2022`, `2022-10`, `2022-10-12`), or "". `kind` is `read`; `abstract` where a
    backend delivered the text; `snippet` where it is only a search engine's excerpt, and `reason` says why the page itself was
    not read. `part` says which part of a long document was read (`pages 1–500 of 812`), "" for all of it. `identifiers` name
    the document wherever it is found: `doi:10.1000/x`, `arxiv:2401.00001`.
    """

    address: str
    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    date: str = ""
    kind: PageKind = "read"
    reason: str = ""
    part: str = ""
    identifiers: tuple[str, ...] = ()


class Page(Card):
    """A saved copy of what was read.

    `id` is the SHA-256 of the bytes. `text` is plain text with light Markdown structure: `# ` headings, `- ` items, fenced
    code, ` | ` table rows, paragraphs on one line with a blank line between; all offsets count in it. Of a paged document (a
    PDF) `page_starts` are the offsets in the text at which its pages start, from page 1 on.
    """

    id: str
    text: str
    language: str = ""
    page_starts: tuple[int, ...] = ()

    def find_page_number(self, offset: int) -> int:
        """Return the number, from 1, of the page of the document that an offset in the text is on; 0 when it has no pages."""
        return bisect.bisect_right(self.page_starts, offset)


class Visit(Record):
    """What a server said about the page at an address, to be asked again whether it has changed.

    `page` is the id of the saved page, `final` the address after redirects, `etag` and `modified` the headers as they came.
    """

    address: str
    page: str
    final: str
    etag: str = ""
    modified: str = ""


class NotRead(Record):
    """A hit that gave no page, and why, in words for the reader of the report. `refused`: it may not be read at all."""

    address: str
    reason: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, list item, table row or code block of a page.

    `label` (`3.2`: source 3, passage 2) is all that an analyst sees of the source; `text` is `page.text[start:end]`;
    `heading` is the nearest heading above it. No `Record`: a run makes 30,000 of them, from validated pages, for memory alone.
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


class Quote(Record):
    """Words that an analyst names as those that carry a draft, unchecked.

    `draft` is the draft's place in the question, from 0; `cite` is the label of the passage that the words stand in.
    """

    draft: int
    cite: str
    text: str


class Repair(Record):
    """A failed draft as its passages allow it, unchecked: `quote` are their words that carry the new text.

    Without a text the passages say nothing of it.
    """

    text: str = ""
    quote: str = ""


class Evidence(Record):
    """One citation of a point, checked: `quote` is `page.text[start:end]` of the page with id `page`; `score` is 0 to 1.

    `method` says how: `exact` the sentence stands there, `words` its carrying words do, `quote` an analyst named the words
    and code found and compared them.
    `page_number` is the page of a paged document on which the quote starts, 0 for a document without pages.
    """

    page: str
    start: int
    end: int
    quote: str
    verdict: Verdict
    method: Method
    score: float = 0.0
    page_number: int = 0


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


class Source(Card):
    """A page without its text: what a reference is made of. `number` is its place in the list of references, 0 = not cited.

    `genre` says what sort of publication it is, as far as its address tells; `also` are ids of other copies of the same page,
    under the same reference. `page_numbers` are the pages of a paged document that are cited, in ascending order.
    """

    page: str
    genre: Genre = ""
    number: int = 0
    also: tuple[str, ...] = ()
    page_numbers: tuple[int, ...] = ()


class TodoResult(Record):
    """What became of one todo: a function of the todo's content and the sources.

    `sources` are the pages that its points cite, `read` the ids of all pages read, `snippets` of those of which there is only
    an excerpt; `reason` says what really failed; `ordering` are the addresses of pages that give orders to whoever reads them.
    """

    key: str
    status: TaskStatus
    points: tuple[Point, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    sources: tuple[Source, ...] = ()
    read: tuple[str, ...] = ()
    not_read: tuple[NotRead, ...] = ()
    snippets: tuple[str, ...] = ()
    reason: str = ""
    ordering: tuple[str, ...] = ()


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


class Sentence(Record):
    """A sentence of overview or summary. `points` are ids of the points that it follows from.

    One that is `counted` speaks of the report itself, in figures that code has counted, and follows from no point.
    """

    text: str
    points: tuple[str, ...] = ()
    counted: bool = False


class Conflict(Record):
    """Two points, by their ids, that differ in a number, a date or an outcome, and are otherwise the same."""

    points: tuple[str, str]


class Section(Record):
    """One numbered section: the checked points of one todo, or the words that say why there are none.

    `warning` is a sentence on what its reader should know of the sources; `not_read` are the hits given up, and why.
    """

    todo: Todo
    status: TaskStatus
    points: tuple[Point, ...] = ()
    reason: str = ""
    warning: str = ""
    not_read: tuple[NotRead, ...] = ()


class Tally(Record):
    """What the last line of a report says. `marked` points stand in it though no page holds them."""

    verbatim: int = 0
    supported: int = 0
    partial: int = 0
    marked: int = 0
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
    conflicts: tuple[Conflict, ...] = ()
    references: tuple[Source, ...]
    dropped: tuple[Dropped, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notices: tuple[str, ...] = ()
    tally: Tally
    usage: Usage = Usage()


class Outline(Record):
    """What an analyst writes overview and summary from: the points of every section, and from how many pages they are."""

    topic: Topic
    sections: tuple[Section, ...]
    conflicts: tuple[Conflict, ...] = ()
    read: int = 0


class Run(Record):
    """A run as the store knows it. `owner` is whom a proxy named as the one who asked, "" for nobody in particular."""

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
    owner: str = ""

    @property
    def points(self) -> tuple[Point, ...]:
        """The points of the report, in its order."""
        return tuple(p for s in self.report.sections for p in s.points) if self.report else ()

"""What the API answers: an object as it is, a list as `{"items", "next"}`."""

import datetime as dt
from collections.abc import Sequence
from pathlib import PurePath
from typing import Literal

from pydantic import BaseModel

from leadline.desk import Desk
from leadline.errors import NotFound
from leadline.events import Envelope, PointEvent
from leadline.records import Evidence, Limits, Method, Page, Point, Run, Tally, TaskStatus, Usage, Verdict
from leadline.settings import Settings
from leadline.standing import Board, Standing, fold, judge

CONTEXT = 600
"""Characters of a page that are shown before and after a quote."""


class RunHead(BaseModel):
    """A run as a list shows it."""

    id: str
    topic: str
    language: str
    state: Standing
    created: dt.datetime
    ended: dt.datetime | None
    owner: str
    points: int
    reason: str


class TodoState(BaseModel):
    """A todo and what has become of it."""

    id: int
    title: str
    intent: str
    query: str
    skip: bool
    status: TaskStatus
    points: int
    reason: str


class RunState(RunHead):
    """A run in full. `approved` is false while its plan waits for approval; `events` is the number of its last event."""

    sources: list[str]
    message: str
    revision: int
    approved: bool
    todos: list[TodoState]
    usage: Usage
    limits: Limits
    tally: Tally | None
    events: int


class RunList(BaseModel):
    """Runs, newest first; `next` is the `before` of the rest, null when there is none."""

    items: list[RunHead]
    next: dt.datetime | None


class Excerpt(BaseModel):
    """One citation of a point: the quote between what stands before and after it in the saved page."""

    page: str
    address: str
    title: str
    authors: list[str]
    site: str
    date: str
    verdict: Verdict
    method: Method
    score: float
    before: str
    quote: str
    after: str


class PointEvidence(BaseModel):
    """A point with all that it rests on, best first."""

    id: str
    text: str
    verdict: Verdict
    evidence: list[Excerpt]


class LibraryHead(BaseModel):
    """A library. `uploaded`: it was made over HTTP."""

    name: str
    uploaded: bool


class LibraryState(LibraryHead):
    """A library and what is in it; `skipped` names the files that cannot be read, with the reason."""

    documents: int
    languages: dict[str, float]
    skipped: dict[str, str]


class LibraryList(BaseModel):
    """The libraries by name."""

    items: list[LibraryHead]
    next: None = None


class Found(BaseModel):
    """A document that a search has found, and the place that matched."""

    address: str
    title: str
    snippet: str
    score: float


class FoundList(BaseModel):
    """What was found, best first."""

    items: list[Found]
    next: None = None


class Missing(BaseModel):
    """Something without which less can be done, and the way out."""

    what: str
    fix: str


class Backend(BaseModel):
    """A search backend; where it is not `ready`, `fix` says why and what to do."""

    name: str
    ready: bool
    fix: str


class Configuration(BaseModel):
    """What will run: the first of `models` unless a run names another; with `none` sentences are taken from the sources.

    `web` are the backends that are asked, the second instead of the first, when neither a source nor a backend is named; `user`
    is whom the proxy named, "" for nobody in particular.
    """

    version: str
    models: list[str]
    libraries: list[str]
    search: list[Backend]
    web: list[str]
    missing: list[Missing]
    formats: list[str]
    user: str
    token: bool


class Health(BaseModel):
    """That the server answers, and whether it takes runs yet."""

    status: Literal["ok"] = "ok"
    working: bool


def list_models(settings: Settings) -> list[str]:
    """Return the models that a run may name: the configured one, and none at all."""
    return [*filter(None, [settings.model.name.strip()]), "none"] if settings.model.name != "none" else ["none"]


def head(run: Run, standing: Standing) -> RunHead:
    """Return a run for a list."""
    return RunHead(
        id=run.id,
        topic=run.topic.text,
        language=run.topic.language,
        state=standing,
        created=run.created,
        ended=run.ended,
        owner=run.owner,
        points=len(run.points),
        reason=run.reason,
    )


async def describe(desk: Desk, run: Run) -> RunState:
    """Return a run in full."""
    standing = judge(run, await desk.state(run) if run.status == "running" else None)
    envelopes = await desk.store.runs.events(run.id)
    board = fold(envelopes)
    return RunState(
        **head(run, standing).model_dump(),
        sources=[source if source.startswith("@") else PurePath(source).name for source in run.request.sources],
        message=board.message or board.head,
        revision=board.plan.revision if board.plan else 0,
        approved=board.approved,
        todos=_describe_todos(board),
        usage=run.usage,
        limits=run.request.limits,
        tally=run.report.tally if run.report else None,
        events=envelopes[-1].seq if envelopes else 0,
    )


def _describe_todos(board: Board) -> list[TodoState]:
    return [
        TodoState(**todo.model_dump(exclude={"attempt"}), status=line.status, points=line.points, reason=line.reason)
        for todo in (board.plan.todos if board.plan else ())
        for line in [board.lines[todo.id]]
    ]


def find_point(run: Run, envelopes: Sequence[Envelope], name: str) -> Point:
    """Return a point of a run, from its report or, while there is none, from its events.

    Raises:
        NotFound: there is no such point.
    """
    told = [envelope.event.point for envelope in envelopes if isinstance(envelope.event, PointEvent)]
    for point in [*run.points, *reversed(told)]:
        if point.id == name:
            return point
    raise NotFound(f"Run {run.id} has no point {name!r}.")


async def find_evidence(desk: Desk, run: Run, name: str) -> PointEvidence:
    """Return a point with its quotes in their saved pages.

    Raises:
        NotFound: there is no such point.
    """
    point = find_point(run, await desk.store.runs.events(run.id), name)
    snapshots = desk.store.snapshots(run.id)
    excerpts = [_excerpt(evidence, await snapshots.load(evidence.page)) for evidence in point.evidence]
    return PointEvidence(id=point.id, text=point.text, verdict=point.verdict, evidence=excerpts)


def _excerpt(evidence: Evidence, page: Page) -> Excerpt:
    start, end = max(0, evidence.start - CONTEXT), evidence.end + CONTEXT
    return Excerpt(
        **page.model_dump(include={"address", "title", "authors", "site", "date"}),
        **evidence.model_dump(include={"page", "verdict", "method", "score", "quote"}),
        before=page.text[start : evidence.start],
        after=page.text[evidence.end : end],
    )

"""What a run says while it works: a closed union of payloads, and the envelope they travel in.

`status` and `task` keep the shapes `{"type":"status","message":…}` and `{"type":"task","task":{"id","title","status"}}`. The
run's id and the sequence number are in the envelope (SSE id, JSONL wrapper), never in the payload. docs/events.md lists all.
"""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from leadline.records import Conflict, Plan, Point, Record, Report, RunStatus, Source, TaskStatus, Usage


class Task(Record):
    """A todo as progress shows it."""

    id: int
    title: str
    status: TaskStatus


class StatusEvent(Record):
    """A sentence about what is being done now."""

    type: Literal["status"] = "status"
    message: str


class TaskEvent(Record):
    """A todo has changed state."""

    type: Literal["task"] = "task"
    task: Task


class PlanEvent(Record):
    """A revision of the plan is in force; or, if not `approved`, waits for somebody's approval."""

    type: Literal["plan"] = "plan"
    plan: Plan
    approved: bool = True


class SourcesEvent(Record):
    """The pages that a todo has read."""

    type: Literal["sources"] = "sources"
    todo: int
    sources: tuple[Source, ...]


class PointEvent(Record):
    """A point has passed its check."""

    type: Literal["point"] = "point"
    todo: int
    point: Point


class NoteEvent(Record):
    """A todo's note was saved."""

    type: Literal["note"] = "note"
    todo: int
    note: str


class UsageEvent(Record):
    """What the run has used so far."""

    type: Literal["usage"] = "usage"
    usage: Usage


class ConflictEvent(Record):
    """Two points that were told before differ in a number, a date or an outcome, and are otherwise the same."""

    type: Literal["conflict"] = "conflict"
    conflict: Conflict


class ReportEvent(Record):
    """The report is written."""

    type: Literal["report"] = "report"
    report: Report


class ErrorEvent(Record):
    """Something failed; `todo` is None when it concerns the run as a whole."""

    type: Literal["error"] = "error"
    message: str
    todo: int | None = None


class DoneEvent(Record):
    """The run has ended; nothing follows until it is changed or resumed."""

    type: Literal["done"] = "done"
    status: RunStatus


Event = Annotated[
    StatusEvent
    | TaskEvent
    | PlanEvent
    | SourcesEvent
    | PointEvent
    | NoteEvent
    | UsageEvent
    | ConflictEvent
    | ReportEvent
    | ErrorEvent
    | DoneEvent,
    Field(discriminator="type"),
]


class Envelope(Record):
    """An event as it travels and is stored: `seq` counts from 1 within a run, without gaps."""

    run: str
    seq: int
    event: Event


class Call(Record):
    """Something that a run has done and recorded: a search, a todo, a point. `seconds` is how long it took until `ended`."""

    key: str
    kind: str
    ended: dt.datetime
    seconds: float

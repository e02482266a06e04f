"""Where a run stands: folded from its events, and judged by who has it in work."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from leadline.engine import State
from leadline.events import Envelope, ErrorEvent, Event, PlanEvent, PointEvent, ReportEvent, StatusEvent, TaskEvent
from leadline.records import Plan, Run, RunStatus, TaskStatus

Standing = RunStatus | Literal["queued", "working", "interrupted"]

ENDED: frozenset[TaskStatus] = frozenset({"completed", "empty", "failed", "skipped", "cancelled"})


@dataclass(slots=True)
class Line:
    """A todo as it stands."""

    title: str
    key: str = ""
    status: TaskStatus = "pending"
    points: int = 0
    reason: str = ""


@dataclass(slots=True)
class Board:
    """The state of a run, folded from its events. Another thread may draw it meanwhile."""

    head: str = ""
    message: str = ""
    plan: Plan | None = None
    approved: bool = True
    lines: dict[int, Line] = field(default_factory=dict)

    @property
    def ended(self) -> int:
        """How many todos have ended."""
        return sum(line.status in ENDED for line in list(self.lines.values()))

    def take(self, event: Event) -> None:
        """Take one event in. A todo whose content or attempt is another one begins anew."""
        match event:
            case StatusEvent(message=message):
                self.head, self.message = (self.head, message) if self.head else (message, "")
            case PlanEvent(plan=plan, approved=approved):
                self.plan, self.approved, old = plan, approved, self.lines
                new = {todo.id: Line(todo.title, todo.key) for todo in plan.todos}
                self.lines = {n: old[n] if n in old and old[n].key == line.key else line for n, line in new.items()}
            case TaskEvent(task=task):
                line = self.lines.setdefault(task.id, Line(task.title))
                line.status = task.status
                line.reason = "" if task.status == "in_progress" else line.reason
            case PointEvent(todo=todo) if todo in self.lines:
                self.lines[todo].points += 1
            case ReportEvent(report=report):
                for section in report.sections:
                    if section.todo.id in self.lines:
                        self.lines[section.todo.id].points = len(section.points)
            case ErrorEvent(message=message, todo=int(todo)) if todo in self.lines:
                self.lines[todo].reason = message
            case _:
                pass


def judge(run: Run, state: State | None) -> Standing:
    """Return where a run stands.

    Args:
        run: as the store has it.
        state: as the engine has it; None if nobody asked. A run that has not ended and that nobody has is interrupted.
    """
    if run.status != "running":
        return run.status
    return state if state in ("queued", "working") else "interrupted"


def fold(envelopes: Sequence[Envelope]) -> Board:
    """Return what the events of a run make of its plan."""
    board = Board()
    for envelope in envelopes:
        board.take(envelope.event)
    return board

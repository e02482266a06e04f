"""A run in DBOS's books: a workflow per round. A run that has ended and is wanted again gets a further round.

DBOS never starts an ended workflow again, so the number of the round is part of the workflow's id. Two processes that ask
for the next round at once make the same id, and so one workflow.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from dbos import WorkflowStatus

WORKFLOW = "run"
SHARED_QUEUE = "runs"
_PRIVATE = "at-"

Stage = Literal["queued", "started", "ended"]

_STAGES: dict[str, Stage] = {"ENQUEUED": "queued", "DELAYED": "queued", "PENDING": "started"}
LIVE = ["ENQUEUED", "PENDING"]


def private_queue(executor: str) -> str:
    """Return the name of the queue that only one executor listens to."""
    return _PRIVATE + executor


@dataclass(frozen=True, slots=True)
class Round:
    """One workflow. `executor` has taken it, or is the only one that may; None while it waits in the shared queue."""

    id: str
    run: str
    number: int
    stage: Stage
    executor: str | None
    version: str | None
    needs: tuple[str, ...]


def next_id(run: str, last: Round | None) -> str:
    """Return the workflow id of the round after `last`."""
    return f"{run}.{last.number + 1 if last else 1}"


def read_round(status: WorkflowStatus) -> Round:
    """Return what DBOS has on a workflow as a round."""
    run, _, number = status.workflow_id.rpartition(".")
    stage = _STAGES.get(status.status, "ended")
    executor = status.executor_id
    if stage == "queued":
        queue = status.queue_name or ""
        executor = queue.removeprefix(_PRIVATE) if queue.startswith(_PRIVATE) else None
    args = status.input["args"] if status.input else ()
    needs = tuple(args[1]) if len(args) > 1 else ()
    return Round(status.workflow_id, run, int(number), stage, executor, status.app_version, needs)


def pick_last(rounds: Iterable[Round]) -> Round | None:
    """Return the round with the highest number, None if there is none."""
    return max(rounds, key=lambda r: r.number, default=None)

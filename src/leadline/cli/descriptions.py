"""Runs in words and as JSON."""

import datetime as dt
import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from leadline.cli.closing import count
from leadline.cli.progress import remark, sign
from leadline.pipeline.rendering import describe_tally
from leadline.records import Run
from leadline.standing import Board, Standing

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
_ORDER = "{run:<8}  {standing:<11}  {points:>10}  {age:>6}  {topic}"


def as_row(run: Run, standing: Standing, now: dt.datetime) -> str:
    """Return a run as one line of a list."""
    return _ORDER.format(
        run=run.id,
        standing=standing,
        points=count(len(run.points), "point") if run.report else "",
        age=age((now - run.created).total_seconds()),
        topic=" ".join(run.topic.text.split()),
    )


def age(seconds: float) -> str:
    """Return a duration in its largest unit."""
    size, unit = next((each for each in _UNITS if seconds >= each[0]), _UNITS[-1])
    return f"{max(int(seconds // size), 0)} {unit}"


def as_text(run: Run, standing: Standing, board: Board, files: Sequence[Path], ascii_only: bool) -> list[str]:
    """Return all that is worth saying about a run, line by line."""
    points = f" · {count(len(run.points), 'point')}" if run.report else ""
    head = [
        f"run {run.id} · {standing}{points}",
        f"  topic    {' '.join(run.topic.text.split())}",
        f"  sources  {', '.join(run.request.sources)}",
        f"  created  {_moment(run.created)}",
    ]
    if run.ended:
        head.append(f"  ended    {_moment(run.ended)}")
    if run.reason:
        head.append(f"  reason   {run.reason}")
    return [*head, *_plan_lines(run, board, ascii_only), *_report_lines(run), *(f"  file     {file}" for file in files)]


def _plan_lines(run: Run, board: Board, ascii_only: bool) -> list[str]:
    waits = run.status == "running" and not board.approved
    head = f"  plan     waits for approval: leadline runs approve {run.id}" if waits else "  plan"
    lines = [head] if board.lines else []
    for number, line in board.lines.items():
        why = f": {line.reason}" if line.reason else ""
        lines.append(f"    {sign(line.status, ascii_only)} {number:>2}  {line.title} ({remark(line)}{why})")
    return lines


def _report_lines(run: Run) -> list[str]:
    if run.report is None:
        return []
    notes = [f"  notes    leadline notes list --run {run.id}"] if run.points else []
    return [f"  report   {describe_tally(run.report)}", f"  read     leadline open {run.id}", *notes]


def _moment(moment: dt.datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"


def as_json(run: Run, standing: Standing, board: Board | None = None, **more: JsonValue) -> str:
    """Return a run as one line of JSON.

    Args:
        run: as the store has it.
        standing: where it stands.
        board: its plan, if that is wanted too.
        more: what else the command has to say.
    """
    data: dict[str, object] = {
        "run": run.id,
        "state": standing,
        "topic": run.topic.text,
        "language": run.topic.language,
        "sources": run.request.sources,
        "created": run.created.isoformat(),
        "ended": run.ended.isoformat() if run.ended else None,
        "points": len(run.points),
        "reason": run.reason,
    }
    if board is not None:
        data["todos"] = [
            {"id": number, "title": line.title, "status": line.status, "points": line.points, "reason": line.reason}
            for number, line in board.lines.items()
        ]
        data["tally"] = run.report.tally.model_dump() if run.report else None
    return json.dumps({**data, **more}, ensure_ascii=False)

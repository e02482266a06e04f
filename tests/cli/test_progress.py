"""The state of a run as its events make it."""

import io

import pytest
from rich.console import Console

from leadline.cli.progress import LiveList, PlainLines, remark, sign, speak
from leadline.events import Envelope, ErrorEvent, Event, PlanEvent, PointEvent, StatusEvent, Task, TaskEvent
from leadline.records import Plan, Point, Todo
from leadline.standing import Board, Line

TODOS = (
    Todo(id=1, title="What a dead row is", query="dead row"),
    Todo(id=2, title="冻结 \x1b[31m", query="冻结"),
    Todo(id=3, title="What blocks cleanup", query="blocks cleanup"),
)
EVENTS: tuple[Event, ...] = (
    StatusEvent(message="extractive, no model · sources: docs · no host is asked"),
    PlanEvent(plan=Plan(todos=TODOS)),
    TaskEvent(task=Task(id=1, title="What a dead row is", status="in_progress")),
    StatusEvent(message="Searching: dead row"),
    PointEvent(todo=1, point=Point(id="p", text="A dead row.", evidence=())),
    TaskEvent(task=Task(id=1, title="What a dead row is", status="completed")),
    TaskEvent(task=Task(id=2, title="冻结 \x1b[31m", status="empty")),
    ErrorEvent(message="the disk is full", todo=3),
    TaskEvent(task=Task(id=3, title="What blocks cleanup", status="failed")),
)


def _envelopes() -> list[Envelope]:
    return [Envelope(run="r", seq=n, event=event) for n, event in enumerate(EVENTS, 1)]


def test_the_board_counts_what_has_ended() -> None:
    board = Board()
    for event in EVENTS:
        board.take(event)
    assert board.head.startswith("extractive")
    assert (board.ended, len(board.lines)) == (3, 3)
    assert [remark(line, speak("en")) for line in board.lines.values()] == ["1 point", "found nothing", "failed"]


def test_a_todo_is_spoken_of_in_the_language_of_its_run() -> None:
    found, bare = Line("冻结", status="completed", points=6), Line("冻结", status="empty")
    assert [remark(line, speak("zh")) for line in (found, bare)] == ["共 6 个要点", "未找到内容"]


def test_a_todo_whose_points_stand_elsewhere_does_not_look_done() -> None:
    line = Line("Bloat", status="completed")
    assert (sign(line, ascii_only=False), remark(line, speak("en"))) == ("○", "nothing of its own")


def test_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    progress = PlainLines(ascii_only=False)
    for envelope in _envelopes():
        progress.show(envelope)
    assert capsys.readouterr().err.splitlines() == [
        "extractive, no model · sources: docs · no host is asked",
        "  1. What a dead row is",
        "  2. 冻结 ␛[31m",
        "  3. What blocks cleanup",
        "Searching: dead row",
        "[1/3] ✓ What a dead row is: 1 point",
        "[2/3] ○ 冻结 ␛[31m: found nothing",
        "[3/3] ✗ What blocks cleanup: failed: the disk is full",
    ]


@pytest.mark.parametrize("width", [80, 120])
def test_the_live_list_fits_and_obeys_no_title(width: int) -> None:
    out = io.StringIO()
    console = Console(file=out, width=width, height=24, force_terminal=True, color_system=None)
    progress = LiveList(console, ascii_only=False)
    for envelope in _envelopes():
        progress.show(envelope)
    console.print(progress.draw())
    assert "\x1b[31m" not in out.getvalue()
    last = out.getvalue().split("extractive")[-1].splitlines()
    assert [line.split()[0] for line in last[1:4]] == ["✓", "○", "✗"]
    assert last[4].strip() == "3: the disk is full"
    assert "3/3" in last[5]
    assert max(map(len, last)) <= width

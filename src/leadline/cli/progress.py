"""What a run says while it works, for a person: a live list of todos on a terminal, plain lines elsewhere."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from leadline.cli.streams import WIDEST, printable, say
from leadline.events import Envelope, PlanEvent, StatusEvent, TaskEvent
from leadline.records import TaskStatus
from leadline.standing import ENDED, Board, Line

SIGNS: dict[TaskStatus, tuple[str, str, str]] = {
    "pending": ("·", ".", "dim"),
    "in_progress": ("›", ">", "cyan"),
    "completed": ("✓", "+", "green"),
    "empty": ("○", "o", "yellow"),
    "failed": ("✗", "x", "red"),
    "skipped": ("–", "-", "dim"),
    "cancelled": ("–", "-", "dim"),
}
"""Sign, its stand-in where the console has ASCII only, style."""

WORDS: dict[TaskStatus, str] = {
    "pending": "waiting",
    "in_progress": "working",
    "completed": "complete",
    "empty": "found nothing",
    "failed": "failed",
    "skipped": "skipped",
    "cancelled": "cancelled",
}


def remark(line: Line) -> str:
    """Return what there is to say about a todo, in a few words."""
    if line.status == "completed":
        return "1 point" if line.points == 1 else f"{line.points} points"
    return WORDS[line.status]


class Progress:
    """Shows the events of a run as they come; this one shows nothing."""

    def __init__(self) -> None:
        self._board = Board()

    def show(self, envelope: Envelope) -> None:
        """Show one event."""
        self._board.take(envelope.event)

    def recall(self, envelopes: Sequence[Envelope]) -> None:
        """Take in what has happened before, without telling it again."""
        for envelope in envelopes:
            self._board.take(envelope.event)

    def remark(self, text: str) -> None:
        """Say something that is no event."""

    def abandon(self) -> None:
        """Leave the terminal as it was found; the process ends at once."""


class PlainLines(Progress):
    """Writes a line to stderr whenever something has happened."""

    def __init__(self, ascii_only: bool) -> None:
        super().__init__()
        self._ascii = ascii_only

    def show(self, envelope: Envelope) -> None:
        """Write the event's line, if it has one."""
        super().show(envelope)
        event = envelope.event
        if isinstance(event, StatusEvent):
            say(event.message)
        elif isinstance(event, PlanEvent):
            for todo in event.plan.todos:
                say(f"  {todo.id}. {todo.title}")
            if not event.approved:
                say(f"to begin the work on it: leadline runs approve {envelope.run}")
        elif isinstance(event, TaskEvent) and event.task.status in ENDED:
            board, line = self._board, self._board.lines[event.task.id]
            why = f": {line.reason}" if line.reason else ""
            say(f"[{board.ended}/{len(board.lines)}] {sign(line.status, self._ascii)} {line.title}: {remark(line)}{why}")

    def remark(self, text: str) -> None:
        """Write a line."""
        say(text)


class LiveList(Progress):
    """Keeps a list of todos and a progress bar up to date at the foot of a terminal. `draw` gives it as it is now."""

    def __init__(self, console: Console, ascii_only: bool) -> None:
        super().__init__()
        self._console = console
        self._ascii = ascii_only
        self._remark = ""
        self._began = time.monotonic()
        self._spinner = Spinner("line" if ascii_only else "dots", style="cyan")

    def remark(self, text: str) -> None:
        """Show a line under the list."""
        self._remark = text

    def abandon(self) -> None:
        """Show the cursor again, at the start of a line."""
        self._console.show_cursor(True)
        self._console.print()

    def draw(self) -> RenderableType:
        """Return the list, the reasons of what failed, the bar and what is being done."""
        board, lines = self._board, list(self._board.lines.items())
        head = printable(board.head) if board.head else "Looking through the sources"
        parts: list[RenderableType] = [Text(head, style="bold")]
        if lines:
            reasons = [Text(printable(f"  {number}: {line.reason}"), style="red") for number, line in lines if line.reason]
            parts += [Constrain(self._draw_todos(lines), WIDEST), *reasons, self._draw_bar(len(lines))]
        if self._remark:
            parts.append(Text(printable(self._remark), style="yellow"))
        elif board.ended < len(lines) or not lines:
            parts.append(Text(printable(board.message), style="dim", no_wrap=True, overflow="ellipsis"))
        return Group(*parts)

    def _draw_todos(self, lines: Sequence[tuple[int, Line]]) -> Table:
        table = Table.grid(padding=(0, 1), expand=True)
        table.add_column(width=1)
        table.add_column(justify="right")
        table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        table.add_column(justify="right", no_wrap=True, overflow="ellipsis")
        for number, line in lines:
            style = SIGNS[line.status][2]
            mark = self._spinner if line.status == "in_progress" else Text(sign(line.status, self._ascii), style=style)
            table.add_row(mark, str(number), Text(printable(line.title)), Text(remark(line), style=style))
        return table

    def _draw_bar(self, total: int) -> Table:
        ended = self._board.ended
        table = Table.grid(padding=(0, 1))
        seconds = time.monotonic() - self._began
        bar = ProgressBar(total=total, completed=ended, width=40)
        table.add_row(bar, f"{ended} of {total} todos", Text(f"{seconds:.1f} s", style="dim"))
        return table


def sign(status: TaskStatus, ascii_only: bool) -> str:
    """Return the sign of a state."""
    return SIGNS[status][1 if ascii_only else 0]


@contextmanager
def open_progress(quiet: bool) -> Iterator[Progress]:
    """Yield what shows the progress of a run on this process's stderr."""
    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    ascii_only = not console.encoding.startswith("utf")
    if quiet:
        yield Progress()
    elif not console.is_terminal or console.is_dumb_terminal:
        yield PlainLines(ascii_only)
    else:
        todos = LiveList(console, ascii_only)
        with Live(
            get_renderable=todos.draw, console=console, redirect_stdout=False, redirect_stderr=False, refresh_per_second=10
        ):
            yield todos

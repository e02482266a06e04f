"""A plan in a person's editor, as often as it takes to read it back."""

import shutil
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import click

from leadline.cli.streams import printable
from leadline.errors import PlanError, UsageError
from leadline.pipeline.plan import check_todos
from leadline.pipeline.plan_text import read_plan, write_plan
from leadline.records import Plan, TaskStatus, Todo
from leadline.settings import Settings

EDITORS = ("nano", "vi", "notepad")
"""Tried in this order where neither VISUAL nor EDITOR is set."""

_FIRST = "# Save and close to put this plan in force; close unsaved to leave it as it is.\n"
_HELP = """
# [ ] to be done   [x] done   [o] done, found nothing   [-] skip it   [r] do it again
# A todo whose title, query or intent you change is done again.
# An item that you take out is dropped. The order is that of the report.
# `- [ ] Title` adds one; without a query its title is searched for.
"""


def edit_plan(plan: Plan, done: Mapping[str, TaskStatus], settings: Settings) -> Sequence[Todo] | None:
    """Let a person edit a plan, and return its todos; None when it was left as it was.

    A mistake opens the editor again, with the mistake in the first line; the lines keep their numbers.

    Args:
        plan: what to edit.
        done: what became of the todos that have a result, by key.
        settings: name the editor.

    Raises:
        UsageError: there is no editor, or it failed.
    """
    editor = find_editor(settings)
    text = _FIRST + write_plan(plan, done) + _HELP
    while True:
        edited = _open(editor, text)
        if edited is None or not any(line.strip() and not line.startswith("#") for line in edited.splitlines()):
            return None
        try:
            todos = read_plan(edited, plan)
            check_todos(todos)
        except PlanError as error:
            text = _name_mistake(edited, error)
            continue
        return None if todos == plan.todos else todos


def find_editor(settings: Settings) -> str:
    """Return the command that opens a file for editing.

    Raises:
        UsageError: there is none.
    """
    if settings.editor:
        return settings.editor
    found = next((name for name in EDITORS if shutil.which(name)), None)
    if found is None or not sys.stdin.isatty():
        raise UsageError("There is no editor to open the plan in: set VISUAL or EDITOR to one, for example EDITOR=nano.")
    return found


def _name_mistake(text: str, error: PlanError) -> str:
    """Put the mistake in place of the first line if that is a comment, so that no line changes its number."""
    first, _, rest = text.partition("\n")
    return f"# {error}\n{rest if first.startswith('#') else text}"


def _open(editor: str, text: str) -> str | None:
    """Return the text that was saved; None if it was closed unsaved."""
    try:
        with _deaf():
            return click.edit(printable(text), editor=editor, extension=".md")
    except click.ClickException as error:
        reason = error.format_message()
        raise UsageError(f"The editor {editor!r} failed ({reason}): set VISUAL or EDITOR to one that works.") from error


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C in the editor is the editor's. A handler that does nothing, for an ignored signal would be ignored there too."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

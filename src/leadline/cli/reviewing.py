"""Asking a person about a plan before it is run."""

import sys

import click

from leadline.cli.editing import edit_plan
from leadline.cli.streams import complain, say
from leadline.errors import UsageError
from leadline.records import Plan
from leadline.settings import Settings


def review(plan: Plan, settings: Settings) -> Plan | None:
    """Show a plan, and return it as the person wants it run; None when it is not to be run.

    Raises:
        UsageError: there is no terminal to ask on.
    """
    if not sys.stdin.isatty() or not sys.stderr.isatty():
        raise UsageError("--review-plan asks on a terminal, and there is none: edit what --plan-only prints, then --plan FILE.")
    while True:
        _show(plan)
        match click.prompt("Run it, edit it or quit? [r/e/q]", default="r", err=True).strip().lower():
            case "r" | "run":
                return plan
            case "e" | "edit":
                plan = _edit(plan, settings)
            case "q" | "quit":
                return None
            case other:
                say(f"{other!r} is none of r, e and q.")


def _edit(plan: Plan, settings: Settings) -> Plan:
    try:
        todos = edit_plan(plan, {}, settings)
    except UsageError as error:
        complain(str(error))
        return plan
    return plan.model_copy(update={"todos": tuple(todos)}) if todos else plan


def _show(plan: Plan) -> None:
    for todo in plan.todos:
        say(f"  {todo.id}. {todo.title}{' (skipped)' if todo.skip else ''}")
        say(f"     searches for: {todo.query}")

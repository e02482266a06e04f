"""What can be typed about runs. Like `commands`, it imports nothing but click before a command runs."""

from typing import Any

import click

from leadline.cli.parameters import EXIT_STATUS, Count, Output, body, going_on_options, json_option, run_argument


@click.group(short_help="List, follow, change, resume and delete runs.")
def runs() -> None:
    """List, follow, change, resume and delete runs.

    RUN is the start of a run's id; without it, the latest run is meant.
    """


@runs.command("list")
@click.option("--limit", type=Count(1), default=20, metavar="N", help="How many at most; 20 by default.")
@json_option
def list_runs(**options: Any) -> Any:
    """List runs, newest first."""
    return body("runs").list_runs(**options)


@runs.command("show")
@run_argument
@json_option
def show_run(**options: Any) -> Any:
    """Show where RUN stands: its plan, its figures, its files."""
    return body("runs").show_run(**options)


@runs.command("watch", epilog=EXIT_STATUS)
@run_argument
@json_option
def watch_run(**options: Any) -> Any:
    """Follow RUN, in whatever process it works, and end with its exit status. Ctrl-C stops watching, not the run."""
    return body("watching").watch_run(**options)


@runs.command("cancel")
@run_argument
@json_option
def cancel_run(**options: Any) -> Any:
    """Cancel RUN, and return when whoever works on it has confirmed that. What it has found is kept."""
    return body("runs").cancel_run(**options)


@runs.command("resume", epilog=EXIT_STATUS)
@run_argument
@going_on_options
def resume_run(**options: Any) -> Any:
    """Let RUN go on where it was cancelled or interrupted, or try it again if it failed. Nothing is done twice."""
    return body("changes").resume_run(**options)


@runs.command("approve", epilog=EXIT_STATUS)
@run_argument
@going_on_options
def approve_run(**options: Any) -> Any:
    """Let the work on RUN's plan begin, which waits for that."""
    return body("changes").approve_run(**options)


@runs.command("retry", epilog=EXIT_STATUS)
@run_argument
@click.option("--todo", "todos", type=Count(1), multiple=True, metavar="N", help="Its number in the plan; may be repeated.")
@going_on_options
def retry_run(**options: Any) -> Any:
    """Do todos of RUN again: those named, else those that failed or found nothing."""
    return body("changes").retry_run(**options)


@runs.command("edit", epilog=EXIT_STATUS)
@run_argument
@going_on_options
def edit_run(**options: Any) -> Any:
    """Edit the plan of RUN in $VISUAL or $EDITOR, while it works or after. Only what changed is done again."""
    return body("changes").edit_run(**options)


@runs.command("refresh", epilog=EXIT_STATUS)
@run_argument
@going_on_options
def refresh_run(**options: Any) -> Any:
    """Read the sources of RUN again, redo the todos whose sources changed, and show what that changed in the report."""
    return body("changes").refresh_run(**options)


@runs.command("export")
@run_argument
@click.option(
    "-o",
    "--output",
    type=Output(),
    required=True,
    metavar="FILE|DIR",
    help="One file: .md, .html, .pdf, .docx, .json, .csl.json, .bib or .zip; or a folder.",
)
@json_option
def export_run(**options: Any) -> Any:
    """Write the report of RUN into one file, in the format of its name, or all that it has found into a folder.

    A .zip holds the evidence too, with the full texts of the sources: `leadline verify` checks it.
    """
    return body("runs").export_run(**options)


@runs.command("delete")
@run_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def delete_run(**options: Any) -> Any:
    """Delete RUN with its notes, and the saved pages that no other run uses. On a terminal it asks first."""
    return body("runs").delete_run(**options)

"""What can be typed: every command with its options and help. Imports nothing but click, so that help is there at once."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from leadline.cli.parameters import EXIT_STATUS, Count, Output, Text, json_option, run_argument
from leadline.cli.run_commands import runs
from leadline.cli.streams import put

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 96}


def show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print the version and stop."""
    if value:
        put(f"leadline {version('leadline')}")
        ctx.exit()


@click.group(context_settings=SETTINGS, epilog=EXIT_STATUS)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version, help="Print the version.")
def leadline() -> None:
    """Turn a question into a plan of to-dos, research each, and write a report whose every cited sentence was checked.

    \b
    leadline research "How are dead rows reclaimed?" --in FOLDER
    """


@leadline.command(epilog=EXIT_STATUS, short_help="Research a question and write a report.")
@click.argument("topic", type=Text())
@click.option("--in", "sources", metavar="PATH", multiple=True, help="A file, a folder or @NAME of a library; may be repeated.")
@click.option("--todos", type=Count(1, 12), metavar="1-12", help="How many todos to plan; 3 to 5 by default.")
@click.option("--language", metavar="CODE", help="Language of the report, as en, zh or zh-Hant; the topic's by default.")
@click.option("--out", type=Output(), metavar="DIR", help="Write report.md, report.json, events.jsonl and notes/.")
@click.option("--format", "shape", type=click.Choice(["md", "json"]), default="md", help="What stdout gets; md by default.")
@click.option("--plan-only", is_flag=True, help="Print the plan as JSON and stop.")
@click.option("--plan", "plan_file", metavar="FILE", help="Run this plan (as --plan-only prints it, edited); - is stdin.")
@click.option("--review-plan", is_flag=True, help="Show the plan and ask: run, edit or quit.")
@click.option("--detach", is_flag=True, help="Leave the run to a worker, print its id and return at once.")
@click.option("--priority", type=Count(1), metavar="N", help="With --detach: 1 goes first, 100 is the default.")
@click.option("--max-points", type=Count(1), metavar="N", help="Most points in the whole report.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@click.option("-v", "--verbose", is_flag=True, help="More on stderr: skipped files and dropped points, one by one.")
def research(**options: Any) -> int:
    """Research TOPIC and write a report.

    On a terminal the report is rendered; piped, it is Markdown. Progress goes to stderr.
    """
    from leadline.cli.research import Order, carry_out

    return carry_out(Order(**options))


leadline.add_command(runs)


@leadline.command("open")
@run_argument
@click.option("--print", "only_print", is_flag=True, help="Print the file's path, and open nothing.")
def open_report(**options: Any) -> None:
    """Write the report of RUN as one HTML file and open it in a browser. Without RUN it is that of the latest run."""
    from leadline.cli import page as body

    body.open_report(**options)


@leadline.command()
@click.option("--at-once", type=Count(1), default=16, metavar="N", help="Runs that it carries out at once; 16 by default.")
@click.option("--overall", type=Count(1), metavar="N", help="Runs that all workers together carry out at once.")
@click.option("--until-idle", is_flag=True, help="End when nothing is left to do.")
def worker(**options: Any) -> int:
    """Take runs from the queue and carry them out; go on with those whose process has died. SIGTERM stops it cleanly."""
    from leadline.cli import worker as body

    return body.work(**options)


@leadline.command(short_help="Open a page to ask, watch and read on, with an API.")
@click.option("--port", type=Count(0, 65535), default=7733, metavar="N", help="7733 by default; 0 takes any that is free.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Listen there; any but loopback needs a token.")
@click.option("--token-file", type=click.Path(path_type=Path), metavar="FILE", help="Holds the token, as LEADLINE_TOKEN does.")
@click.option("--allowed-host", "allowed_hosts", multiple=True, metavar="NAME", help="Answer to this name too; repeatable.")
@click.option("--root-path", default="", metavar="PATH", help="The path that a proxy serves it under, as /leadline.")
@click.option("--trusted-proxy", "proxies", multiple=True, metavar="ADDRESS", help="Address or network of a proxy; repeatable.")
@click.option("--user-header", default="", metavar="NAME", help="Header in which a trusted proxy names the user.")
@click.option("--at-once", type=Count(1), default=16, metavar="N", help="Runs that it carries out at once; 16 by default.")
def serve(**options: Any) -> int:
    """Serve a page and an API, and carry out the runs asked for there. Ctrl-C stops it; runs go on at the next start."""
    from leadline.cli.serving import Door, serve

    return serve(Door(**options))


@leadline.group(short_help="Read the notes that runs have saved.")
def notes() -> None:
    """Read the notes that runs have saved: one for each todo that found something."""


@notes.command("list")
@click.option("--run", metavar="RUN", help="Only those of one run, by its id or the start of it.")
@click.option("--limit", type=Count(1), default=100, metavar="N", help="How many at most; 100 by default.")
@json_option
def list_notes(**options: Any) -> None:
    """List notes, newest first."""
    from leadline.cli import notes as body

    body.list_notes(**options)


@notes.command("show")
@click.argument("note", type=Text())
@json_option
def show_note(**options: Any) -> None:
    """Show NOTE, by the id that `list` prints."""
    from leadline.cli import notes as body

    body.show_note(**options)


@notes.command("search")
@click.argument("words", type=Text(), nargs=-1, required=True)
@click.option("--limit", type=Count(1), default=20, metavar="N", help="How many at most; 20 by default.")
@json_option
def search_notes(words: tuple[str, ...], **options: Any) -> None:
    """List the notes that hold all of WORDS, newest first."""
    from leadline.cli import notes as body

    body.search_notes(" ".join(words), **options)


@leadline.group(short_help="Name folders of documents for --in @NAME.")
def library() -> None:
    """Name folders of documents, so that `--in @NAME` finds them from anywhere."""


@library.command("add")
@click.argument("name", type=Text())
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-v", "--verbose", is_flag=True, help="List the skipped files.")
def add_library(**options: Any) -> None:
    """Name the files and folders PATH... and index them."""
    from leadline.cli import library as body

    body.add_library(**options)


@library.command("list")
@json_option
def list_libraries(**options: Any) -> None:
    """List the libraries and what they hold."""
    from leadline.cli import library as body

    body.list_libraries(**options)


@library.command("search")
@click.argument("name", type=Text())
@click.argument("words", type=Text(), nargs=-1, required=True)
@click.option("--limit", type=Count(1), default=10, metavar="N", help="How many at most; 10 by default.")
@json_option
def search_library(words: tuple[str, ...], **options: Any) -> None:
    """Show what a run would find for WORDS in the library NAME."""
    from leadline.cli import library as body

    body.search_library(query=" ".join(words), **options)


@library.command("remove")
@click.argument("name", type=Text())
def remove_library(**options: Any) -> None:
    """Forget the library NAME. The documents themselves stay."""
    from leadline.cli import library as body

    body.remove_library(**options)


@leadline.group("eval", short_help="Write predictions for a benchmark.")
def evaluate() -> None:
    """Write predictions for a benchmark, made by the same research that everybody uses."""


@evaluate.command()
@click.option("--data", type=click.Path(path_type=Path), required=True, metavar="DIR", help="The benchmark's data.")
@click.option("-o", "--output", type=Output(), required=True, metavar="FILE", help="JSONL to write.")
def summhay(data: Path, output: Path) -> None:
    """Answer the queries of SummHay."""
    from leadline.cli import evaluation as body

    body.predict_summhay(data, output)

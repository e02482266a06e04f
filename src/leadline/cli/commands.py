"""What can be typed: every command with its options and help. Imports nothing but click, so that help is there at once."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from leadline.cli.streams import put, recover

EXIT_STATUS = """\b
Exit status:
  0    complete
  1    failed
  2    wrong use: nothing was done
  3    finished but incomplete: a todo failed or found nothing
  130  interrupted: notes are kept"""

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 96}


class Text(click.ParamType[str]):
    """Text as typed, whatever the locale."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Undo what a C locale does to UTF-8 arguments."""
        return recover(value)


class Count(click.ParamType[int]):
    """A whole number between two bounds."""

    name = "number"

    def __init__(self, least: int, most: int | None = None) -> None:
        self._least, self._most = least, most

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number or say which ones are allowed."""
        number = int(value) if str(value).isdecimal() else None
        if number is None or number < self._least or (self._most is not None and number > self._most):
            allowed = f"{self._least} to {self._most}" if self._most else f"{self._least} or more"
            self.fail(f"{value!r} is not allowed; give a whole number, {allowed}, for example {self._least + 4}.", param, ctx)
        return number


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
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Write report.md, report.json, events.jsonl and notes/."
)
@click.option("--format", "shape", type=click.Choice(["md", "json"]), default="md", help="What stdout gets; md by default.")
@click.option("--plan-only", is_flag=True, help="Print the plan as JSON and stop.")
@click.option("--plan", "plan_file", metavar="FILE", help="Run this plan (as --plan-only prints it, edited); - is stdin.")
@click.option("--max-points", type=Count(1), metavar="N", help="Most points in the whole report.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@click.option("-v", "--verbose", is_flag=True, help="More on stderr: skipped files and dropped points, one by one.")
def research(**options: Any) -> int:
    """Research TOPIC and write a report.

    On a terminal the report is rendered; piped, it is Markdown. Progress goes to stderr.
    """
    from leadline.cli.research import Order, carry_out

    return carry_out(Order(**options))


@leadline.group(short_help="Read the notes that runs have saved.")
def notes() -> None:
    """Read the notes that runs have saved: one for each todo that found something."""


@notes.command("list")
@click.option("--run", metavar="RUN", help="Only those of one run, by its id or the start of it.")
@click.option("--limit", type=Count(1), default=100, metavar="N", help="How many at most; 100 by default.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_notes(**options: Any) -> None:
    """List notes, newest first."""
    from leadline.cli import notes as body

    body.list_notes(**options)


@notes.command("show")
@click.argument("note", type=Text())
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def show_note(**options: Any) -> None:
    """Show NOTE, by the id that `list` prints."""
    from leadline.cli import notes as body

    body.show_note(**options)


@notes.command("search")
@click.argument("words", type=Text(), nargs=-1, required=True)
@click.option("--limit", type=Count(1), default=20, metavar="N", help="How many at most; 20 by default.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
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
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_libraries(**options: Any) -> None:
    """List the libraries and what they hold."""
    from leadline.cli import library as body

    body.list_libraries(**options)


@library.command("search")
@click.argument("name", type=Text())
@click.argument("words", type=Text(), nargs=-1, required=True)
@click.option("--limit", type=Count(1), default=10, metavar="N", help="How many at most; 10 by default.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
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
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE", help="JSONL to write.")
def summhay(data: Path, output: Path) -> None:
    """Answer the queries of SummHay."""
    from leadline.cli import evaluation as body

    body.predict_summhay(data, output)

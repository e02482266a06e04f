"""What can be typed: every command with its options and help. Imports nothing but click, so that help is there at once.

What a command returns is awaited if need be, and is the exit status.
"""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from leadline.cli.parameters import EXIT_STATUS, Count, Day, Host, Names, Output, Text, body, json_option, run_argument
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
@click.option(
    "--in", "sources", metavar="SOURCE", multiple=True, help="A file, a folder, @NAME, a URL or run:ID; may be repeated."
)
@click.option("--search", type=Names(), default=(), metavar="A,B", help="Search backends, merged; see `leadline backends`.")
@click.option("--fallback", type=Names(), default=(), metavar="C,D", help="Backends asked in turn when those cannot answer.")
@click.option("--since", type=Day(), metavar="DAY", help="Only pages of the web since this day.")
@click.option("--until", type=Day(), metavar="DAY", help="Only pages of the web until this day.")
@click.option("--site", "sites", type=Host(), metavar="HOST", multiple=True, help="Only this site; may be repeated.")
@click.option("--not-site", "not_sites", type=Host(), metavar="HOST", multiple=True, help="Not this site; may be repeated.")
@click.option("--per-todo", type=Count(1, 50), default=5, metavar="N", help="Pages of the web read per todo; 5 by default.")
@click.option("--offline", is_flag=True, help="Refuse every connection beyond this machine.")
@click.option("--todos", type=Count(1, 12), metavar="1-12", help="How many todos to plan; at most 5 by default.")
@click.option("--language", metavar="CODE", help="Language of the report, as en, zh or zh-Hant; the topic's by default.")
@click.option("--out", type=Output(), metavar="DIR", help="Write report.md, report.json, events.jsonl and notes/.")
@click.option("--format", "shape", type=click.Choice(["md", "json"]), default="md", help="What stdout gets; md by default.")
@click.option("--plan-only", is_flag=True, help="Print the plan as JSON and stop.")
@click.option("--plan", "plan_file", metavar="FILE", help="Run this plan (as --plan-only prints it, edited); - is stdin.")
@click.option("--review-plan", is_flag=True, help="Show the plan and ask: run, edit or quit.")
@click.option("--detach", is_flag=True, help="Leave the run to a worker, print its id and return at once.")
@click.option("--priority", type=Count(1), metavar="N", help="With --detach: 1 goes first, 100 is the default.")
@click.option("--max-points", type=Count(1), metavar="N", help="Most points in the whole report.")
@click.option(
    "--model", type=Text(), default="", metavar="PROVIDER:NAME", help="A language model, as ollama:qwen3:8b; none for none."
)
@click.option("--model-url", default="", metavar="URL", help="Its server, where it is not the provider's own.")
@click.option("--fast-model", type=Text(), default="", metavar="PROVIDER:NAME", help="Another model for the summaries.")
@click.option("--fallback-model", type=Text(), default="", metavar="PROVIDER:NAME", help="A model to ask when another fails.")
@click.option("--context", type=Count(1024), metavar="N", help="Tokens of its window, where the server does not say or errs.")
@click.option("--parallel", type=Count(1), metavar="N", help="Requests at once to a model on this machine; 1 by default.")
@click.option("--length", type=click.Choice(["short", "normal", "long"]), default="normal", help="How much it writes.")
@click.option("--audience", type=Text(), default="", metavar="TEXT", help="Whom it writes for.")
@click.option("--instructions", type=Text(), default="", metavar="TEXT", help="What else it should mind.")
@click.option(
    "--depth", type=Count(1, 5), default=1, metavar="1-5", help="Rounds of research, each after a review; 1 by default."
)
@click.option("--max-calls", type=Count(1), metavar="N", help="Most searches and calls of a model.")
@click.option("--max-tokens", type=Count(1), metavar="N", help="Most tokens of a model, prompts and answers.")
@click.option(
    "--max-cost", type=click.FloatRange(0, min_open=True), metavar="USD", help="Most that a model may cost, by list price."
)
@click.option("--max-seconds", type=click.FloatRange(0, min_open=True), metavar="N", help="Ends the run with what it has then.")
@click.option("--dry-run", is_flag=True, help="Say what would be asked and used, and stop.")
@click.option(
    "--unsupported",
    type=click.Choice(["drop", "mark"]),
    default="drop",
    help="What becomes of a point that no source holds: drop (default), or mark it in the report.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@click.option("-v", "--verbose", is_flag=True, help="More on stderr: skipped files and dropped points, one by one.")
def research(**options: Any) -> Any:
    """Research TOPIC and write a report. Without --in and --search the web is asked.

    On a terminal the report is rendered; piped, it is Markdown. Progress goes to stderr.
    """
    return body("research").research(**options)


leadline.add_command(runs)


@leadline.command()
@json_option
def backends(**options: Any) -> Any:
    """List the search backends: name, key set or not, variable of the key, package."""
    return body("backends").list_backends(**options)


@leadline.command("open")
@run_argument
@click.option("--print", "only_print", is_flag=True, help="Print the file's path, and open nothing.")
def open_report(**options: Any) -> Any:
    """Write the report of RUN as one HTML file and open it in a browser. Without RUN it is that of the latest run."""
    return body("page").open_report(**options)


@leadline.command(epilog=EXIT_STATUS, short_help="Check a finished report against what it cites.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--in", "sources", metavar="PATH", multiple=True, help="A file, a folder or @NAME that holds what is cited.")
@click.option("--offline", is_flag=True, help="Refuse every connection beyond this machine.")
@json_option
def verify(**options: Any) -> Any:
    """Check FILE, sentence by sentence: a bundle (.zip) of `runs export`, or any Markdown with links, whoever wrote it.

    Of a bundle hashes, quotes and verdicts are checked without a network. What a Markdown file cites is read and compared.
    Ends with status 3 when something does not hold.
    """
    return body("verification").verify(**options)


@leadline.command()
@click.option("--at-once", type=Count(1), default=16, metavar="N", help="Runs that it carries out at once; 16 by default.")
@click.option("--overall", type=Count(1), metavar="N", help="Runs that all workers together carry out at once.")
@click.option("--until-idle", is_flag=True, help="End when nothing is left to do.")
def worker(**options: Any) -> Any:
    """Take runs from the queue and carry them out; go on with those whose process has died. SIGTERM stops it cleanly."""
    return body("worker").work(**options)


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
def serve(**options: Any) -> Any:
    """Serve a page and an API, and carry out the runs asked for there. Ctrl-C stops it; runs go on at the next start."""
    return body("serving").serve(**options)


@leadline.command(short_help="Offer research as tools to an agent, over MCP on stdio.")
def mcp() -> Any:
    """Offer research, runs, reports and libraries as tools over the Model Context Protocol, on stdin and stdout."""
    return body("mcp").serve()


@leadline.group(short_help="Show and change the settings.")
def config() -> None:
    """Show and change the settings: options of a command come before the environment, the environment before the file."""


@config.command("path")
def config_path() -> Any:
    """Print where the settings file is."""
    return body("settings").show_path()


@config.command("show")
@json_option
def config_show(**options: Any) -> Any:
    """Show what is set, and where. Keys are masked."""
    return body("settings").show(**options)


@config.command("set")
@click.argument("name", type=Text())
@click.argument("value", type=Text())
def config_set(**options: Any) -> Any:
    """Set NAME in the settings file, as model.name or keys.openai; an empty VALUE takes it out."""
    return body("settings").change(**options)


@leadline.command()
@click.option("--offline", is_flag=True, help="Ask nobody beyond this machine but the model.")
@json_option
def doctor(**options: Any) -> Any:
    """Check folder, settings, database, model, search, fetching and fonts, and say what to do where one fails."""
    return body("settings").run_doctor(**options)


@leadline.group(short_help="Read the notes that runs have saved.")
def notes() -> None:
    """Read the notes that runs have saved: one for each todo that found something."""


@notes.command("list")
@click.option("--run", metavar="RUN", help="Only those of one run, by its id or the start of it.")
@click.option("--limit", type=Count(1), default=100, metavar="N", help="How many at most; 100 by default.")
@json_option
def list_notes(**options: Any) -> Any:
    """List notes, newest first."""
    return body("notes").list_notes(**options)


@notes.command("show")
@click.argument("note", type=Text())
@json_option
def show_note(**options: Any) -> Any:
    """Show NOTE, by the id that `list` prints."""
    return body("notes").show_note(**options)


@notes.command("search")
@click.argument("words", type=Text(), nargs=-1, required=True)
@click.option("--limit", type=Count(1), default=20, metavar="N", help="How many at most; 20 by default.")
@json_option
def search_notes(words: tuple[str, ...], **options: Any) -> Any:
    """List the notes that hold all of WORDS, newest first."""
    return body("notes").search_notes(" ".join(words), **options)


@leadline.group(short_help="Name folders of documents for --in @NAME.")
def library() -> None:
    """Name folders of documents, so that `--in @NAME` finds them from anywhere."""


@library.command("add")
@click.argument("name", type=Text())
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-v", "--verbose", is_flag=True, help="List the skipped files.")
def add_library(**options: Any) -> Any:
    """Name the files and folders PATH... and index them."""
    return body("library").add_library(**options)


@library.command("list")
@json_option
def list_libraries(**options: Any) -> Any:
    """List the libraries and what they hold."""
    return body("library").list_libraries(**options)


@library.command("search")
@click.argument("name", type=Text())
@click.argument("words", type=Text(), nargs=-1, required=True)
@click.option("--limit", type=Count(1), default=10, metavar="N", help="How many at most; 10 by default.")
@json_option
def search_library(words: tuple[str, ...], **options: Any) -> Any:
    """Show what a run would find for WORDS in the library NAME."""
    return body("library").search_library(query=" ".join(words), **options)


@library.command("push")
@click.argument("name", type=Text())
def push_library(**options: Any) -> Any:
    """Write the library NAME into the OpenSearch or Elasticsearch index at OPENSEARCH_URL."""
    return body("pushing").push_library(**options)


@library.command("remove")
@click.argument("name", type=Text())
def remove_library(**options: Any) -> Any:
    """Forget the library NAME. The documents themselves stay."""
    return body("library").remove_library(**options)


@leadline.group("eval", short_help="Measure quality over the data of benchmarks.")
def evaluate() -> None:
    """Measure quality over the data of benchmarks, by the same research that everybody uses."""


_data = click.option("--data", type=click.Path(path_type=Path), required=True, metavar="DIR", help="The benchmark's data.")
_output = click.option("-o", "--output", type=Output(), required=True, metavar="FILE", help="File to write.")


@evaluate.command()
@_data
@_output
def summhay(data: Path, output: Path) -> Any:
    """Answer the queries of SummHay: answers go to FILE as JSONL, figures to the terminal."""
    return body("evaluation").evaluate_summhay(data, output)


@evaluate.command()
@_data
@_output
def evidence(data: Path, output: Path) -> Any:
    """Rank evidence for the questions of DRAGONBall: passages go to FILE as JSONL, figures to the terminal."""
    return body("evaluation").evaluate_evidence(data, output)


@evaluate.command("plan")
@_data
@_output
def plan_topics(data: Path, output: Path) -> Any:
    """Plan the topics of SummHay and see which of their known subtopics the todos meet."""
    return body("evaluation").evaluate_plan(data, output)


@evaluate.command("all")
@_data
@_output
@click.option("--gate", type=click.Choice(["own", "data"]), help="Hold the figures to these floors; else status 1.")
def evaluate_all(data: Path, output: Path, gate: Any) -> Any:
    """Take all measures over DIR/summhay and DIR/dragonball, and write the table to FILE."""
    return body("evaluation").evaluate_all(data, output, gate)


@evaluate.command()
@click.option(
    "--data", type=click.Path(path_type=Path), required=True, multiple=True, metavar="DIR", help="Documents; may be repeated."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Also write the figures, as JSON.")
def grounding(data: tuple[Path, ...], output: Path | None) -> Any:
    """Measure how well checks tell right points from wrong ones. The status is 1 when a floor is broken."""
    return body("evaluation").measure_grounding(data, output)

"""The command line. `commands` declares it with click alone, so that help is quick; the command that runs loads the rest."""

import gc
import inspect
import sys

import click

from leadline.cli.commands import leadline
from leadline.cli.streams import complain, prepare_streams, report_bug
from leadline.errors import LeadlineError, UsageError

INTERRUPTED = 130
WRONG_USE = 2
FAILED = 1

_BETWEEN_COLLECTIONS = (5_000, 20, 50)
"""Python's own are (700, 10, 10): fifty model runs at once then spend a quarter of their time on looking for cycles."""


def main() -> None:
    """Run the command line of this process and exit with its status."""
    collect_seldom()
    prepare_streams()
    sys.excepthook = report_bug
    sys.exit(run(sys.argv[1:]))


def collect_seldom() -> None:
    """Have this process look for cycles of garbage less often; for one that is Leadline's own, a guest leaves it as it is."""
    gc.set_threshold(*_BETWEEN_COLLECTIONS)


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit status; what goes wrong is said in one sentence on stderr."""
    try:
        status = leadline.main(arguments, prog_name="leadline", standalone_mode=False)
        if inspect.iscoroutine(status):
            import asyncio

            status = asyncio.run(status)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return WRONG_USE
    except click.UsageError as error:
        complain(f"{error.format_message()} {_hint(error)}")
        return WRONG_USE
    except click.ClickException as error:
        complain(error.format_message())
        return FAILED
    except UsageError as error:
        complain(str(error))
        return WRONG_USE
    except LeadlineError as error:
        complain(str(error))
        return FAILED
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted.")
        return INTERRUPTED
    return status if isinstance(status, int) else 0


def _hint(error: click.UsageError) -> str:
    """Where the reader of an error finds what is allowed."""
    command = error.ctx.command_path if error.ctx else "leadline"
    if "unexpected extra argument" in error.message and command == "leadline research":
        return "Put the topic in quotes, and --in before each source."
    return f"See: {command} --help"

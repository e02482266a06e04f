"""Kinds of arguments and options, and those that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from leadline.cli.streams import recover

Command = TypeVar("Command", bound=Callable[..., Any])

EXIT_STATUS = """\b
Exit status:
  0    complete
  1    failed
  2    wrong use: nothing was done
  3    finished but incomplete: a todo failed or found nothing
  130  interrupted or cancelled: notes are kept"""


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


class Output(click.ParamType[Path]):
    """A file or folder to write. None by the name of "" is meant by anybody: it would be the current folder."""

    name = "path"

    def convert(self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path as typed, whatever the locale."""
        if not str(value).strip():
            self.fail(
                f"{value!r} is no place to write to; name one, for example {param.opts[-1] if param else '-o'} report.",
                param,
                ctx,
            )
        return Path(recover(str(value)))


def json_option(command: Command) -> Command:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="As JSON, one object a line.")(command)


def run_argument(command: Command) -> Command:
    """Add RUN, which may be left out."""
    return click.argument("run", type=Text(), required=False, metavar="[RUN]")(command)


def going_on_options(command: Command) -> Command:
    """Add what is common to the commands that let a run go on."""
    for add in (
        json_option,
        click.option("-q", "--quiet", is_flag=True, help="No progress on stderr."),
        click.option("--detach", is_flag=True, help="Leave it to a worker and return at once."),
    ):
        command = add(command)
    return command

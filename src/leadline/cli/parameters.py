"""Kinds of arguments and options, and those that several commands share."""

import datetime as dt
from collections.abc import Callable
from importlib import import_module
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
  3    finished but incomplete: a todo failed or found nothing, a check does not hold
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
            self.fail(f"{value!r} is no place to write to; name one, for example 'report'.", param, ctx)
        return Path(recover(str(value)))


class Day(click.ParamType[dt.date]):
    """A day as `2026-11-30`."""

    name = "day"

    def convert(self, value: str | dt.date, param: click.Parameter | None, ctx: click.Context | None) -> dt.date:
        """Read the day or say how one is written."""
        if isinstance(value, dt.date):
            return value
        try:
            return dt.date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a day; write it as 2026-11-30.", param, ctx)


class Names(click.ParamType[tuple[str, ...]]):
    """Names with commas between them."""

    name = "names"

    def convert(
        self, value: str | tuple[str, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split at the commas."""
        if isinstance(value, tuple):
            return value
        return tuple(dict.fromkeys(part.strip().lower() for part in value.split(",") if part.strip()))


class Host(click.ParamType[str]):
    """The name of a site."""

    name = "site"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Reduce an address to its host."""
        host = value.strip().lower().partition("://")[2] or value.strip().lower()
        host = host.partition("/")[0].removeprefix("www.")
        if not host or any(sign.isspace() for sign in host):
            self.fail(f"{value!r} is not a site; give a host name, for example postgresql.org.", param, ctx)
        return host


def body(module: str) -> Any:
    """Return what carries a command out: it is loaded when the command runs, so that help is there at once."""
    return import_module(f"leadline.cli.{module}")


def json_option(command: Command) -> Command:
    """Add `--json`."""
    return click.option("--json", "in_json", is_flag=True, help="As JSON, one object a line.")(command)


def run_argument(command: Command) -> Command:
    """Add RUN, which may be left out."""
    return click.argument("name", type=Text(), required=False, metavar="[RUN]")(command)


def going_on_options(command: Command) -> Command:
    """Add what is common to the commands that let a run go on."""
    for add in (
        json_option,
        click.option("-q", "--quiet", is_flag=True, help="No progress on stderr."),
        click.option("--detach", is_flag=True, help="Leave it to a worker and return at once."),
    ):
        command = add(command)
    return command

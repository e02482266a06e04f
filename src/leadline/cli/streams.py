"""The three streams of the process: whatever is written gets through, and nothing written can steer a terminal."""

import os
import sys
from types import TracebackType
from typing import TextIO

from click import echo

WIDEST = 100
"""Columns used of a terminal. The eye does not find back to the start of longer lines."""

_BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

_SIGNS = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"},
    0x7F: 0x2421,
    **dict.fromkeys((*range(0x80, 0xA0), *map(ord, _BIDI), *range(0xD800, 0xE000)), 0xFFFD),
}
"""Control characters become their pictures; C1, direction overrides and lone surrogates have none."""


def prepare_streams() -> None:
    """Let signs that the console's encoding lacks be replaced; only the console's: files are always UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def printable(text: str) -> str:
    """Return the text with every character that a terminal would obey made visible instead; tabs and line ends stay."""
    return text.translate(_SIGNS)


def say(text: str) -> None:
    """Write a line to stderr."""
    _write(printable(text), sys.stderr)


def put(text: str) -> None:
    """Write a result to stdout: exactly for a pipe or file, harmlessly for a terminal."""
    _write(printable(text) if sys.stdout.isatty() else text, sys.stdout)


def put_markdown(markdown: str, piped: str | None = None) -> None:
    """Write Markdown to stdout: rendered for a terminal; for a pipe or file as it is, or the text made for that."""
    if not sys.stdout.isatty():
        put(markdown if piped is None else piped)
        return
    from leadline.cli.markdown import print_markdown  # a tenth of a second

    print_markdown(printable(markdown))


def set_apart() -> None:
    """Write a blank line to stderr where report and progress share a terminal."""
    if sys.stdout.isatty() and sys.stderr.isatty():
        say("")


def complain(message: str) -> None:
    """Write an error to stderr, on one line."""
    say(f"leadline: {' '.join(message.split())}")


def _write(text: str, stream: TextIO) -> None:
    try:
        echo(text.removesuffix("\n"), file=stream)
        stream.flush()
    except BrokenPipeError:
        silence(stream)


def silence(stream: TextIO) -> None:
    """Go on without a reader that has left (`| head`): what is still written goes nowhere, and Python's exit stays quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def report_bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say in one sentence that the program is wrong; where, only when asked for more. Made for `sys.excepthook`."""
    complain(
        f"this is a mistake in Leadline: {kind.__name__}: {error}. Please report it with the command; -v shows where it is."
    )
    if {"-v", "--verbose"} & set(sys.argv):
        sys.__excepthook__(kind, error, trace)


def recover(argument: str) -> str:
    """Return an argument as it was typed.

    In a C locale Python reads arguments as ASCII and keeps other bytes as lone surrogates; nearly always they are UTF-8.
    Text that is not stays as it is, to be refused where it is checked.
    """
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument

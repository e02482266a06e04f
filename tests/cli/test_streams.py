"""What is written gets through, and steers nothing."""

import os

import pytest

from leadline.cli.streams import printable, recover


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("title\x1b]0;owned\x07", "title␛]0;owned␇"),
        ("\x9b31m", "\ufffd31m"),
        ("over\rwritten", "over␍written"),
        ("abc\u202ecba", "abc\ufffdcba"),
        ("lone \udce9", "lone \ufffd"),
        ("two\nlines\tand é 量 🚀", "two\nlines\tand é 量 🚀"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_instead(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_an_argument_read_as_ascii_is_recovered() -> None:
    typed = "é 量 🚀"
    assert recover(typed.encode().decode("ascii", "surrogateescape")) == typed
    assert recover(typed) == typed


def test_an_argument_that_is_not_utf8_stays_to_be_refused() -> None:
    broken = os.fsdecode(b"caf\xe9")
    assert recover(broken) == broken

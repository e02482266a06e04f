"""`--review-plan` and the question before a run is deleted, on a terminal."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

QUESTION = "How are dead rows reclaimed?"


class Terminal:
    """A command line on a terminal of its own. Stdout is a pipe, so that the report is apart from the conversation."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._primary, secondary = pty.openpty()
        command = [sys.executable, "-m", "leadline", *arguments]
        self.popen = subprocess.Popen(command, cwd=folder, stdin=secondary, stderr=secondary, stdout=subprocess.PIPE)
        os.close(secondary)
        self.seen = ""

    def answer(self, question: str, *keys: str) -> None:
        """Wait for each time that a question is asked, and type the next keys."""
        for key in keys:
            before = len(self.seen)
            while question not in self.seen[before:]:
                self.seen += os.read(self._primary, 65536).decode("utf-8", "replace")
            os.write(self._primary, f"{key}\n".encode())

    def end(self) -> tuple[int, str]:
        """Return status and stdout."""
        assert self.popen.stdout is not None
        out = self.popen.stdout.read().decode()
        try:
            while data := os.read(self._primary, 65536):
                self.seen += data.decode("utf-8", "replace")
        except OSError:
            pass  # the other side is closed
        os.close(self._primary)
        return self.popen.wait(), out


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Return what starts a command line on a terminal."""
    opened: list[Terminal] = []

    def call(*arguments: str) -> Terminal:
        opened.append(Terminal(tmp_path, *arguments))
        return opened[-1]

    yield call
    for each in opened:
        each.popen.kill()
        each.popen.communicate()


def test_a_plan_is_edited_before_it_is_run(terminal: Run, editor: Run, documents: Path, leadline: Run) -> None:
    editor("s/#1 .*/#1 Dead rows in short/")
    shown = terminal("research", QUESTION, "--in", "manual", "--todos", "1", "--review-plan")
    shown.answer("[r/e/q]", "maybe", "e", "r")
    status, out = shown.end()
    assert status == 0, shown.seen
    assert "'maybe' is none of r, e and q" in shown.seen
    assert "1. Dead rows in short" in shown.seen
    assert "## 1. Dead rows in short" in out


def test_a_plan_that_is_not_wanted_is_not_run(terminal: Run, documents: Path, leadline: Run) -> None:
    shown = terminal("research", QUESTION, "--in", "manual", "--review-plan")
    shown.answer("[r/e/q] [r]:", "q")
    assert shown.end() == (130, "")
    assert "nothing was done" in shown.seen
    assert leadline("runs", "list").out == ""


def test_deleting_asks_first(terminal: Run, documents: Path, leadline: Run) -> None:
    leadline("research", QUESTION, "--in", "manual", "--quiet")
    asked = terminal("runs", "delete")
    asked.answer("Delete run", "n")
    status, _ = asked.end()
    assert status == 130
    assert QUESTION in asked.seen
    assert json.loads(leadline("runs", "list", "--json").out)["state"] == "complete"
    agreed = terminal("runs", "delete")
    agreed.answer("Delete run", "y")
    status, out = agreed.end()
    assert (status, out.startswith("run ")) == (0, True)
    assert leadline("runs", "list").out == ""

"""A command line to try, in this process or in one of its own, and documents to try it on."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.forks import Fork

from leadline.cli import run


class Done(NamedTuple):
    """What a command line gave."""

    status: int
    out: str
    err: str


DOCUMENTS = {
    "rows.md": """# Dead rows

An update writes a new version of the row and leaves the old version in place.
A dead row is a version that no transaction can see any more.

Dead rows take space in the table and make scans slower. VACUUM reclaims the space of dead rows.
""",
    "vacuum.md": """# VACUUM

VACUUM makes the space of dead rows reusable inside the same table.
VACUUM FULL rewrites the table and holds an exclusive lock meanwhile.

Autovacuum runs VACUUM by itself when enough dead rows have gathered.
The default threshold is 50 rows plus 20 percent of the table.
""",
    "blocking.md": """# What blocks VACUUM

A long transaction keeps dead rows alive, so VACUUM cannot remove them. A replication slot that nobody reads does the same.

Prepared transactions that were forgotten block VACUUM too.
""",
}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "manual"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def many(tmp_path: Path) -> list[str]:
    """Return the arguments of a run that works for a second or two: 12 todos over 60 documents that all of them find."""
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(60):
        text = "\n\n".join(f"A dead row number {n} of page {k} is reclaimed by vacuum {n * k} in table {k}." for k in range(40))
        (folder / f"{n}.md").write_text(f"# Rows {n}\n\n{text}\n", encoding="utf-8")
    todos = [{"title": f"Dead rows of table {n}", "query": f"dead row vacuum table {n}"} for n in range(1, 13)]
    (tmp_path / "many.json").write_text(json.dumps({"todos": todos}), encoding="utf-8")
    return ["How are dead rows reclaimed?", "--in", "many", "--plan", "many.json"]


@pytest.fixture
def leadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Return what runs a command line in the folder that `documents` is in."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capsys.readouterr()
        status = run(list(arguments))
        return Done(status, *capsys.readouterr())

    return call


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., Done]:
    """Return what runs a command line in a process of its own, in the same folder."""

    def call(*arguments: str, **environment: str) -> Done:
        command = [sys.executable, "-W", "error", "-m", "leadline", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env={**os.environ, **environment}, capture_output=True)
        return Done(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    return call


class Started(Fork):
    """A command line that works in a process of its own."""

    def wait_for(self, words: str) -> str:
        """Read stderr until a line holds some words, and return that line."""
        said: list[str] = []
        for line in self.err:
            said.append(line)
            if words in line:
                return line
        raise AssertionError(f"{words!r} was not said:\n{''.join(said)}")

    @contextmanager
    def held(self, until: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Stop the process for the block, or until something has come true."""
        self.send(signal.SIGSTOP)
        ended = threading.Event()

        def release() -> None:
            while not ended.wait(0.02) and not until():
                pass
            self.send(signal.SIGCONT)

        thread = threading.Thread(target=release)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def finish(self) -> Done:
        """Wait for the end, and return what is left of the output."""
        with ThreadPoolExecutor(2) as pool:
            out, err = pool.map(lambda stream: stream.read(), (self.out, self.err))
        return Done(self.end(), out, err)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    """Return what starts a command line in a process of its own; what still works in the end is killed."""
    started: list[Started] = []

    def call(*arguments: str, **environment: str) -> Started:
        started.append(Started(arguments, tmp_path, {**os.environ, **environment}))
        return started[-1]

    yield call
    for each in started:
        each.process.kill()
        each.end()


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return what makes an editor that does a list of `sed` scripts to its file, one at each opening."""

    def make(*scripts: str) -> None:
        monkeypatch.delenv("VISUAL", raising=False)
        for number, script in enumerate(scripts, 1):
            (tmp_path / f"sed{number}").write_text(script, encoding="utf-8")
        program = tmp_path / "editor"
        program.write_text(
            f'#!/bin/sh\nn=$(ls {tmp_path} | grep -c opened)\nn=$((n + 1))\ncp "$1" {tmp_path}/opened$n\n'
            f'sed -E -i -f {tmp_path}/sed$n "$1"\n',
            encoding="utf-8",
        )
        program.chmod(0o755)
        monkeypatch.setenv("EDITOR", str(program))

    return make

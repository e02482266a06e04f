"""A command line to try, in this process or in one of its own, and documents to try it on."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

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

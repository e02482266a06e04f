"""A command line to try, and documents to try it on."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

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
def leadline(tmp_path: Path) -> Run:
    """Return what runs the program in a process of its own, in the folder that `documents` is in."""

    def run(*arguments: str, stdin: bytes = b"", **environment: str) -> "subprocess.CompletedProcess[bytes]":
        command = [sys.executable, "-W", "error", "-m", "leadline", *arguments]
        return subprocess.run(command, cwd=tmp_path, env={**os.environ, **environment}, input=stdin, capture_output=True)

    return run

"""Leadline's own files: a library leaves them out, lest a report cites an earlier report."""

import re
from collections.abc import Collection
from pathlib import Path

_REPORT, _EVENTS = "report.json", "events.jsonl"
_BESIDE = frozenset({"report.md", "report.html", _REPORT, _EVENTS})
NOTES = "notes"
"""The folder of an export that notes are in."""

_NOTE_NAME = re.compile(r"\d{2,}-.+\.md")
_NOTE_HEAD = re.compile(rb'---\r?\nid: "[^"\n]*"\r?\ntitle: ')
_REPORT_HEAD = re.compile(rb'\s*\{\s*"version":\s*\d+,\s*"run":\s*"')
_HEAD = 400


def is_export(folder: Path, names: Collection[str]) -> bool:
    """Whether a folder holds what `leadline research --out` or `runs export` has written, among other files perhaps.

    Args:
        folder: where it is.
        names: of the files in it.
    """
    return _REPORT in names and _EVENTS in names and bool(_REPORT_HEAD.match(_read_head(folder / _REPORT)))


def is_exported(name: str) -> bool:
    """Whether a file of such a folder has the name of one that Leadline writes."""
    return name in _BESIDE


def is_note(path: Path) -> bool:
    """Whether a file is a note that Leadline has written."""
    return bool(_NOTE_NAME.fullmatch(path.name)) and bool(_NOTE_HEAD.match(_read_head(path)))


def _read_head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""

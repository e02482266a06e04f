"""All files of a run in one folder."""

import json
import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from leadline.errors import OutputError, RunFailed
from leadline.events import Envelope
from leadline.exports.data import report_json
from leadline.exports.files import prepare, refuse, write_file
from leadline.library.outputs import NOTES, is_note
from leadline.pipeline.rendering import to_markdown
from leadline.records import Note, Run

_FILES = ("report.md", "report.json", "events.jsonl")

SLUG_BYTES = 60
"""Longest part of a file name that is taken from a title: well under the 255 bytes that file systems allow."""


def prepare_folder(folder: Path) -> None:
    """Make sure that the files of an export can be written into a folder, before any work is done for them.

    Raises:
        OutputError: the folder cannot be made or written to, or holds a folder or file where an export's is to be.
        RunFailed: the disk is full.
    """
    prepare(folder)
    for name in _FILES:
        if (folder / name).is_dir():
            raise refuse(folder, f"{name} is a folder")
    if (folder / NOTES).exists() and not (folder / NOTES).is_dir():
        raise refuse(folder, f"{NOTES} is a file")


def write(run: Run, notes: Sequence[Note], envelopes: Iterable[Envelope], folder: Path) -> list[Path]:
    """Write report.md, report.json, events.jsonl and notes/ into a folder; each file is replaced whole or not at all.

    Notes are numbered in the order of the plan. Those that an earlier export has left are removed; other files stay.

    Returns:
        The files, in the order that a reader wants them.

    Raises:
        OutputError: the folder cannot be written; nothing was.
        RunFailed: writing failed on the way, by a full disk for example. The run is not harmed.
    """
    prepare_folder(folder)
    texts: dict[Path, str] = {}
    if run.report is not None:
        texts[folder / "report.md"] = to_markdown(run.report)
        texts[folder / "report.json"] = report_json(run)
    texts[folder / "events.jsonl"] = "".join(event.model_dump_json() + "\n" for event in envelopes)
    texts |= {folder / NOTES / name: note_markdown(note) for name, note in name_notes(notes, run).items()}
    try:
        for path, text in texts.items():
            write_file(path, text.encode("utf-8", "replace"))
        _remove_stale(folder / NOTES, texts)
    except (OutputError, RunFailed, OSError) as error:
        raise RunFailed(f"The run is kept, but not all of its files were written: {error}") from error
    return list(texts)


def name_notes(notes: Iterable[Note], run: Run) -> dict[str, Note]:
    """Return notes by file name, in the order of the plan; those of todos that are no longer in it last, by age."""
    todos = run.plan.todos if run.plan else ()
    places = {f"{run.id}-{todo.key[:8]}": place for place, todo in enumerate(todos)}  # as `pipeline.execute` names notes
    in_order = sorted(notes, key=lambda note: (places.get(note.id, len(places)), note.created, note.id))
    return {f"{number:02}-{slug(note.title)}.md": note for number, note in enumerate(in_order, 1)}


def _remove_stale(folder: Path, written: Collection[Path]) -> None:
    """Remove the notes of an earlier export: what begins with the front matter that only Leadline writes."""
    for path in sorted(folder.glob("*.md")):
        if path not in written and is_note(path):
            path.unlink(missing_ok=True)


def slug(title: str) -> str:
    """Return the letters and digits of a title, joined by hyphens: safe in any file system behind a number.

    Where the system's file names are ASCII (the C locale), other letters are left out.
    """
    kept = (char if char.isalnum() and _can_name(char) else " " for char in title.casefold())
    words = "".join(kept).split()
    text = "-".join(words).encode("utf-8", "ignore")[:SLUG_BYTES].decode("utf-8", "ignore").strip("-")
    return text or "note"


def _can_name(char: str) -> bool:
    try:
        return bool(os.fsencode(char))
    except UnicodeEncodeError:
        return False


def note_markdown(note: Note) -> str:
    """Return a note as a Markdown file with front matter. JSON strings are YAML strings, so any title is safe."""
    front = {
        "id": note.id,
        "title": note.title,
        "type": note.type,
        "tags": list(note.tags),
        "created": note.created.isoformat(timespec="seconds"),
        "updated": note.updated.isoformat(timespec="seconds"),
    }
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()]
    return "\n".join(["---", *lines, "---", "", note.body])

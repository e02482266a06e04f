"""Files made from a run: what the store holds, for people and programs. The store stays the truth."""

import errno
import json
import os
import tempfile
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import IO

from leadline.errors import OutputError, RunFailed
from leadline.events import Envelope
from leadline.library.outputs import NOTES, is_note
from leadline.pipeline.rendering import to_markdown
from leadline.records import Evidence, Note, Report, Run, Section, Source

VERSION = 1
"""Of the shape of report.json."""

_FILES = ("report.md", "report.json", "events.jsonl")

SLUG_BYTES = 60
"""Longest part of a file name that is taken from a title: well under the 255 bytes that file systems allow."""


def prepare(folder: Path) -> None:
    """Make sure that files can be written into a folder, before any work is done for them; it is not made yet.

    Raises:
        OutputError: the folder cannot be made or written to, or holds a folder or file where an export's is to be.
    """
    try:
        nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists() or place.is_symlink())
        with tempfile.TemporaryFile(dir=nearest):
            pass
        for name in _FILES:
            if (folder / name).is_dir():
                raise IsADirectoryError(errno.EISDIR, f"{name} is a folder", name)
        if (folder / NOTES).exists() and not (folder / NOTES).is_dir():
            raise NotADirectoryError(errno.ENOTDIR, f"{NOTES} is a file", NOTES)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OutputError(
            f"The output folder {str(folder)!r} cannot be written ({reason}). Name a folder that you may write to: --out DIR"
        ) from error


def write(run: Run, notes: Sequence[Note], envelopes: Iterable[Envelope], folder: Path) -> list[Path]:
    """Write report.md, report.json, events.jsonl and notes/ into a folder; each file is replaced whole or not at all.

    Notes are numbered in the order of the plan. Those that an earlier export has left are removed; other files stay.

    Returns:
        The files, in the order that a reader wants them.

    Raises:
        OutputError: the folder cannot be written; nothing was.
        RunFailed: writing failed on the way, by a full disk for example. The run is not harmed.
    """
    prepare(folder)
    texts: dict[Path, str] = {}
    if run.report is not None:
        texts[folder / "report.md"] = to_markdown(run.report)
        texts[folder / "report.json"] = report_json(run)
    texts[folder / "events.jsonl"] = "".join(event.model_dump_json() + "\n" for event in envelopes)
    for number, note in enumerate(_sort(notes, run), 1):
        texts[folder / NOTES / f"{number:02}-{slug(note.title)}.md"] = note_markdown(note)
    try:
        for path, text in texts.items():
            write_file(path, text)
        _remove_stale(folder / NOTES, texts)
    except (OutputError, OSError) as error:
        raise RunFailed(f"The run is kept, but not all of its files were written: {error}") from error
    return list(texts)


def _sort(notes: Sequence[Note], run: Run) -> list[Note]:
    """Return notes in the order of the plan; those of todos that are no longer in it last, by age."""
    todos = run.plan.todos if run.plan else ()
    places = {f"{run.id}-{todo.key[:8]}": place for place, todo in enumerate(todos)}  # as `pipeline.execute` names notes
    return sorted(notes, key=lambda note: (places.get(note.id, len(places)), note.created, note.id))


def _remove_stale(folder: Path, written: Collection[Path]) -> None:
    """Remove the notes of an earlier export: what begins with the front matter that only Leadline writes."""
    for path in sorted(folder.glob("*.md")):
        if path not in written and is_note(path):
            path.unlink(missing_ok=True)


def write_file(path: Path, text: str) -> None:
    """Write beside the file and rename over it, so that a reader never meets half of it.

    Raises:
        OutputError: the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
            _fill_and_rename(file, text, path)
    except OSError as error:
        raise OutputError(f"{str(path)!r} cannot be written ({error.strerror}). Name another folder: --out DIR") from error


def _fill_and_rename(file: IO[bytes], text: str, path: Path) -> None:
    """Let a new file take the place of another, or leave no trace of it."""
    try:
        file.write(text.encode("utf-8", "replace"))
        file.close()
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except BaseException:
        file.close()
        Path(file.name).unlink(missing_ok=True)
        raise


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


def report_json(run: Run) -> str:
    """Return report.json: the whole run as data, without what names this machine."""
    report = run.report
    data: dict[str, object] = {
        "version": VERSION,
        "run": run.id,
        "status": run.status,
        "topic": run.topic.model_dump(mode="json"),
        "plan": run.plan.model_dump(mode="json") if run.plan else None,
        "usage": run.usage.model_dump(mode="json"),
        **(_report_data(report) if report else {"reason": run.reason}),
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _report_data(report: Report) -> dict[str, object]:
    sources = {source.page: source for source in report.references}
    return {
        "title": report.title,
        "analyst": report.analyst,
        "sources": report.origin,
        "notices": list(report.notices),
        "overview": [sentence.model_dump(mode="json") for sentence in report.overview],
        "sections": [_section_data(number, section) for number, section in enumerate(report.sections, 1)],
        "points": [
            {
                "id": point.id,
                "section": number,
                "text": point.text,
                "verdict": point.verdict,
                "score": round(point.score, 6),
                "evidence": [_evidence_data(evidence, sources) for evidence in point.evidence],
            }
            for number, section in enumerate(report.sections, 1)
            for point in section.points
        ],
        "summary": [sentence.model_dump(mode="json") for sentence in report.summary],
        "references": [source.model_dump(mode="json") for source in report.references],
        "dropped": [dropped.model_dump(mode="json") for dropped in report.dropped],
        "skipped": [skipped.model_dump(mode="json") for skipped in report.skipped],
        "tally": report.tally.model_dump(mode="json"),
    }


def _section_data(number: int, section: Section) -> dict[str, object]:
    return {
        "number": number,
        "todo": section.todo.id,
        "title": section.todo.title,
        "status": section.status,
        "reason": section.reason,
        "points": [point.id for point in section.points],
    }


def _evidence_data(evidence: Evidence, sources: dict[str, Source]) -> dict[str, object]:
    source = sources[evidence.page]
    return {"reference": source.number, "address": source.address, **evidence.model_dump(mode="json")}

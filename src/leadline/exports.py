"""Files made from a run: what the store holds, for people and programs. The store stays the truth."""

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from leadline.errors import OutputError
from leadline.events import Envelope
from leadline.pipeline.rendering import to_markdown
from leadline.records import Evidence, Note, Report, Run, Section, Source

VERSION = 1
"""Of the shape of report.json."""

SLUG_BYTES = 60
"""Longest part of a file name that is taken from a title: well under the 255 bytes that file systems allow."""


def prepare(folder: Path) -> None:
    """Make sure that files can be written into a folder, before any work is done for them.

    Raises:
        OutputError: the folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OutputError(
            f"The output folder {str(folder)!r} cannot be written ({reason}). Name a folder that you may write to: --out DIR"
        ) from error


def write(run: Run, notes: Sequence[Note], envelopes: Iterable[Envelope], folder: Path) -> list[Path]:
    """Write report.md, report.json, events.jsonl and notes/ into a folder; each file is replaced whole or not at all.

    Returns:
        The files, in the order that a reader wants them.

    Raises:
        OutputError: the folder cannot be written.
    """
    prepare(folder)
    prepare(folder / "notes")
    texts: dict[Path, str] = {}
    if run.report is not None:
        texts[folder / "report.md"] = to_markdown(run.report)
        texts[folder / "report.json"] = report_json(run)
    texts[folder / "events.jsonl"] = "".join(event.model_dump_json() + "\n" for event in envelopes)
    for number, note in enumerate(sorted(notes, key=lambda note: (note.created, note.id)), 1):
        texts[folder / "notes" / f"{number:02}-{slug(note.title)}.md"] = note_markdown(note)
    for path, text in texts.items():
        _replace(path, text)
    return list(texts)


def _replace(path: Path, text: str) -> None:
    """Write beside the file and rename over it, so that a reader never meets half of it."""
    try:
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
            file.write(text.encode("utf-8", "replace"))
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except OSError as error:
        raise OutputError(f"{str(path)!r} cannot be written ({error.strerror}). Name another folder: --out DIR") from error


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

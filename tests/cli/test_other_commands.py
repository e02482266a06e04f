"""Libraries, notes, predictions and help on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_a_library_is_named_used_and_forgotten(leadline: Run, documents: Path) -> None:
    (documents / "slides.pptx").write_bytes(b"PK\x03\x04")
    added = leadline("library", "add", "manual", "manual")
    assert (added.status, added.out) == (0, "@manual: 3 documents\n")
    assert added.err == "1 skipped: 1 .pptx; -v lists them\n"
    assert json.loads(leadline("library", "list", "--json").out) == {"name": "manual", "paths": [str(documents)]}
    assert "manual/vacuum.md" in leadline("library", "search", "@manual", "exclusive", "lock").out
    assert "## References" in leadline("research", "dead rows", "--in", "@manual").out
    assert leadline("library", "remove", "manual").status == 0
    assert documents.is_dir()
    assert leadline("library", "remove", "manual").status == 2


def test_skipped_files_are_listed_when_asked_for(leadline: Run, documents: Path) -> None:
    (documents / "slides.pptx").write_bytes(b"PK\x03\x04")
    assert "slides.pptx" in leadline("library", "add", "manual", "manual", "-v").err
    assert "slides.pptx" in leadline("research", "dead rows", "--in", "manual", "--verbose").err


def test_a_library_without_a_document_gets_no_name(leadline: Run, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    assert leadline("library", "add", "manual", "nothing").status == 2
    assert leadline("library", "list").out == ""


def test_nothing_found_is_said_and_no_failure(leadline: Run, documents: Path) -> None:
    leadline("library", "add", "manual", "manual")
    done = leadline("library", "search", "manual", "zebra")
    assert (done.status, done.out) == (0, "")
    assert "'zebra'" in done.err
    assert "no notes yet" in leadline("notes", "list").err


def test_a_note_that_is_not_there(leadline: Run) -> None:
    done = leadline("notes", "show", "../../etc/passwd")
    assert done.status == 2
    assert "notes list" in done.err


def test_predictions(leadline: Run, tmp_path: Path) -> None:
    document = {"topic": 1, "doc_no": 7, "text": "Dead rows are reclaimed by VACUUM. VACUUM is run by autovacuum."}
    query = {"topic": 1, "subtopic_id": "a", "query": "How are dead rows reclaimed?", "insights": []}
    (tmp_path / "docs.jsonl").write_text(json.dumps(document) + "\n", encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text(json.dumps(query) + "\n", encoding="utf-8")
    done = leadline("eval", "summhay", "--data", ".", "-o", "predictions.jsonl")
    assert done.status == 0, done.err
    assert json.loads((tmp_path / "predictions.jsonl").read_text(encoding="utf-8"))["subtopic_id"] == "a"


@pytest.mark.parametrize("words", [[], ["notes"], ["library"], ["eval"]])
def test_a_group_without_a_command_shows_its_help(leadline: Run, words: list[str]) -> None:
    done = leadline(*words)
    assert done.status == 2
    assert "Usage: leadline" in done.err

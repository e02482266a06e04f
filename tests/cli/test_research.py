"""`leadline research`, as a person meets it."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

QUESTION = "How are dead rows reclaimed?"


def _error(said: str) -> str:
    """The one line of an error."""
    (line,) = said.splitlines()
    assert line.startswith("leadline: ")
    return line


def test_a_report_on_stdout_and_progress_on_stderr(leadline: Run, documents: Path) -> None:
    done = leadline("research", QUESTION, "--in", "manual")
    assert done.status == 0, done.err
    report, progress = done.out, done.err.splitlines()
    assert report.startswith(f"# {QUESTION}\n")
    assert "[1]" in report
    assert "manual" in progress[0]
    assert "no host is asked" in progress[0]
    assert progress[-2].startswith("run ")
    assert "leadline notes list --run" in progress[-1]
    assert str(documents.parent) not in report


def test_files_are_written_and_named(leadline: Run, documents: Path, tmp_path: Path) -> None:
    done = leadline("research", QUESTION, "--in", "manual", "--out", "out/here", "--todos", "2")
    assert done.status == 0, done.err
    named = [line.split()[0] for line in done.err.splitlines()[-4:]]
    assert named == ["out/here/report.md", "out/here/report.json", "out/here/events.jsonl", "out/here/notes/"]
    assert all((tmp_path / name).exists() for name in named)
    assert (tmp_path / "out/here/report.md").read_text(encoding="utf-8") == done.out
    data = json.loads((tmp_path / "out/here/report.json").read_text(encoding="utf-8"))
    assert len(data["plan"]["todos"]) == len(list((tmp_path / "out/here/notes").iterdir())) >= 1
    events = (tmp_path / "out/here/events.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["seq"] for line in events] == list(range(1, len(events) + 1))


def test_json_on_stdout(leadline: Run, documents: Path) -> None:
    done = leadline("research", QUESTION, "--in", "manual", "--format", "json", "--quiet")
    assert json.loads(done.out)["topic"]["text"] == QUESTION
    assert done.err == ""


def test_a_plan_is_printed_edited_and_run(leadline: Run, documents: Path, tmp_path: Path) -> None:
    printed = leadline("research", QUESTION, "--in", "manual", "--plan-only")
    plan = json.loads(printed.out)
    plan["todos"] = [{"title": "What blocks VACUUM", "query": "long transaction blocks vacuum"}]
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    by_file = leadline("research", QUESTION, "--in", "manual", "--plan", "plan.json")
    by_stdin = leadline("research", QUESTION, "--in", "manual", "--plan", "-", stdin=json.dumps(plan))
    assert by_file.status == 0, by_file.err
    assert "## 1. What blocks VACUUM" in by_file.out
    assert by_stdin.out == by_file.out


def test_what_finds_nothing_is_incomplete(leadline: Run, documents: Path) -> None:
    plan = {"todos": [{"title": "Dead rows", "query": "dead rows"}, {"title": "Zebras", "query": "zebra savanna"}]}
    done = leadline("research", QUESTION, "--in", "manual", "--plan", "-", stdin=json.dumps(plan))
    assert done.status == 3
    assert "found nothing" in done.err


def test_notes_are_kept(leadline: Run, documents: Path) -> None:
    leadline("research", QUESTION, "--in", "manual")
    listed = leadline("notes", "list").out.splitlines()
    assert listed
    note = listed[0].split()[0]
    shown = leadline("notes", "show", note).out
    assert shown.startswith("---\n")
    assert "## Sources" in shown
    assert note in leadline("notes", "list", "--run", note[:4], "--json").out
    assert leadline("notes", "search", "dead").out.splitlines()
    assert "No note" in leadline("notes", "search", "zebra").err


@pytest.mark.parametrize("topic", ["?", "CON", "..", "../../etc/passwd", "/", "a" * 900, "量" * 300])
def test_any_topic_is_safe_as_a_file(leadline: Run, documents: Path, tmp_path: Path, topic: str) -> None:
    plan = {"todos": [{"title": f"{topic[:290]} 1", "query": "dead rows"}]}
    done = leadline("research", topic, "--in", "manual", "--out", "out", "--plan", "-", stdin=json.dumps(plan))
    assert done.status in (0, 3), done.err
    assert {p.name for p in tmp_path.iterdir()} == {"manual", "out", "home"}
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"report.md", "report.json", "events.jsonl", "notes"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["", "--in", "manual"], ["empty", "leadline research"]),
        (["  \n ", "--in", "manual"], ["empty"]),
        (["x" * 20_000, "--in", "manual"], ["20,000", "2,000", "--in"]),
        ([os.fsdecode(b"caf\xe9 cr\xe8me"), "--in", "manual"], ["topic", "udce9"]),
        ([QUESTION, "--in", "missing"], ["missing", "--in"]),
        ([QUESTION, "--in", "@missing"], ["@missing", "library add"]),
        ([QUESTION, "--in", ""], ["''", "@NAME"]),
        ([QUESTION, "--in", "manual/binary"], ["binary"]),
        ([QUESTION, "--in", "manual", "--out", "manual/rows.md"], ["rows.md", "--out"]),
        ([QUESTION, "--in", "manual", "--out", "o" * 900], ["ooo", "--out"]),
        ([QUESTION, "--in", "manual", "--plan", "missing.json"], ["missing.json", "--plan-only"]),
        ([QUESTION, "--in", "manual", "--todos", "13"], ["13", "1 to 12", "--todos"]),
        ([QUESTION, "--in", "manual", "--todos", "many"], ["many", "1 to 12"]),
        ([QUESTION, "--in", "manual", "--max-points", "0"], ["0", "1 or more"]),
        ([QUESTION, "--in", "manual", "--language", "klingon!"], ["klingon!", "zh"]),
        ([QUESTION, "--in", "manual", "--format", "pdf"], ["pdf", "md"]),
        (["dead", "rows", "--in", "manual"], ["rows", "quotes"]),
        ([QUESTION, "--in", "manual/rows.md", "manual/vacuum.md"], ["vacuum.md", "--in before each source"]),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, list) else None,
)
def test_wrong_use_is_told_in_a_sentence(
    leadline: Run, documents: Path, tmp_path: Path, arguments: list[str], says: list[str]
) -> None:
    (documents / "binary").mkdir()
    (documents / "binary" / "a.bin").write_bytes(bytes(range(256)) * 10)
    done = leadline("research", *arguments)
    assert done.status == 2
    assert done.out == ""
    assert [word for word in says if word not in _error(done.err)] == []


def test_an_output_folder_is_tried_before_the_run(leadline: Run, documents: Path, home: Path) -> None:
    done = leadline("research", QUESTION, "--in", "manual", "--out", "manual/rows.md/out")
    assert done.status == 2
    assert "out" in _error(done.err)
    assert not home.exists()


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "gbk"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=lambda e: " ".join(e.values()),
)
def test_a_narrow_console_loses_signs_and_files_do_not(
    process: Run, documents: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    (documents / "更多é🚀.md").write_text(
        "# 死元组\n\nA dead row 🚀 is a version é that no transaction can see 量.\n", encoding="utf-8"
    )
    topic = "dead row é 量 🚀"
    done = process("research", topic, "--in", "manual", "--out", "out", "--todos", "1", **environment)
    assert done.status == 0, done.err
    assert topic in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_what_a_terminal_would_obey_stays_out(leadline: Run, documents: Path) -> None:
    (documents / "evil.md").write_text(
        "# Dead \x1b]0;owned\x07 rows\n\nA dead row \x1b[31mis red\x9b0m today.\n", encoding="utf-8"
    )
    for words in (["research", QUESTION, "--in", "manual"], ["library", "search", "m", "dead", "row"], ["notes", "list"]):
        leadline("library", "add", "m", "manual")
        done = leadline(*words)
        assert not {*done.out, *done.err} & {"\x1b", "\x07", "\x9b"}


def test_a_reader_that_leaves_is_no_error(documents: Path) -> None:
    command = f"{sys.executable} -m leadline research 'dead rows' --in manual --quiet | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=documents.parent, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_on_a_terminal_the_report_is_rendered(documents: Path) -> None:
    primary, secondary = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "leadline", "research", QUESTION, "--in", "manual", "--quiet"]
    with subprocess.Popen(command, cwd=documents.parent, stdout=secondary, env=environment) as process:
        os.close(secondary)
        shown = b"".join(iter(lambda: _read(primary), b"")).decode()
    os.close(primary)
    assert process.returncode == 0
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert lines[:2] == [QUESTION, "═" * len(QUESTION)]
    assert max(map(len, lines)) <= 80


def _read(descriptor: int) -> bytes:
    """What a terminal shows next; nothing once the program has closed it."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


def test_a_mistake_of_the_program_asks_for_a_report(tmp_path: Path) -> None:
    broken = "from leadline.cli import main\nimport leadline.cli.commands as c, sys\n"
    broken += "def fail(**_): raise ZeroDivisionError('odd')\nc.list_notes.callback = fail\nmain()"
    done = subprocess.run([sys.executable, "-c", broken, "notes", "list"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert "ZeroDivisionError" in _error(done.stderr)
    assert "report" in _error(done.stderr)

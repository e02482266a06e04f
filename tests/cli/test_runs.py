"""`leadline runs`, `open` and `research --detach|--review-plan`, as a person meets them, in one process."""

import asyncio
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.desk import open_desk
from leadline.events import PlanEvent
from leadline.records import Request
from leadline.settings import load_settings

Run = Callable[..., Any]

QUESTION = "How are dead rows reclaimed?"
PLAN = {
    "todos": [
        {"title": "What a dead row is", "query": "dead row version"},
        {"title": "What blocks VACUUM", "query": "transaction blocks VACUUM"},
        {"title": "Zebras", "query": "zebra savanna"},
    ]
}


@pytest.fixture
def ended(leadline: Run, documents: Path, home: Path) -> str:
    """Return the id of a run that has ended incomplete: its third todo found nothing."""
    done = leadline("research", QUESTION, "--in", "manual", "--plan", "-", "--quiet", stdin=json.dumps(PLAN))
    assert done.status == 3, done.err
    name: str = json.loads(leadline("runs", "list", "--json").out)["run"]
    return name


def _error(said: str) -> str:
    """The one line of an error."""
    (line,) = said.splitlines()
    assert line.startswith("leadline: ")
    return line


def _record(leadline: Run, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(leadline("runs", "show", name, "--json").out)
    return found


def _attempts(leadline: Run, name: str) -> list[str]:
    """The searches of a run, in order, as its events tell them."""
    events = [json.loads(line)["event"] for line in leadline("runs", "watch", name, "--json").out.splitlines()]
    return [event["message"] for event in events if event["type"] == "status" and "Searching" in event["message"]]


def test_a_plan_that_waits_is_shown_with_what_to_do_and_approved(leadline: Run, documents: Path, home: Path) -> None:
    async def leave_waiting() -> str:
        async with open_desk(load_settings()) as desk, desk.engaged("worker"):
            run = await desk.begin(Request(topic=QUESTION, sources=(str(documents),), review=True))
            async for envelope in desk.store.runs.watch(run.id):
                if isinstance(envelope.event, PlanEvent):
                    break
            return run.id

    name = asyncio.run(leave_waiting())
    watched = leadline("runs", "watch", name)
    assert f"to begin the work on it: leadline runs approve {name}" in watched.err
    assert f"waits for approval: leadline runs approve {name}" in leadline("runs", "show", name).out
    approved = leadline("runs", "approve", name, "--json")
    assert approved.status == 0, approved.err
    assert json.loads(approved.out)["state"] == "complete"
    assert leadline("runs", "approve", name).status == 2


def test_without_runs_every_command_says_so(leadline: Run, tmp_path: Path) -> None:
    assert "no runs yet" in leadline("runs", "list").err
    for words in (["show"], ["watch"], ["cancel"], ["resume"], ["retry"], ["edit"], ["refresh"], ["delete"]):
        done = leadline("runs", *words)
        assert (done.status, done.out) == (2, "")
        assert "There are no runs yet" in _error(done.err)
    assert leadline("open").status == leadline("runs", "export", "-o", "out").status == 2


def test_runs_are_listed_and_shown(leadline: Run, ended: str) -> None:
    line = leadline("runs", "list").out
    assert line.split()[:2] == [ended, "incomplete"]
    assert line.endswith(f"{QUESTION}\n")
    record = _record(leadline, ended)
    assert [todo["status"] for todo in record["todos"]] == ["completed", "completed", "empty"]
    assert record["tally"]["verbatim"] == record["points"] == sum(todo["points"] for todo in record["todos"])
    shown = leadline("runs", "show").out
    assert shown.startswith(f"run {ended} · incomplete")
    assert "○  3  Zebras (found nothing)" in shown
    assert "0 by snippet only" in shown


def test_a_prefix_must_mean_one_run(leadline: Run, ended: str, documents: Path) -> None:
    names = [ended]
    while len({name[0] for name in names}) == len(names):  # 30 letters: a few runs share one
        leadline("research", QUESTION, "--in", "manual", "--todos", "1", "--quiet", "--plan", "-", stdin=json.dumps(PLAN))
        names.append(json.loads(leadline("runs", "list", "--limit", "1", "--json").out)["run"])
    shared = next(name[0] for name in names if [other[0] for other in names].count(name[0]) > 1)
    done = leadline("runs", "show", shared)
    assert done.status == 2
    assert "several runs" in _error(done.err)
    assert leadline("runs", "show", ended[:7]).status == 0
    assert leadline("runs", "show", "zzzz").status == leadline("runs", "show", "../x").status == 2


def test_an_edit_after_the_end_does_only_what_changed(leadline: Run, ended: str, editor: Run, tmp_path: Path) -> None:
    editor("s/#3 Zebras/#3 VACUUM FULL/\ns/query: zebra savanna/query: vacuum full exclusive lock/")
    done = leadline("runs", "edit")
    assert done.status == 0, done.err
    assert "## 3. VACUUM FULL" in done.out
    opened = (tmp_path / "opened1").read_text(encoding="utf-8")
    assert "- [x] #1 What a dead row is\n  - query: dead row version\n" in opened
    assert len(_attempts(leadline, ended)) == 4
    assert [todo["status"] for todo in _record(leadline, ended)["todos"]] == ["completed"] * 3


@pytest.mark.parametrize("script", ["", "p;d", "s/$/ /;s/ $//", "/./d"], ids=["unsaved", "closed", "unchanged", "emptied"])
def test_an_edit_that_changes_nothing_does_nothing(leadline: Run, ended: str, editor: Run, script: str) -> None:
    editor(script)
    done = leadline("runs", "edit", ended)
    assert (done.status, done.out) == (0, "")
    assert "left as it is; nothing is done" in done.err
    assert _record(leadline, ended)["state"] == "incomplete"


def test_a_mistake_opens_the_editor_again_with_the_line_named(leadline: Run, ended: str, editor: Run, tmp_path: Path) -> None:
    editor("s/^- .*#2 /- [?] #2 /", "s/^- .*#2 /- [-] #2 /")
    done = leadline("runs", "edit", "-q", "--json")
    assert done.status == 3, done.err
    again = (tmp_path / "opened2").read_text(encoding="utf-8").splitlines()
    assert again[0].startswith("# line 4: '- [?] #2 What blocks VACUUM' cannot be read")
    assert again[3].startswith("- [?] #2")
    assert json.loads(done.out)["todos"][1]["status"] == "skipped"


def test_a_plan_that_a_run_cannot_use_is_a_mistake_too(leadline: Run, ended: str, editor: Run, tmp_path: Path) -> None:
    editor("/^- .*#[23]/,/query/d\ns/^- .*#1 .*/- [ ] !!!/\ns/query: dead.*/query: ?/", "/./d")
    assert leadline("runs", "edit").status == 0
    assert "has no letter and no digit" in (tmp_path / "opened2").read_text(encoding="utf-8").splitlines()[0]


def test_an_editor_that_is_not_there(leadline: Run, ended: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor")
    done = leadline("runs", "edit")
    assert done.status == 2
    assert "'no-such-editor' failed" in done.err.splitlines()[-1]
    monkeypatch.delenv("EDITOR")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "set VISUAL or EDITOR" in _error(leadline("runs", "edit").err)


def test_todos_are_done_again(leadline: Run, ended: str, documents: Path) -> None:
    (documents / "zebras.md").write_text(
        "# Zebras\n\nA zebra of the savanna leaves dead rows behind, and VACUUM reclaims the dead rows of the zebra.\n",
        encoding="utf-8",
    )
    done = leadline("runs", "retry")
    assert done.status == 0, done.err
    assert "again: 3. Zebras" in done.err
    assert "A zebra of the savanna" in done.out
    assert len(_attempts(leadline, ended)) == 4
    assert "has failed" in _error(leadline("runs", "retry").err)
    assert "no todo 9" in _error(leadline("runs", "retry", "--todo", "9").err)
    assert leadline("runs", "retry", "--todo", "1", "--todo", "2", "-q").status == 0
    assert len(_attempts(leadline, ended)) == 6


def test_a_refresh_does_what_changed_again_and_shows_it(leadline: Run, ended: str, documents: Path) -> None:
    unchanged = leadline("runs", "refresh")
    assert (unchanged.status, unchanged.out) == (0, "")
    assert "No page" in unchanged.err
    blocking = documents / "blocking.md"
    text = blocking.read_text(encoding="utf-8").replace("keeps dead rows alive", "keeps all dead rows alive")
    blocking.write_text(text, encoding="utf-8")
    done = leadline("runs", "refresh")
    assert done.status == 3, done.err
    assert "sources changed: 2. What blocks VACUUM" in done.err
    assert "sources changed: 3." not in done.err
    lines = done.out.splitlines()
    assert "  - A long transaction keeps dead rows alive, so VACUUM cannot remove them." in lines
    assert "  + A long transaction keeps all dead rows alive, so VACUUM cannot remove them." in lines
    assert json.loads(leadline("runs", "refresh", "--json").out)["added"] == []


def test_what_has_come_to_its_end_is_neither_cancelled_nor_resumed(leadline: Run, ended: str) -> None:
    assert "has ended (incomplete)" in _error(leadline("runs", "cancel").err)
    assert "leadline runs retry" in _error(leadline("runs", "resume").err)


def test_a_run_is_exported(leadline: Run, ended: str, tmp_path: Path) -> None:
    assert leadline("runs", "export", ended, "-o", "out").out.splitlines()[-1].endswith("notes/ (2 files)")
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"report.md", "report.json", "events.jsonl", "notes"}
    assert json.loads(leadline("runs", "export", "-o", "one.md", "--json").out)["files"] == ["one.md"]
    leadline("runs", "export", "-o", "deep/one.json")
    assert (tmp_path / "one.md").read_text(encoding="utf-8") == (tmp_path / "out/report.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "deep/one.json").read_text(encoding="utf-8"))["run"] == ended
    done = leadline("runs", "export", "-o", "one.md/out")
    assert (done.status, "one.md" in _error(done.err)) == (2, True)


@pytest.mark.parametrize("suffix", ["html", "docx", "csl.json", "bib", "zip"])
def test_a_report_is_exported_in_the_format_of_the_files_name(leadline: Run, ended: str, tmp_path: Path, suffix: str) -> None:
    done = leadline("runs", "export", ended, "-o", f"deep/报告.{suffix}")
    assert (done.status, done.out, done.err) == (0, f"deep/报告.{suffix}\n", "")
    assert (tmp_path / f"deep/报告.{suffix}").stat().st_size > 100


def test_a_pdf_is_exported(leadline: Run, ended: str, tmp_path: Path, pango: None) -> None:
    done = leadline("runs", "export", ended, "-o", "report.pdf")
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_a_pdf_without_the_extra_is_refused_and_the_way_out_named(
    process: Run, leadline: Run, ended: str, tmp_path: Path
) -> None:
    (tmp_path / "weasyprint.py").write_text("raise ImportError", encoding="utf-8")
    done = process("runs", "export", ended, "-o", "report.pdf", PYTHONPATH=str(tmp_path))
    assert done.status == 2
    assert f"run `leadline open {ended}` and print from the browser" in _error(done.err)
    assert not (tmp_path / "report.pdf").exists()


def test_a_bundle_that_was_exported_is_verified(leadline: Run, ended: str, documents: Path, tmp_path: Path) -> None:
    leadline("runs", "export", "-o", "evidence.zip")
    documents.rename(tmp_path / "gone")
    done = leadline("verify", "evidence.zip")
    assert done.status == 0, done.out
    assert "intact" in done.out
    assert done.out.endswith("score 1.00\n")
    assert "--in 'gone'" in _error(leadline("verify", "evidence.zip", "--in", "gone").err)


@pytest.mark.parametrize("place", ["", " "])
def test_a_place_without_a_name_is_refused(leadline: Run, ended: str, tmp_path: Path, place: str) -> None:
    before = set(tmp_path.iterdir())
    for command in (["runs", "export", "-o", place], ["research", QUESTION, "--in", "manual", "--out", place]):
        done = leadline(*command)
        assert (done.status, done.out) == (2, "")
        assert f"{place!r} is no place to write to" in _error(done.err)
    assert set(tmp_path.iterdir()) == before


def test_a_format_that_is_not_there_is_refused(leadline: Run, ended: str, tmp_path: Path) -> None:
    done = leadline("runs", "export", "-o", "report.txt")
    assert (done.status, "report.txt" in _error(done.err), ".docx" in done.err) == (2, True, True)
    assert not (tmp_path / "report.txt").exists()


def test_a_run_is_deleted_with_its_page(leadline: Run, ended: str, home: Path) -> None:
    page = Path(leadline("open", "--print").out.strip())
    assert page.is_file()
    assert str(page) in leadline("runs", "show").out
    assert leadline("runs", "delete", ended[:5]).out == f"run {ended} is deleted: {QUESTION}\n"
    assert not page.exists()
    assert leadline("runs", "list").out == leadline("notes", "list").out == ""


def test_a_page_obeys_nothing_in_the_texts(leadline: Run, documents: Path, home: Path) -> None:
    text = "# Rows\n\nA dead row is <img src=x onerror=alert(1)> a version ![x](http://192.0.2.1/x.png) of it.\n"
    (documents / "evil.md").write_text(text, encoding="utf-8")
    leadline("research", "</title><script>alert(1)</script> dead row?", "--in", "manual", "--quiet")
    page = leadline("open", "--print").out.strip()
    html = Path(page).read_text(encoding="utf-8")
    assert page == str(home / "exports" / Path(page).name)
    assert html.count("<script") == 1
    assert "alert(1)</script" not in html
    assert "<img" not in html
    assert "<title>&lt;/title&gt;&lt;script&gt;" in html
    assert "default-src &#39;none&#39;" in html
    assert '<html lang="en"' in html


def test_a_page_is_opened(leadline: Run, ended: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/shown\n', encoding="utf-8")
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    done = leadline("open", ended)
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "shown").read_text(encoding="utf-8").strip() == Path(done.out.strip()).as_uri()


def test_a_review_needs_a_terminal(leadline: Run, documents: Path) -> None:
    done = leadline("research", QUESTION, "--in", "manual", "--review-plan")
    assert done.status == 2
    assert "--plan-only" in _error(done.err)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--priority", "1"], "--detach"),
        (["--detach", "--out", "out"], "leadline runs export"),
        (["--detach", "--priority", "0"], "1 or more"),
    ],
)
def test_what_does_not_go_together_is_refused(leadline: Run, documents: Path, arguments: list[str], says: str) -> None:
    done = leadline("research", QUESTION, "--in", "manual", *arguments)
    assert done.status == 2
    assert says in _error(done.err)
    assert leadline("runs", "list").out == ""


def test_sources_that_are_gone_fail_a_run_and_resuming_tries_again(leadline: Run, ended: str, documents: Path) -> None:
    documents.rename(documents.with_name("elsewhere"))
    gone = leadline("runs", "retry", "--todo", "1")
    assert gone.status == 1, gone.err
    assert "manual" in gone.err.splitlines()[-1]
    assert "manual" in _error(leadline("runs", "refresh").err)
    documents.with_name("elsewhere").rename(documents)
    assert leadline("runs", "resume").status == 3


def test_old_runs_are_deleted_by_workers(leadline: Run, ended: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_KEEP_DAYS", "1")
    assert leadline("worker", "--until-idle").status == 0
    assert leadline("runs", "list").out
    monkeypatch.setenv("LEADLINE_KEEP_DAYS", "soon")
    done = leadline("worker", "--until-idle")
    assert done.status == 2
    assert "LEADLINE_KEEP_DAYS='soon'" in _error(done.err)

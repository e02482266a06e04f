"""Runs and the processes that carry them out: cancelled, watched, killed and resumed from elsewhere."""

import json
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

QUESTION = "How are dead rows reclaimed?"


def _count(home: Path, table: str) -> int:
    """How many rows a table of the store has."""
    with closing(sqlite3.connect(home / "leadline.db")) as connection:
        (count,) = connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()
    return int(count)


def _record(leadline: Run, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(leadline("runs", "show", *arguments, "--json").out)
    return found


def test_a_run_is_cancelled_from_another_process(leadline: Run, start: Run, many: list[str], home: Path) -> None:
    working = start("research", *many)
    working.wait_for("[1/12]")
    with working.held(until=lambda: _count(home, "signals") > 0):
        assert _record(leadline)["state"] == "working"
        assert json.loads(leadline("runs", "list", "--json").out)["state"] == "working"
        assert "cancel it first" in leadline("runs", "delete", "--yes").err
        assert "in work" in leadline("runs", "resume").err
        cancelled = json.loads(leadline("runs", "cancel", "--json").out)
    assert cancelled["state"] == "cancelled"
    assert cancelled["points"] > 0
    ended = working.finish()
    assert ended.status == 130
    assert ended.out.startswith(f"# {QUESTION}\n")
    assert f"run {cancelled['run']} · cancelled" in ended.err


def test_what_was_killed_is_named_and_resumed(leadline: Run, start: Run, many: list[str], documents: Path, home: Path) -> None:
    working = start("research", *many)
    working.wait_for("[1/12]")
    working.process.kill()
    working.finish()
    before = _record(leadline)
    assert before["state"] == "interrupted"
    done = [todo["title"] for todo in before["todos"] if todo["status"] == "completed"]
    other = leadline("research", QUESTION, "--in", "manual", "--todos", "1")
    assert f"run {before['run']} was interrupted: leadline runs resume {before['run']}" in other.err
    calls = _count(home, "journal")
    resumed = leadline("runs", "resume", before["run"][:6])
    assert resumed.status == 0, resumed.err
    assert [title for title in done if f"{title}: " in resumed.err] == []
    after = _record(leadline, before["run"])
    assert after["state"] == "complete"
    assert after["points"] > 0
    assert _count(home, "journal") > calls
    assert leadline("runs", "resume", before["run"]).status == 2


def test_ctrl_c_ends_with_what_was_found(start: Run, leadline: Run, many: list[str]) -> None:
    working = start("research", *many)
    working.wait_for("[1/12]")
    working.send(signal.SIGINT)
    ended = working.finish()
    assert ended.status == 130
    assert ended.out.startswith(f"# {QUESTION}\n")
    assert "cancelled" in ended.err
    assert "Traceback" not in ended.err
    assert leadline("notes", "list").out
    assert _record(leadline)["state"] == "cancelled"
    resumed = leadline("runs", "resume", "-q")
    assert resumed.status == 0, resumed.err


def test_a_second_ctrl_c_leaves_at_once(start: Run, leadline: Run, many: list[str], home: Path) -> None:
    working = start("research", *many)
    working.wait_for("Searching")
    with closing(sqlite3.connect(home / "leadline.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")  # so that the first cannot be obeyed
        working.send(signal.SIGINT)
        working.wait_for("Ctrl-C again")
        working.send(signal.SIGINT)
        ended = working.finish()
    assert (ended.status, ended.out) == (130, "")
    assert "leadline runs resume" in ended.err
    assert _record(leadline)["state"] == "interrupted"
    resumed = leadline("runs", "resume", "-q")
    assert resumed.status == 0, resumed.err


def test_a_run_is_watched_from_another_process(leadline: Run, start: Run, many: list[str], home: Path) -> None:
    working = start("research", *many)
    working.wait_for("[1/12]")
    with working.held():
        watching = start("runs", "watch")
        watching.wait_for("[1/12]")
    watched = leadline("runs", "watch", "--json")
    events = [json.loads(line) for line in watched.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["event"] == {"type": "done", "status": "complete"}
    assert watched.status == working.finish().status == 0
    ended = watching.finish()
    assert ended.status == 0
    assert "[12/12]" in ended.err
    assert "complete" in ended.err


def test_ctrl_c_stops_watching_and_not_the_run(start: Run, many: list[str]) -> None:
    working = start("research", *many)
    working.wait_for("Searching")
    with working.held():
        watching = start("runs", "watch")
        watching.wait_for("Searching")
        watching.send(signal.SIGINT)
        ended = watching.finish()
    assert (ended.status, "stopped watching; the run goes on" in ended.err) == (130, True)
    assert working.finish().status == 0


def test_watching_ends_when_nobody_has_the_run(start: Run, leadline: Run, many: list[str]) -> None:
    working = start("research", *many)
    working.wait_for("Searching")
    with working.held():
        watching = start("runs", "watch")
        watching.wait_for("Searching")
        working.process.kill()
    ended = watching.finish()
    assert ended.status == 1
    assert "was interrupted and nobody has taken it: leadline runs resume" in ended.err


def test_an_edit_while_the_run_works_is_obeyed_there(
    leadline: Run, start: Run, many: list[str], editor: Run, home: Path
) -> None:
    editor("s/^- .* #6 .*/- [ ] #6 What a dead row is/")
    working = start("research", *many)
    working.wait_for("6. Dead rows of table 6")
    with working.held(until=lambda: _count(home, "signals") > 0):
        edited = leadline("runs", "edit")
    assert edited.status == 0, edited.err
    assert "is in work and goes on with that" in edited.err
    assert edited.out == ""
    ended = working.finish()
    assert ended.status == 0
    assert "## 6. What a dead row is" in ended.out
    assert "What a dead row is: " in ended.err


def test_a_worker_takes_a_detached_run(start: Run, leadline: Run, documents: Path, home: Path) -> None:
    first = start("worker")  # one that leaves when idle may have left before the run is there; the next test has one
    first.wait_for("takes runs")
    taken = leadline("research", QUESTION, "--in", "manual", "--detach", "--priority", "1")
    assert taken.status == 0, taken.err
    name = taken.out.strip()
    assert "a worker was started" not in taken.err
    assert leadline("runs", "watch", name).status == 0
    first.wait_for(f"run {name} begun: {QUESTION}")
    first.wait_for(f"run {name} complete")
    first.send(signal.SIGTERM)
    assert first.finish().status == 0


def test_a_worker_is_started_for_a_detached_run_and_ends_by_itself(leadline: Run, documents: Path, home: Path) -> None:
    taken = leadline("research", QUESTION, "--in", "manual", "--detach")
    assert "a worker was started" in taken.err
    assert leadline("runs", "watch", taken.out.strip()).status == 0
    deadline = time.monotonic() + 120
    log = home / "worker.log"
    while "nothing is left to do" not in log.read_text(encoding="utf-8"):
        assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
        time.sleep(0.1)


def test_a_worker_stops_cleanly_and_another_goes_on(start: Run, leadline: Run, many: list[str]) -> None:
    worker = start("worker")
    worker.wait_for("takes runs")
    name = leadline("research", *many, "--detach").out.strip()
    worker.wait_for("begun")
    worker.send(signal.SIGTERM)
    ended = worker.finish()
    assert ended.status == 0, ended.err
    assert "the worker stops" in ended.err
    assert _record(leadline, name)["state"] in ("queued", "interrupted")
    assert start("worker", "--until-idle").finish().status == 0
    assert _record(leadline, name)["state"] == "complete"


def test_ctrl_c_stops_a_worker_that_has_nothing_to_do(start: Run) -> None:
    worker = start("worker")
    worker.wait_for("takes runs")
    worker.send(signal.SIGINT)
    ended = worker.finish()
    assert (ended.status, ended.err) == (0, "the worker stops; its runs wait for another\n")


def test_two_runs_side_by_side(start: Run, documents: Path) -> None:
    both = [start("research", QUESTION, "--in", "manual", "--quiet") for _ in range(2)]
    ended = [each.finish() for each in both]
    assert [done.status for done in ended] == [0, 0]
    assert ended[0].out == ended[1].out
    assert ended[0].err == ended[1].err == ""

import datetime as dt
from pathlib import Path

import pytest

from leadline import exports
from leadline.errors import OutputError, RunFailed
from leadline.records import Note, Plan, Request, Run, Todo, Topic

NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
TODOS = tuple(Todo(id=number, title=f"Part {number}", query=f"part {number}") for number in (1, 2, 3))
RUN = Run(
    id="abc",
    request=Request(topic="Parts?"),
    topic=Topic(text="Parts?", language="en", today=NOW.date()),
    created=NOW,
    plan=Plan(todos=TODOS),
)


def note(todo: Todo, minute: int) -> Note:
    at = NOW + dt.timedelta(minutes=minute)
    return Note(id=f"abc-{todo.key[:8]}", title=todo.title, body="Said.\n", run="abc", created=at, updated=at)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_notes_are_in_the_order_of_the_plan_whichever_was_done_first(tmp_path: Path) -> None:
    notes = [note(TODOS[2], 1), note(TODOS[0], 2), note(TODOS[1], 3)]
    exports.write(RUN, notes, (), tmp_path)
    assert names(tmp_path / "notes") == ["01-part-1.md", "02-part-2.md", "03-part-3.md"]


def test_notes_of_an_earlier_export_go_and_a_persons_own_stay(tmp_path: Path) -> None:
    exports.write(RUN, [note(todo, 1) for todo in TODOS], (), tmp_path)
    (tmp_path / "notes" / "mine.md").write_text("mine", encoding="utf-8")
    (tmp_path / "notes" / "09-mine.md").write_text("---\ntitle: mine\n---\n", encoding="utf-8")
    exports.write(RUN, [note(TODOS[1], 1)], (), tmp_path)
    assert names(tmp_path / "notes") == ["01-part-2.md", "09-mine.md", "mine.md"]


@pytest.mark.parametrize("taken", ["report.md", "report.json", "events.jsonl"])
def test_a_folder_in_the_place_of_a_file_is_named_before_any_work(tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).mkdir()
    with pytest.raises(OutputError, match=f"{taken} is a folder"):
        exports.prepare_folder(tmp_path)


def test_a_file_in_the_place_of_a_folder_is_named_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("x", encoding="utf-8")
    with pytest.raises(OutputError, match="notes is a file"):
        exports.prepare_folder(tmp_path)
    with pytest.raises(OutputError, match="cannot be written"):
        exports.prepare_folder(tmp_path / "notes" / "deep")


def test_preparing_makes_nothing(tmp_path: Path) -> None:
    exports.prepare_folder(tmp_path / "out" / "deep")
    assert names(tmp_path) == []


def test_a_failed_write_leaves_no_draft_behind(tmp_path: Path) -> None:
    (tmp_path / "plan.json").mkdir()
    with pytest.raises(OutputError):
        exports.write_file(tmp_path / "plan.json", b"x")
    assert names(tmp_path) == ["plan.json"]


def test_an_export_that_fails_on_the_way_says_that_the_run_is_kept(tmp_path: Path) -> None:
    exports.write(RUN, [note(TODOS[0], 1)], (), tmp_path)
    (tmp_path / "notes" / "01-part-2.md").mkdir()
    with pytest.raises(RunFailed, match="The run is kept"):
        exports.write(RUN, [note(TODOS[1], 1)], (), tmp_path)
    assert names(tmp_path) == ["events.jsonl", "notes"]

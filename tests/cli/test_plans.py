"""Plans as people edit them."""

from pathlib import Path

import pytest

from leadline.cli.plans import SHAPE, print_plan, read_plan
from leadline.errors import PlanError
from leadline.records import Plan, Todo

PLAN = Plan(todos=(Todo(id=1, title="死元组", query="死元组 回收"), Todo(id=2, title="Freezing", query="freeze", skip=True)))


def _write(folder: Path, data: bytes) -> str:
    path = folder / "plan.json"
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_is_printed_is_read(tmp_path: Path, encoding: str) -> None:
    assert read_plan(_write(tmp_path, print_plan(PLAN).encode(encoding))) == PLAN


def test_the_shape_that_errors_show_is_right(tmp_path: Path) -> None:
    assert [todo.id for todo in read_plan(_write(tmp_path, SHAPE.encode())).todos] == [1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON at line 1, column 1"),
        ('{"todos": [\n{"title": "a" "query": "b"}]}', "line 2"),
        ("[" * 100_000, "not JSON"),
        ("[]", "the top"),
        ('{"todos": [{"title": "a"}]}', "todos.0.query"),
        ('{"todos": [{"title": "", "query": "b"}]}', "todos.0.title"),
        ('{"todos": [{"title": "a", "query": 3}]}', "found 3"),
        ('{"todos": [{"title": "a", "query": "b", "question": 1}]}', "todos.0.question"),
        ('{"todos": "all"}', "todos"),
    ],
)
def test_a_wrong_shape_names_the_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(PlanError) as caught:
        read_plan(_write(tmp_path, text.encode()))
    assert says in str(caught.value)
    assert "plan.json" in str(caught.value)


@pytest.mark.parametrize("name", ["missing.json", "", "a\0b"])
def test_a_plan_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlanError, match="plan"):
        read_plan(name)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="not JSON"):
        read_plan(_write(tmp_path, b'{"todos": "\xff\xfe"}'))


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"1,000,000 bytes"):
        read_plan(_write(tmp_path, b" " * 1_000_001))

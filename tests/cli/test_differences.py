"""What a refresh shows."""

import datetime as dt

from leadline.cli.differences import compare
from leadline.records import Point, Report, Section, Tally, Todo


def _report(**sections: list[str]) -> Report:
    todos = [Todo(id=number, title=title, query=title) for number, title in enumerate(sections, 1)]
    return Report(
        title="t",
        language="en",
        date=dt.date(2026, 11, 30),
        analyst="a",
        origin="o",
        overview=(),
        summary=(),
        references=(),
        tally=Tally(),
        sections=tuple(
            Section(todo=todo, status="completed", points=tuple(Point(id=text, text=text, evidence=()) for text in texts))
            for todo, texts in zip(todos, sections.values(), strict=True)
        ),
    )


def test_points_that_came_and_went() -> None:
    difference = compare(_report(one=["a", "b"], two=["c"]), _report(one=["a", "d"], two=["c"], three=["e"]))
    assert (difference.added, difference.removed) == (["d", "e"], ["b"])
    assert difference.lines == ["one", "  - b", "  + d", "three", "  + e"]


def test_a_point_that_moved_is_no_difference() -> None:
    assert compare(_report(one=["a"], two=["b"]), _report(two=["b"], one=["a"])).lines == []


def test_a_report_that_was_not_there() -> None:
    assert compare(None, _report(one=["a"])).added == ["a"]
    assert compare(None, None).lines == []

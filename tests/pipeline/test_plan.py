import pytest

from leadline.errors import PlanError
from leadline.pipeline.plan import tidy
from leadline.records import Plan, Todo


def todo(title: str, query: str | None = None) -> Todo:
    return Todo(id=9, title=title, query=query or title)


def test_todos_that_differ_only_in_width_case_and_spaces_are_one() -> None:
    plan = Plan(todos=(todo("AI 芯片 出口"), todo("ＡＩ芯片出口"), todo("ai 芯片 出口 "), todo("关税")))
    assert [t.title for t in tidy(plan, 5).todos] == ["AI 芯片 出口", "关税"]


def test_todos_with_one_query_are_one() -> None:
    plan = Plan(todos=(todo("Basics", "vacuum"), todo("More", "VACUUM!"), todo("Freezing", "freeze")))
    assert [t.title for t in tidy(plan, 5).todos] == ["Basics", "Freezing"]


def test_todos_are_numbered_from_one_and_cut_at_the_limit() -> None:
    plan = Plan(todos=tuple(todo(f"part {n}") for n in range(9)))
    assert [t.id for t in tidy(plan, 5).todos] == [1, 2, 3, 4, 5]


def test_a_plan_without_a_usable_todo_is_refused() -> None:
    with pytest.raises(PlanError, match="at least one"):
        tidy(Plan(todos=(todo("?", "…"),)), 5)

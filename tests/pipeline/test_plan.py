import pytest

from leadline.api import make_request
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


@pytest.mark.parametrize(
    ("todos", "says"),
    [
        ((todo("Basics", "vacuum"), todo("More", "VACUUM!")), "Todos 1 and 2 of the plan have the same query"),
        ((todo("Basics", "vacuum"), todo("x"), todo("basics", "other")), "Todos 1 and 3 of the plan have the same title"),
        ((todo("x" * 301),), "title of todo 1 has 301 characters"),
        ((todo("x", "y" * 2001),), "query of todo 1 has 2,001 characters"),
        ((), "0 todos; 1 to 12 are allowed"),
        (tuple(todo(f"t{n}") for n in range(13)), "13 todos"),
        ((todo("a"), todo("a \x1b[31m b")), r"title of todo 2 holds '\\x1b' at character 3"),
        ((todo("a\u202eb"),), "title of todo 1 holds"),
        ((todo("a", "b\0"),), "query of todo 1 holds"),
    ],
)
def test_a_plan_that_cannot_be_meant_is_refused_by_number(todos: tuple[Todo, ...], says: str) -> None:
    with pytest.raises(PlanError, match=says):
        make_request("Why?", plan=Plan(todos=tuple(one.model_copy(update={"id": n}) for n, one in enumerate(todos, 1))))


def test_two_todos_with_one_id_are_refused() -> None:
    with pytest.raises(PlanError, match="two todos with the id 9"):
        make_request("Why?", plan=Plan(todos=(todo("a"), todo("b"))))


def test_what_is_no_plan_is_named() -> None:
    with pytest.raises(PlanError, match="is no plan; allowed is"):
        make_request("Why?", plan={"todos": []})  # type: ignore[arg-type]


def test_an_analysts_todos_lose_characters_that_no_text_has() -> None:
    (first,) = tidy(Plan(todos=(todo("a\x07b \u202ec\0", "q\x1bx"),)), 5).todos
    assert (first.title, first.query) == ("ab c", "qx")

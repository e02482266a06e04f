import pytest

from leadline.errors import PlanError
from leadline.pipeline.plan_text import read_plan, write_plan
from leadline.records import Plan, Todo

PLAN = Plan(
    todos=(
        Todo(id=1, title="Dead rows", intent="Where they come from", query="dead rows"),
        Todo(id=2, title="Freezing", query="freeze"),
        Todo(id=4, title="Bloat", query="bloat", skip=True, attempt=2),
    )
)


def test_an_unchanged_list_is_the_same_plan() -> None:
    text = write_plan(PLAN, done={PLAN.todos[0].key: "completed"})
    assert text.startswith("- [x] #1 Dead rows\n  - query: dead rows\n  - intent: Where they come from\n- [ ] #2 Freezing\n")
    assert read_plan(text, PLAN) == PLAN.todos


def test_a_todo_that_found_nothing_does_not_look_done() -> None:
    text = write_plan(PLAN, done={PLAN.todos[0].key: "completed", PLAN.todos[1].key: "empty"})
    assert [line[:8] for line in text.splitlines() if line.startswith("- ")] == ["- [x] #1", "- [o] #2", "- [-] #4"]
    assert read_plan(text, PLAN) == PLAN.todos


def test_items_can_be_moved_added_changed_skipped_retried_and_taken_out() -> None:
    text = """
# a remark
- [r] #2 Freezing
  - query: freeze
- [ ] Wraparound
- [-] #1 Dead row versions
"""
    todos = read_plan(text, PLAN)
    assert [(t.id, t.title, t.query, t.skip, t.attempt) for t in todos] == [
        (2, "Freezing", "freeze", False, 2),
        (5, "Wraparound", "Wraparound", False, 1),
        (1, "Dead row versions", "Dead row versions", True, 1),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- [ ] #1 A\nnonsense\n", "line 2: 'nonsense' cannot be read"),
        ("- [?] #1 A\n", "line 1: .* marks are"),
        ("- [ ] #9 A\n", "line 1: there is no todo #9; known are #1, #2, #4"),
        ("- [ ] #1 A\n\n- [ ] #1 B\n", "line 3: todo #1 is there twice"),
        ("  - query: x\n", "line 1: '- query: x' belongs to no item"),
        ("# nothing\n", "line 1: the plan has no item left"),
    ],
)
def test_a_mistake_is_named_by_its_line(text: str, says: str) -> None:
    with pytest.raises(PlanError, match=says):
        read_plan(text, PLAN)

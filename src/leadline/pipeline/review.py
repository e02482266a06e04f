"""A look over what was found, and the todos that come of it: kept as the edit of the plan that they are."""

from collections.abc import Sequence

from pydantic import TypeAdapter

from leadline.pipeline.plan import MOST_ALLOWED, merge_alike
from leadline.pipeline.recall import recall, remember
from leadline.ports import Journal, Reviewer
from leadline.records import Outline, Plan, Signal, Todo

MOST_ADDED = 3
"""Todos that a review may add."""

_SIGNAL: TypeAdapter[Signal] = TypeAdapter(Signal)


async def review(number: int, heard: int, plan: Plan, outline: Outline, analyst: Reviewer, journal: Journal) -> Signal:
    """Return the edit that a review makes of the plan.

    Args:
        number: of the review, from 1.
        heard: signals that the plan is made of; the edit's place among them is its `seq`.
        plan: as it is in force.
        outline: what was found.
        analyst: who reviews.
        journal: keeps the edit.
    """

    async def ask() -> Signal:
        room = min(MOST_ADDED, MOST_ALLOWED - len(plan.todos))
        found = await analyst.review(outline, room) if room > 0 else ()
        return Signal(seq=heard, kind="edit", todos=tuple(_number(plan, merge_alike([*plan.todos, *found]))))

    return await recall(journal, f"review:{number}", "review", _SIGNAL, ask)


def _number(plan: Plan, todos: Sequence[Todo]) -> list[Todo]:
    """Return the todos with numbers of their own for the new ones."""
    next_id = max((todo.id for todo in plan.todos), default=0) + 1
    new = todos[len(plan.todos) :]
    return [*todos[: len(plan.todos)], *(todo.model_copy(update={"id": next_id + place}) for place, todo in enumerate(new))]


async def insert_reviews(heard: list[Signal], journal: Journal) -> int:
    """Put the edits of earlier reviews in their places among the signals, and return how many there are."""
    number = 0
    while (edit := await remember(journal, f"review:{number + 1}", "review", _SIGNAL)) is not None:
        heard.insert(edit.seq, edit)
        number += 1
    return number

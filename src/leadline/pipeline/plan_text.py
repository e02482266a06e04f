"""A plan as a short Markdown list that a person edits, and back.

    - [x] #1 What a dead row is
      - query: dead row version
      - intent: How updates leave versions behind
    - [ ] Bloat in practice

`[x]` is done, `[o]` is done and found nothing, `[ ]` is to be done, `[-]` is skipped, `[r]` is done again. The order of the
list is that of the report. An item without `#number` is new; one without a query is searched for by its title; one that is
taken out is dropped.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from leadline.errors import PlanError
from leadline.records import Plan, TaskStatus, Todo

_ITEM = re.compile(r"-\s*\[(?P<mark>.?)\]\s*(?:#(?P<number>\d+)\s)?\s*(?P<title>.*\S)\s*")
_FIELD = re.compile(r"\s+-\s*(?P<name>query|intent)\s*:\s*(?P<value>.*?)\s*")
_MARKS = {"x": "done", "o": "done", "": "to do", " ": "to do", "-": "skip", "r": "retry"}
_DONE: dict[TaskStatus, str] = {"pending": " ", "completed": "x"}
_SHAPE = "an item is `- [ ] Title`, below it `  - query: words to search for`; marks are [x] [o] [ ] [-] [r]"


def write_plan(plan: Plan, done: Mapping[str, TaskStatus]) -> str:
    """Return a plan as the list that `read_plan` takes.

    Args:
        plan: what to write.
        done: what became of the todos that have a result, by key.
    """
    lines: list[str] = []
    for todo in plan.todos:
        mark = "-" if todo.skip else _DONE.get(done.get(todo.key, "pending"), "o")
        lines.append(f"- [{mark}] #{todo.id} {todo.title}")
        lines.append(f"  - query: {todo.query}")
        lines += [f"  - intent: {todo.intent}"] if todo.intent else []
    return "\n".join(lines) + "\n"


def read_plan(text: str, plan: Plan) -> tuple[Todo, ...]:
    """Return the todos of an edited list.

    Args:
        text: the list; empty lines and lines that begin with `#` count for nothing.
        plan: what was written before the edit; it gives the numbers and attempts of the todos that stay.

    Raises:
        PlanError: a line is no item, names a todo that is not there or a second time, or no item is left; the message begins
            with the number of the line.
    """
    known = {todo.id: todo for todo in plan.todos}
    todos: list[Todo] = []
    for line, item, fields in _items(text):
        number = int(item["number"]) if item["number"] else max([0, *known, *(t.id for t in todos)]) + 1
        if item["number"] and number not in known:
            raise PlanError(
                f"line {line}: there is no todo #{number}; known are {_numbers(known)}. Leave #{number} out to add one."
            )
        if any(todo.id == number for todo in todos):
            raise PlanError(f"line {line}: todo #{number} is there twice. Leave the number out of one of them.")
        todos.append(_change(known.get(number), number, item, fields))
    if not todos:
        raise PlanError(f"line 1: the plan has no item left; {_SHAPE}.")
    return tuple(todos)


def _items(text: str) -> Iterator[tuple[int, dict[str, str], dict[str, str]]]:
    """Yield line number, item and fields; fields are complete when the next item begins."""
    open_item: tuple[int, dict[str, str], dict[str, str]] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if field := _FIELD.fullmatch(line):
            if open_item is None:
                raise PlanError(f"line {number}: {line.strip()!r} belongs to no item; {_SHAPE}.")
            open_item[2][field["name"]] = field["value"]
        elif (item := _ITEM.fullmatch(line)) and item["mark"] in _MARKS:
            if open_item:
                yield open_item
            open_item = (number, item.groupdict(default=""), {})
        else:
            raise PlanError(f"line {number}: {line.strip()!r} cannot be read; {_SHAPE}.")
    if open_item:
        yield open_item


def _change(old: Todo | None, number: int, item: dict[str, str], fields: dict[str, str]) -> Todo:
    title = item["title"]
    mark = _MARKS[item["mark"]]
    attempt = old.attempt if old else 1
    return Todo(
        id=number,
        title=title,
        query=fields.get("query") or (old.query if old and old.title == title else title),
        intent=fields.get("intent", ""),
        skip=mark == "skip",
        attempt=attempt + 1 if mark == "retry" else attempt,
    )


def _numbers(known: Collection[int]) -> str:
    return ", ".join(f"#{number}" for number in sorted(known))

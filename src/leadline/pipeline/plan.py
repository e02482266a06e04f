"""From a topic to a plan: look at the sources, ask the analyst, tidy what it says."""

import asyncio
import unicodedata
from collections.abc import Sequence

from pydantic import TypeAdapter

from leadline.errors import PlanError
from leadline.grounding.passages import split_page
from leadline.pipeline.asking import make_query
from leadline.pipeline.crew import Crew
from leadline.pipeline.recall import recall
from leadline.pipeline.topic import find_control
from leadline.records import Page, Passage, Plan, Request, Span, Survey, Todo, Topic

WHOLE = 400_000
"""Characters of the best pages that are read whole: the headings of a page about the topic say what belongs to it."""

AROUND = 600
"""Characters before and behind a place that matched which are read of the other pages."""

FEWEST, MOST = 3, 5
"""Todos of a plan unless told otherwise."""

MOST_ALLOWED = 12
"""Todos that a plan may have."""

LONGEST_TITLE, LONGEST_QUERY = 300, 2000
"""Characters of a todo's title; of its query and its intent. Longer ones are documents, not questions."""

PLAN: TypeAdapter[Plan] = TypeAdapter(Plan)


async def make_plan(topic: Topic, request: Request, crew: Crew) -> Plan:
    """Return the plan of a run: the one handed in, else the analyst's, tidied.

    Raises:
        PlanError: the analyst found nothing to do.
        SearchFailed: the sources could not be surveyed.
    """
    if request.plan is not None:
        return tidy(request.plan, len(request.plan.todos))
    at_least, at_most = (request.todos, request.todos) if request.todos else (FEWEST, MOST)

    async def ask() -> Plan:
        survey = await look_around(topic, crew) if crew.reach.surveyed else Survey()
        return tidy(await crew.analyst.plan(topic, survey, at_least, at_most), at_most)

    return await recall(crew.journal, "plan", "plan", PLAN, ask)


async def look_around(topic: Topic, crew: Crew) -> Survey:
    """Return what the topic's own words find: the best pages whole, of the others what stands around the words."""
    hits = await crew.search.search(make_query(topic.text, crew.reach.surveyed, topic, crew.reach.scope))
    answers = await asyncio.gather(*(crew.reader.read(hit) for hit in hits))
    pages = [(hit, page) for hit, page in zip(hits, answers, strict=True) if isinstance(page, Page)]
    passages: list[Passage] = []
    left = WHOLE
    for number, (hit, page) in enumerate(pages, 1):
        left -= len(page.text)
        around = [Span(start=max(0, span.start - AROUND), end=span.end + AROUND) for span in hit.spans]
        passages += split_page(page, number, () if left >= 0 else around)
    return Survey(passages=tuple(passages), titles=tuple(page.title for _, page in pages))


def tidy(plan: Plan, at_most: int) -> Plan:
    """Return the plan with white space folded, alike todos merged into the first, at most `at_most`, numbered from 1.

    Raises:
        PlanError: no todo is left.
    """
    todos = [todo.model_copy(update={"id": number}) for number, todo in enumerate(merge_alike(plan.todos)[:at_most], 1)]
    return Plan(revision=plan.revision, todos=tuple(todos))


def check_todos(todos: Sequence[Todo]) -> None:
    """Refuse what a person can't mean: no todo or too many, the same id twice, todos that are alike (one of them would be
    lost), over-long or unprintable texts.

    Raises:
        PlanError: names the todos, what is wrong, and what is allowed.
    """
    if not 1 <= len(todos) <= MOST_ALLOWED:
        raise PlanError(f"The plan has {len(todos)} todos; 1 to {MOST_ALLOWED} are allowed.")
    ids = [todo.id for todo in todos]
    if twice := next((n for n in ids if ids.count(n) > 1), None):
        raise PlanError(f"The plan has two todos with the id {twice}; number them differently or leave the ids out.")
    seen: dict[str, int] = {}
    for number, todo in enumerate(todos, 1):
        for name, most in (("title", LONGEST_TITLE), ("query", LONGEST_QUERY), ("intent", LONGEST_QUERY)):
            _check_text(number, name, getattr(todo, name), most)
            if name != "intent" and not fold(getattr(todo, name)):
                raise PlanError(
                    f"The {name} of todo {number} ({getattr(todo, name)!r}) has no letter and no digit. Write some."
                )
        for name, mark in zip(("title", "query"), _marks(todo), strict=True):
            if (first := seen.setdefault(mark, number)) != number:
                raise PlanError(
                    f"Todos {first} and {number} of the plan have the same {name} ({getattr(todo, name)[:60]!r});"
                    " they would find the same. Change one of them or take it out."
                )


def _check_text(number: int, name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise PlanError(
            f"The {name} of todo {number} has {len(text):,} characters ({text[:40]!r}…); at most {most:,} are allowed."
        )
    if wrong := find_control(" ".join(text.split())):
        raise PlanError(f"The {name} of todo {number} holds {wrong}, which no text has. Take it out.")


def _marks(todo: Todo) -> tuple[str, str]:
    """Return what todos that are alike share one of."""
    return f"title {fold(todo.title)}", f"query {fold(todo.query)}"


def merge_alike(todos: Sequence[Todo]) -> list[Todo]:
    """Return the todos with white space folded, without those that are like an earlier one or say nothing.

    Two todos are alike when title or query differ in nothing but width, case, spaces and punctuation.

    Raises:
        PlanError: no todo is left.
    """
    seen: set[str] = set()
    kept: list[Todo] = []
    for todo in todos:
        title, query = fold(todo.title), fold(todo.query)
        marks = set(_marks(todo))
        if title and query and not marks & seen:
            seen |= marks
            kept.append(_fold_spaces(todo))
    if not kept:
        raise PlanError("The plan has no todo with a title and a query; a plan needs at least one.")
    return kept


def _fold_spaces(todo: Todo) -> Todo:
    return todo.model_copy(update={name: _clean(getattr(todo, name)) for name in ("title", "intent", "query")})


def _clean(text: str) -> str:
    """Return a text on one line, without characters that no text has: an analyst's words may hold what sources held."""
    return "".join(char for char in " ".join(text.split()) if not find_control(char))


def fold(text: str) -> str:
    """Return the letters and digits of a text, without width and case."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())

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
from leadline.records import Page, Plan, Request, Survey, Todo, Topic

FEWEST, MOST = 3, 5
"""Todos of a plan unless told otherwise."""

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
        survey = await look_around(topic, crew)
        return tidy(await crew.analyst.plan(topic, survey, at_least, at_most), at_most)

    return await recall(crew.journal, "plan", "plan", PLAN, ask)


async def look_around(topic: Topic, crew: Crew) -> Survey:
    """Return what the topic's own words find in the sources."""
    hits = await crew.search.search(make_query(topic.text, crew.reach.surveyed, topic, crew.reach.scope))
    answers = await asyncio.gather(*(crew.reader.read(hit) for hit in hits))
    pages = [(hit, page) for hit, page in zip(hits, answers, strict=True) if isinstance(page, Page)]
    passages = [p for number, (hit, page) in enumerate(pages, 1) for p in split_page(page, number, hit.spans)]
    return Survey(passages=tuple(passages), titles=tuple(page.title for _, page in pages))


def tidy(plan: Plan, at_most: int) -> Plan:
    """Return the plan with white space folded, alike todos merged into the first, at most `at_most`, numbered from 1.

    Raises:
        PlanError: no todo is left.
    """
    todos = [todo.model_copy(update={"id": number}) for number, todo in enumerate(merge_alike(plan.todos)[:at_most], 1)]
    return Plan(revision=plan.revision, todos=tuple(todos))


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
        marks = {f"title {title}", f"query {query}"}
        if title and query and not marks & seen:
            seen |= marks
            kept.append(_fold_spaces(todo))
    if not kept:
        raise PlanError("The plan has no todo with a title and a query; a plan needs at least one.")
    return kept


def _fold_spaces(todo: Todo) -> Todo:
    return todo.model_copy(update={name: " ".join(getattr(todo, name).split()) for name in ("title", "intent", "query")})


def fold(text: str) -> str:
    """Return the letters and digits of a text, without width and case."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())

"""The plan of a topic, from what its sources talk about."""

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.facets import Facet, clean_heading, find_facets
from leadline.analysts.extractive.focus import find_focus, focus_terms
from leadline.analysts.extractive.phrases import phrases_for
from leadline.analysts.extractive.relevance import measure
from leadline.analysts.extractive.statements import select_statements
from leadline.records import Plan, Survey, Todo, Topic

_SLIGHT = 0.15
"""Share of the heaviest facet's mass under which a facet only fills up to the number of todos that was asked for."""


def plan_todos(topic: Topic, survey: Survey, at_least: int, at_most: int) -> Plan:
    """Return a plan: first the question itself, then what the sources hold around it, heaviest first."""
    corpus = Corpus(select_statements(survey.passages))
    query = focus_terms(topic.text)
    facets = find_facets(corpus, measure(corpus, query), query, at_most - 1) if len(corpus) and at_most > 1 else []
    heavy = [facet for facet in facets if facet.mass >= _SLIGHT * facets[0].mass]
    facets = facets[: max(len(heavy), at_least - 1)]
    todos = [_ask_basics(topic), *(_ask(topic, facet) for facet in facets)]
    return Plan(todos=tuple(todo.model_copy(update={"id": n}) for n, todo in enumerate(todos, 1)))


def _ask_basics(topic: Topic) -> Todo:
    say = phrases_for(topic.language)
    focus = find_focus(topic.text)
    return Todo(id=1, title=say["basics_title"], intent=say["basics_intent"].format(focus=focus), query=topic.text)


def _ask(topic: Topic, facet: Facet) -> Todo:
    focus = find_focus(topic.text)
    known = set(focus_terms(topic.text))
    added = " ".join(word for word in facet.name.split() if not set(words_of(word)) <= known)
    intent = phrases_for(topic.language)["facet_intent"].format(facet=facet.name, focus=focus)
    return Todo(id=1, title=_as_title(facet.name), intent=intent, query=f"{focus} {added}")


def _as_title(name: str) -> str:
    title = clean_heading(name)
    return title[0].upper() + title[1:] if title.split()[0].isalpha() else title

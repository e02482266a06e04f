"""The plan of a topic, from what its sources talk about."""

from collections.abc import Mapping

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.facets import Facet, find_facets
from leadline.analysts.extractive.focus import find_focus, focus_terms
from leadline.analysts.extractive.phrases import phrases_for
from leadline.analysts.extractive.relevance import ANSWERED, find_share, measure, weigh_query
from leadline.analysts.extractive.statements import select_statements
from leadline.records import Plan, Survey, Todo, Topic

_SLIGHT = 0.15
"""Share of the heaviest facet's mass under which a facet only fills up to the number of todos that was asked for."""


def plan_todos(topic: Topic, survey: Survey, at_least: int, at_most: int) -> Plan:
    """Return a plan: first the question itself, then what the sources hold around it, heaviest first.

    Where the sources do not answer the question, nothing around it is asked.
    """
    corpus = Corpus(select_statements(survey.passages))
    query = weigh_query(corpus, topic.text)
    facets = find_facets(corpus, measure(corpus, query), list(query), at_most - 1) if _is_rich(corpus, query, at_most) else []
    heavy = [facet for facet in facets if facet.mass >= _SLIGHT * facets[0].mass]
    facets = facets[: max(len(heavy), at_least - 1)]
    todos = [_ask_basics(topic), *(_ask(topic, facet) for facet in facets)]
    return Plan(todos=tuple(todo.model_copy(update={"id": n}) for n, todo in enumerate(todos, 1)))


def _is_rich(corpus: Corpus, query: Mapping[str, float], at_most: int) -> bool:
    return at_most > 1 and len(corpus) > 0 and find_share(corpus, query) >= ANSWERED


def _ask_basics(topic: Topic) -> Todo:
    say = phrases_for(topic.language)
    focus = find_focus(topic.text)
    return Todo(id=1, title=say["basics_title"], intent=say["basics_intent"].format(focus=focus), query=topic.text)


def _ask(topic: Topic, facet: Facet) -> Todo:
    focus = find_focus(topic.text)
    known = set(focus_terms(topic.text))
    added = " ".join(word for word in facet.name.split() if not set(words_of(word)) <= known)
    intent = phrases_for(topic.language)["facet_intent"].format(facet=facet.name, focus=focus)
    return Todo(id=1, title=facet.name, intent=intent, query=f"{focus} {added}")

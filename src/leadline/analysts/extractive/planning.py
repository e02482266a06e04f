"""The plan of a topic, from what its sources talk about."""

from collections.abc import Sequence

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.facets import Facet, find_facets
from leadline.analysts.extractive.focus import find_focus, find_phrase, focus_terms
from leadline.analysts.extractive.groups import find_groups
from leadline.analysts.extractive.headings import clean_heading, is_title
from leadline.analysts.extractive.phrases import phrases_for
from leadline.analysts.extractive.relevance import Relevance, is_answered, measure, weigh_query
from leadline.analysts.extractive.sides import find_sides
from leadline.records import Plan, Survey, Todo, Topic

_SLIGHT = 0.25
"""Share of the heaviest facet's mass under which a facet is left out, unless the plan would have too few todos."""

_SAYS_IT = 0.6
"""How far a heading must say what is asked to be the title of the first section."""

_SAID = 6
"""Points that the first section is taken to have."""


def plan_todos(topic: Topic, survey: Survey, at_least: int, at_most: int) -> Plan:
    """Return a plan: first the question itself, then each side of a comparison, then what the sources hold around it.

    Where the sources do not answer the question, nothing around it is asked, and of what they hold only what is about it: a
    plan may have fewer todos than `at_least`.
    """
    corpus = Corpus.read(survey.passages)
    query = weigh_query(corpus, topic.text)
    if len(corpus) and is_answered(corpus, query, topic.text):
        relevance = measure(corpus, query, topic.text)
        heading = _find_heading(corpus, relevance)
        sides = [_ask_side(topic, side) for side in find_sides(topic.text) if all(map(corpus.frequency, words_of(side)))]
        facets = (
            [] if sides else _find_parts(corpus, relevance, [*query, *relevance.subject.aliases], at_least - 1, at_most - 1)
        )
    else:
        heading, sides, facets = "", [], []
    todos = [_ask_basics(topic, heading), *sides, *(_ask(topic, facet) for facet in facets if facet.name != heading)][:at_most]
    return Plan(todos=tuple(todo.model_copy(update={"id": n}) for n, todo in enumerate(todos, 1)))


def _find_parts(corpus: Corpus, relevance: Relevance, query: Sequence[str], at_least: int, at_most: int) -> list[Facet]:
    groups = [] if corpus.is_collection else find_groups(corpus, relevance, _SAID)
    said = {member for group in groups for member in group.members}
    facets = find_facets(corpus, relevance, query, said, at_most)
    masses = sorted((facet.mass for facet in facets), reverse=True)
    if not masses or at_least == at_most:
        return facets
    least = min([_SLIGHT * masses[0], *masses[:at_least]])
    return [facet for facet in facets if facet.mass >= least]


def _find_heading(corpus: Corpus, relevance: Relevance) -> str:
    """Return the heading of the sources that says best what is asked, or "" where none says it."""
    names = dict.fromkeys(clean_heading(p.heading) for p in corpus.passages)
    matches = {name: relevance.subject.match(name) for name in names if is_title(name)}
    best = max(matches, key=lambda name: matches[name], default="")
    return best if best and matches[best] >= _SAYS_IT else ""


def _ask_basics(topic: Topic, heading: str) -> Todo:
    say = phrases_for(topic.language)
    phrase = find_phrase(topic.text)
    title = say["basics_title"].format(topic=_capitalise(phrase)) if phrase else heading or say["basics_plain"]
    return Todo(id=1, title=title, intent=say["basics_intent"], query=topic.text)


def _ask_side(topic: Topic, side: str) -> Todo:
    return Todo(id=1, title=_capitalise(side), intent=phrases_for(topic.language)["side_intent"].format(side=side), query=side)


def _capitalise(phrase: str) -> str:
    """Begin a title with a capital, unless its first word is a name that is written in its own way."""
    first = phrase.split()[0]
    return phrase[0].upper() + phrase[1:] if first.replace("-", "").isalpha() and first.islower() else phrase


def _ask(topic: Topic, facet: Facet) -> Todo:
    say = phrases_for(topic.language)
    known = set(focus_terms(topic.text))
    added = " ".join(word for word in facet.name.split() if not set(words_of(word)) <= known)
    intent = say["facet_intent"].format(facet=facet.name, words=say["between"].join(facet.beside))
    return Todo(id=1, title=facet.name, intent=intent, query=f"{find_focus(topic.text)} {added}")

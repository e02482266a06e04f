"""The analyst without a model, behind the Analyst seam."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.groups import find_groups, put_in_order, rate, say
from leadline.analysts.extractive.part import select_part
from leadline.analysts.extractive.planning import plan_todos
from leadline.analysts.extractive.relevance import is_answered, measure, weigh_query
from leadline.analysts.extractive.sides import find_sides
from leadline.analysts.extractive.writing import write_overview, write_summary
from leadline.records import Draft, Outline, Passage, Plan, Quote, Repair, Sentence, Survey, Todo, Topic

_OWN = 2.0
"""Weight of the words that a todo adds to its topic's: they tell its section from the others."""

_LOOKED_AT = 60
"""Seeds from which it is guessed what the topic's own section says."""

_SLIGHT = 0.2
"""Score under which a group is left out; a lone statement of the best unit has about 1. What a part says has been judged by its
words already."""


_WEAK = 0.18
"""Share of the best score of a section under which a statement is left out where documents have headings: a manual says most
things once, so that a number of points that is to be filled is filled with what is beside the point."""


class ExtractiveAnalyst:
    """Plans from what the sources talk about, and says what they say in their own sentences.

    Needs no model, key or network. The same input gives the same output, whatever the hash seed.
    """

    name = "extractive, no model"

    async def plan(self, topic: Topic, survey: Survey, at_least: int, at_most: int) -> Plan:
        """Return todos for the facets that the surveyed passages have, basics first.

        Fewer than `at_least` when the sources do not have as many: a facet is not made up.
        """
        return await asyncio.to_thread(plan_todos, topic, survey, at_least, at_most)

    async def summarise(self, topic: Topic, todo: Todo, passages: Sequence[Passage], at_most: int) -> AsyncIterator[Draft]:
        """Yield the best sentences of the passages that answer the todo, each with all passages that say the same.

        They come in reading order: the best document first, each document in its own order. Yields nothing when the passages
        do not answer. Scores are those of the topic: they compare across its todos.
        """
        for draft in await asyncio.to_thread(_draft, topic, todo, passages, at_most):
            yield draft

    async def locate(self, topic: Topic, drafts: Sequence[Draft], passages: Sequence[Passage]) -> Sequence[Quote]:
        """Name nothing: its points are sentences of the pages, and the one that does not stand there has no other words."""
        return ()

    async def repair(self, topic: Topic, draft: Draft, passages: Sequence[Passage]) -> Repair:
        """Say nothing again."""
        return Repair()

    def write(self, outline: Outline) -> tuple[AsyncIterator[Sentence], AsyncIterator[Sentence]]:
        """Return what was found where, and the strongest points again."""
        return _stream(write_overview(outline)), _stream(write_summary(outline))


def _draft(topic: Topic, todo: Todo, passages: Sequence[Passage], at_most: int) -> list[Draft]:
    corpus = Corpus.read(passages)
    query, question = weigh_query(corpus, todo.query), weigh_query(corpus, topic.text)
    own = _find_own(topic, todo, query, question)
    is_part = bool(own)
    if not len(corpus) or not is_answered(corpus, own if is_part else query, topic.text):
        return []
    to_topic, compares = measure(corpus, question, topic.text), _judge_pair(corpus, topic)
    if is_part:
        weights = {word: _OWN * weight if word in own else weight for word, weight in query.items()}
        relevance = measure(corpus, weights, todo.query)
        said = find_groups(corpus, to_topic, at_most, compares, seeds=_LOOKED_AT)
        groups = select_part(corpus, relevance, to_topic, own, todo.title, at_most, said)
    else:
        relevance = to_topic if query == question else measure(corpus, query, todo.query)
        groups = find_groups(corpus, relevance, at_most, compares) or find_groups(corpus, relevance, at_most)
    drafts = [
        Draft(
            text=say(corpus, group),
            cites=tuple(corpus.passages[place].label for place in group.members),
            score=round(rate(corpus, to_topic, group.voice, group.members), 6),
        )
        for group in put_in_order(corpus, relevance, [group for group in groups if is_part or group.score >= _SLIGHT])
    ]
    least = _WEAK * max((draft.score for draft in drafts), default=0.0) if corpus.is_headed else 0.0
    return [draft for draft in drafts if draft.score >= least]


def _find_own(topic: Topic, todo: Todo, query: Mapping[str, float], question: Mapping[str, float]) -> dict[str, float]:
    """Return the words that tell a part of the topic, or a side of what it compares, from the rest; none for the topic."""
    if todo.query in (sides := find_sides(topic.text)):
        others = {word for side in sides if side != todo.query for word in words_of(side)}
        return {word: weight for word, weight in query.items() if word not in others}
    own = {word: weight for word, weight in query.items() if word not in question}
    return own if len(own) < len(query) else {}


def _judge_pair(corpus: Corpus, topic: Topic) -> Callable[[int], bool]:
    """Return what says whether a statement, with its heading, speaks of two sides of a comparison; true where there is none."""
    sides = [set(words_of(side)) for side in find_sides(topic.text)]
    own = [side - set().union(*(other for other in sides if other != side)) or side for side in sides]

    def compares(place: int) -> bool:
        words = {*corpus.words[place], *words_of(corpus.passages[place].heading)}
        return sum(bool(side & words) for side in own) >= min(2, len(own))

    return compares


async def _stream(sentences: Sequence[Sentence]) -> AsyncIterator[Sentence]:
    for sentence in sentences:
        yield sentence

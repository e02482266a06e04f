"""Sentences that agree across documents: each group is one point and its own list of citations."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.analysts.extractive.corpus import Corpus
from leadline.analysts.extractive.relevance import Relevance
from leadline.analysts.extractive.statements import clean, stands_alone
from leadline.grounding.claims import is_negated, numbers

_AGREE = 0.42
"""Cosine from which on two statements say the same. From .35 to .5 the measured quality is flat."""

_SEEDS = 200
"""Statements that are looked at as the voice of a group, most relevant first."""

_BACKGROUND = 0.5
"""Share of an average document's weight that a member must bring before it counts for its group: what is said in every
document, whatever the question, is not an answer to it."""

_RELEVANT = 0.2
"""Least score of a voice, as a share of that of a good statement."""

_EXCUSE = 0.5
"""How far each document that agrees excuses a voice from holding the question's own words: one alone without any of them counts
a third of one with all, six count three quarters."""

_REPEATS = 0.4
"""Cosine, and share of members in common, from which on a group repeats another."""


@dataclass(frozen=True, slots=True)
class Group:
    """Statements that agree. `voice` is the one that is said, `members` one statement a document, closest first."""

    voice: int
    members: tuple[int, ...]
    score: float


def find_groups(corpus: Corpus, relevance: Relevance, at_most: int) -> list[Group]:
    """Return the strongest groups, best first, none of which repeats another."""
    chosen: list[Group] = []
    for group in sorted((_gather(corpus, relevance, seed) for seed in _find_seeds(corpus, relevance)), key=_rank):
        if len(chosen) >= at_most:
            break
        if group.score > 0 and not any(_repeats(corpus, group, other) for other in chosen):
            chosen.append(_give_voice(corpus, relevance, group))
    return chosen


def rate(corpus: Corpus, relevance: Relevance, voice: int, members: Sequence[int]) -> float:
    """Return how strong a group is: how many documents agree, weighted by what each has to do with the question.

    A lone statement of the best document rates about 1.
    """
    floor = _BACKGROUND * relevance.background
    weights = (relevance.units.get(corpus.units[m], 0.0) for m in members)
    support = sum(corpus.compare(voice, m) * (w - floor) for m, w in zip(members, weights, strict=True))
    pertinence = min(1.5, relevance.scores.get(voice, 0.0) / relevance.reference)
    direct = relevance.direct.get(voice, 0.0)
    excuse = _EXCUSE * len(members)
    return max(0.0, support) * math.sqrt(pertinence) * (excuse + direct) / (excuse + 1)


def _rank(group: Group) -> tuple[float, int]:
    return -group.score, group.voice


def _find_seeds(corpus: Corpus, relevance: Relevance) -> list[int]:
    worth = {
        place: score * relevance.units[corpus.units[place]] ** 0.5
        for place, score in relevance.scores.items()
        if score >= _RELEVANT * relevance.reference
    }
    seeds: list[int] = []
    for place in sorted(worth, key=lambda place: (-worth[place], place)):
        if stands_alone(corpus.passages[place].text):
            seeds.append(place)
        if len(seeds) == _SEEDS:
            break
    return seeds


def _gather(corpus: Corpus, relevance: Relevance, voice: int) -> Group:
    best: dict[str, tuple[float, int]] = {}
    for cosine, other in corpus.find_neighbours(voice, _AGREE):
        document = corpus.documents[other]
        if (-cosine, other) < best.get(document, (0.0, 0)) and _agrees(corpus, voice, other):
            best[document] = (-cosine, other)
    best[corpus.documents[voice]] = (-1.0, voice)
    members = tuple(place for _, place in sorted(best.values(), key=lambda entry: (entry[0], entry[1] != voice, entry[1])))
    return Group(voice, members, rate(corpus, relevance, voice, members))


def _agrees(corpus: Corpus, one: int, other: int) -> bool:
    """Say whether numbers and negation let two statements with alike words say the same."""
    mine, theirs = corpus.passages[one].text, corpus.passages[other].text
    if is_negated(mine) != is_negated(theirs):
        return False
    left, right = numbers(mine), numbers(theirs)
    return not (left and right) or bool(left & right)


def _give_voice(corpus: Corpus, relevance: Relevance, group: Group) -> Group:
    """Let the member speak that says most of what the others say, so that a group has one wording in every todo."""
    candidates = [m for m in group.members if m == group.voice or stands_alone(corpus.passages[m].text)]
    central = min(candidates, key=lambda m: (-sum(corpus.compare(m, other) for other in group.members), m))
    return group if central == group.voice else _gather(corpus, relevance, central)


def _repeats(corpus: Corpus, group: Group, other: Group) -> bool:
    shared = len(set(group.members) & set(other.members))
    if shared > _REPEATS * min(len(group.members), len(other.members)):
        return True
    return corpus.compare(group.voice, other.voice) > _REPEATS


def say(corpus: Corpus, group: Group) -> str:
    """Return the words of a group."""
    return clean(corpus.passages[group.voice].text)

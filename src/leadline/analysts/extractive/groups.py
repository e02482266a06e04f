"""Sentences that agree across documents: each group is one point and its own list of citations."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.relevance import Relevance
from leadline.analysts.extractive.statements import shorten, stands_alone
from leadline.grounding.claims import is_negated
from leadline.grounding.opposites import are_opposed
from leadline.grounding.quantities import numbers

_SPACED = re.compile(r"\s+(?=[，。、；：！？（）《》「」『』])|(?<=[，。、；：！？（）《》「」『』])\s+")

_AGREE = 0.42
"""Cosine from which on two statements say the same. From .35 to .5 the measured quality is flat."""

_AGREE_HEADED = 0.6
"""The same under a heading: pages of a manual share words, and seldom say the same."""

_SEEDS = 200

_BACKGROUND = 0.5
"""Share of an average document's weight that a member must bring before it counts for its group: what is said in every
document, whatever the question, is not an answer to it."""

_RELEVANT = 0.2
"""Least score of a voice, as a share of that of a good statement."""

_EXCUSE = 0.5
"""How far each document that agrees excuses a voice from holding the question's own words: one alone without any of them counts
a third of one with all, six count three quarters."""

_ALONE = 0.5
"""Weight of a statement under a heading that holds all of the question, wherever it stands: a manual says most things once."""

_FIRST = 2
"""Statements after a heading that introduce what follows."""

_SAYS_IT = 0.6
"""How far a heading must say what is asked for its text to introduce the answer."""

_ASKED = 0.6
"""Share of the question that a statement must hold for few words to be enough."""

_REPEATS = 0.4
"""Cosine, and share of members in common, from which on a group repeats another."""

_REPEATS_HEADED = 0.55
"""The same cosine under a heading: with .4, of what VACUUM does and what starts VACUUM only one was said."""


@dataclass(frozen=True, slots=True)
class Group:
    """Statements that agree. `voice` is the one that is said, `members` one statement a document, closest first."""

    voice: int
    members: tuple[int, ...]
    score: float


def find_groups(
    corpus: Corpus, relevance: Relevance, at_most: int, fits: Callable[[int], bool] = lambda _: True, seeds: int = _SEEDS
) -> list[Group]:
    """Return the strongest groups, best first, none of which repeats another.

    Args:
        corpus: the statements.
        relevance: what they have to do with the question.
        at_most: most groups.
        fits: says of a statement whether it may be said.
        seeds: statements looked at as the voice of a group, most relevant first; from 200 to 400 the measured quality is flat.
    """
    found = (_gather(corpus, relevance, seed) for seed in _find_seeds(corpus, relevance, fits, seeds))
    chosen: list[Group] = []
    for group in sorted(found, key=_rank):
        if len(chosen) >= at_most:
            break
        if group.score > 0 and not any(_repeats(corpus, group, other) for other in chosen):
            chosen.append(_give_voice(corpus, relevance, group, fits))
    return chosen


def rate(corpus: Corpus, relevance: Relevance, voice: int, members: Sequence[int]) -> float:
    """Return how strong a group is: how many documents agree, weighted by what each has to do with the question.

    A lone statement of the best document rates about 1.
    """
    floor = _BACKGROUND * relevance.background
    direct = _find_direct(corpus, relevance, voice)
    weights = [relevance.units.get(corpus.units[m], 0.0) for m in members]
    if corpus.passages[voice].heading:
        weights = [max(w, _ALONE * direct) if m == voice else w for m, w in zip(members, weights, strict=True)]
    support = sum(corpus.compare(voice, m) * (w - floor) for m, w in zip(members, weights, strict=True))
    pertinence = min(1.5, relevance.scores.get(voice, 0.0) / relevance.reference)
    excuse = _EXCUSE * len(members)
    prominence = relevance.prominence[voice]
    return max(0.0, support) * prominence * math.sqrt(pertinence) * (excuse + direct) / (excuse + 1)


def can_speak(corpus: Corpus, relevance: Relevance, place: int) -> bool:
    """Say whether a statement can be read on its own; one may begin with the small letter of a name that is asked for."""
    text = corpus.passages[place].text
    is_asked = relevance.direct.get(place, 0.0) >= _ASKED
    if stands_alone(text, is_asked):
        return True
    first = words_of(text.split()[0]) if text[0].islower() else ()
    return bool(first) and relevance.subject.hold(first) > 0 and stands_alone(text[0].upper() + text[1:], is_asked)


def _find_direct(corpus: Corpus, relevance: Relevance, place: int) -> float:
    """Return the share of the question that a statement holds; a heading that says what is asked says it for the statement."""
    return max(relevance.direct.get(place, 0.0), relevance.prominence.named[corpus.units[place]])


def _rank(group: Group) -> tuple[float, int]:
    return -group.score, group.voice


def _find_seeds(corpus: Corpus, relevance: Relevance, fits: Callable[[int], bool], most: int) -> list[int]:
    worth = {
        place: score * relevance.units[corpus.units[place]] ** 0.5 * relevance.prominence[place]
        for place, score in relevance.scores.items()
        if score >= _RELEVANT * relevance.reference
    }
    ranked = sorted(worth, key=lambda place: (-worth[place], place))
    return list(islice((p for p in ranked if can_speak(corpus, relevance, p) and fits(p)), most))


def _gather(corpus: Corpus, relevance: Relevance, voice: int) -> Group:
    best: dict[str, tuple[float, int]] = {}
    least = _AGREE_HEADED if corpus.passages[voice].heading else _AGREE
    for cosine, other in corpus.find_neighbours(voice, least):
        document = corpus.documents[other]
        if (-cosine, other) < best.get(document, (0.0, 0)) and _agrees(corpus, voice, other):
            best[document] = (-cosine, other)
    best[corpus.documents[voice]] = (-1.0, voice)
    members = tuple(place for _, place in sorted(best.values(), key=lambda entry: (entry[0], entry[1] != voice, entry[1])))
    return Group(voice, members, rate(corpus, relevance, voice, members))


def _agrees(corpus: Corpus, one: int, other: int) -> bool:
    """Say whether numbers, negation and direction let two statements with alike words say the same."""
    mine, theirs = corpus.passages[one].text, corpus.passages[other].text
    if is_negated(mine) != is_negated(theirs) or are_opposed(mine, theirs):
        return False
    left, right = numbers(mine), numbers(theirs)
    return not (left and right) or bool(left & right)


def _give_voice(corpus: Corpus, relevance: Relevance, group: Group, fits: Callable[[int], bool]) -> Group:
    """Let the member speak that says most of what the others say, so that a group has one wording in every todo."""
    candidates = [m for m in group.members if m == group.voice or (can_speak(corpus, relevance, m) and fits(m))]

    def speak(member: int) -> tuple[float, int]:
        agreement = sum(corpus.compare(member, other) for other in group.members)
        return -agreement * relevance.prominence[member], member

    central = min(candidates, key=speak)
    return group if central == group.voice else _gather(corpus, relevance, central)


def _repeats(corpus: Corpus, group: Group, other: Group) -> bool:
    shared = len(set(group.members) & set(other.members))
    if shared > _REPEATS * min(len(group.members), len(other.members)):
        return True
    # What says the opposite of another is the last thing to leave out.
    most = _REPEATS_HEADED if corpus.passages[group.voice].heading else _REPEATS
    return corpus.compare(group.voice, other.voice) > most and _agrees(corpus, group.voice, other.voice)


def put_in_order(corpus: Corpus, relevance: Relevance, groups: Sequence[Group]) -> list[Group]:
    """Return ranked groups in reading order: what is from one document in its order, the best document first.

    A document that is opened by a statement under a heading that says what is asked comes before all others: the general
    before the particular.
    """
    order: dict[str, list[Group]] = {}
    for group in sorted(groups, key=lambda group: not _introduces(corpus, relevance, group.voice)):
        order.setdefault(corpus.documents[group.voice], []).append(group)
    return [group for document in order.values() for group in sorted(document, key=lambda group: group.voice)]


def _introduces(corpus: Corpus, relevance: Relevance, place: int) -> bool:
    position = corpus.layout.positions.get(corpus.passages[place].label, _FIRST)
    return position < _FIRST and relevance.prominence.named[corpus.units[place]] >= _SAYS_IT


def say(corpus: Corpus, group: Group) -> str:
    """Return the words of a group, without the spaces that typesetting left beside CJK characters and signs."""
    return _SPACED.sub("", shorten(corpus.passages[group.voice].text))

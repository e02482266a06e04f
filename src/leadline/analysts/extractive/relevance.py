"""What a question has to do with the statements and documents at hand."""

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.focus import asks_of_two, find_attribute, find_deeds, find_setting, focus_terms
from leadline.analysts.extractive.prominence import Prominence
from leadline.analysts.extractive.subject import Aliases, Subject
from leadline.analysts.extractive.vocabulary import vocabulary
from leadline.grounding.tokens import terms

_BEST_OF_UNIT = 5
"""Statements that speak for a unit: its five best. One alone finds 61 % of the right news articles, five 69 %."""

_ANSWERED = 0.55
"""Share of a query's weight that must stand together somewhere, or the sources do not answer it.

Of 43 questions to documents that answer them 41 had more (.58 to 1), of 17 to documents that do not none had (0 to .51).
"""

_ASKED_IN = 2
"""Documents, those that hold most of the rest of a question, one of which must hold a word of the attribute it asks for.

Of 25 questions of DRAGONBall without an answer 15 are left unanswered, 1 without this; of 696 with one 17, and 14 without.
"""

_ROUNDS, _FEEDBACK_WORDS, _FEEDBACK_UNITS = 2, 40, 10
"""Pseudo-relevance feedback: the words that the ten best units use more than the others lift 69 % to 77 %."""

_TRUST_POWER = 2
"""Feedback counts by the share of the question that its units hold, to this power: units that hold half of it lead astray."""

_SHARE_POWER, _HEADED_SHARE_POWER = 0.5, 1.0
"""How far a unit that lacks words of the question falls back. 1 is right for manuals and 3 % worse on news, which have no
headings."""

_ALIAS = 0.7
"""Weight of an abbreviation for each word that it stands for."""

_LIGHT = 0.5
"""Weight of a word that says little of what is asked."""

_NEARLY_ALL = 0.8
"""Share of a collection's documents that hold a word from which on the word is what the collection is about."""

_ARTICLES = ("a", "an", "the")

_RARELY = 3
"""A word of fewer statements than this is an accident, not a habit of the documents."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much statements and units have to do with a question.

    `scores` are by statement and comparable within one corpus, `units` from 0 to 1 by unit; `reference` is the score of a good
    statement: the twentieth best. `direct` is the share of the question's own weight that a statement holds, `prominence` what
    its score is to be multiplied by; `subject` reads names.
    """

    scores: Mapping[int, float]
    units: Mapping[int, float]
    reference: float
    direct: Mapping[int, float]
    prominence: Prominence
    subject: Subject

    @property
    def background(self) -> float:
        """The mean weight of a unit."""
        return sum(self.units.values()) / max(1, len(self.units))


def weigh_query(corpus: Corpus, text: str) -> dict[str, float]:
    """Return the terms of a question with their weights.

    Two words that the corpus also writes as one (`back up`: `backup`) count half each, and the one word in full. Words
    that say what is to be done, hardly with what (`set up`, `配置`), count half, and so do those of nearly all documents where
    these have no headings. The name in which a question is set (`in PostgreSQL`) does so where nearly all documents hold it. A
    verb that says little (`choose`) counts half where a heading has it beside what is asked, and else nothing.
    """
    weights = dict.fromkeys(focus_terms(text), 1.0)
    deeds = _find_headed(corpus, set(weights), find_deeds(text))
    weights.update(dict.fromkeys(deeds, 1.0))
    words = [word.casefold() for word in re.findall(r"[A-Za-z]+", text)]
    for first, second in pairwise(words):
        if first in _ARTICLES:
            continue
        parts = [part for part in terms(f"{first} {second}") if part in weights]
        for whole in terms(first + second):
            if parts and whole not in weights and corpus.frequency(whole) >= _RARELY:
                weights.update(dict.fromkeys(parts, 0.5))
                weights[whole] = 1.0
    light = _find_light().union(deeds, (w for w in terms(find_setting(text)) if corpus.spread(w) >= _NEARLY_ALL))
    slight = {word for word in weights if word in light or _is_subject(corpus, word)}
    return {word: weight * (_LIGHT if word in slight else 1.0) for word, weight in weights.items()}


def _find_headed(corpus: Corpus, objects: Set[str], verbs: Sequence[str]) -> list[str]:
    headings = [set(words_of(name)) for name in corpus.names] if verbs else []
    return [verb for verb in terms(" ".join(verbs)) if any(verb in words and objects & words for words in headings)]


def _is_subject(corpus: Corpus, word: str) -> bool:
    """Say whether a word is what a whole collection of news is about, not the question to it."""
    return corpus.is_collection and corpus.spread(word) >= _NEARLY_ALL


@cache
def _find_kinds() -> frozenset[str]:
    return frozenset(term for word in vocabulary().kinds for term in terms(word))


@cache
def _find_light() -> frozenset[str]:
    return frozenset(term for word in vocabulary().light for term in terms(word))


def measure(corpus: Corpus, weights: Mapping[str, float], text: str) -> Relevance:
    """Return the relevance of a corpus to a weighted query, after feedback from the units that fit best.

    Args:
        corpus: the statements.
        weights: the terms of the query.
        text: the query as it was typed.
    """
    subject = Subject(corpus, weights, text)
    prominence = Prominence(corpus, subject)
    shares = _share_units(corpus, weights, subject.aliases)
    shortened = {alias: _ALIAS * len(words) for alias, words in subject.aliases.items() if alias not in weights}
    asked = {**weights, **shortened}
    scores = corpus.score(asked)
    units = _weigh_units(corpus, scores, shares, prominence)
    for _ in range(_ROUNDS):
        scores = corpus.score(_expand(corpus, asked, units, shares))
        units = _weigh_units(corpus, scores, shares, prominence)
    best = sorted(scores.values(), reverse=True)[:20]
    return Relevance(
        scores=scores,
        units={unit: weight**2 for unit, weight in units.items()},
        reference=best[-1] if best else 1.0,
        direct=_share(corpus, weights, subject.aliases),
        prominence=prominence,
        subject=subject,
    )


def is_answered(corpus: Corpus, weights: Mapping[str, float], question: str) -> bool:
    """Say whether enough of a question stands together, of one that compares in two places, and what it asks for near it.

    Args:
        corpus: the statements.
        weights: the terms that are looked for.
        question: as it was typed.
    """
    is_held = find_share(corpus, weights, 2 if asks_of_two(question) else 1) >= _ANSWERED
    return is_held and _holds_attribute(corpus, weights, find_attribute(question))


def _holds_attribute(corpus: Corpus, weights: Mapping[str, float], attribute: str) -> bool:
    """Say whether the documents that hold most of the other words hold any word of what is asked of these."""
    found = [word for word in corpus.drop_across(words_of(attribute)) if word in weights]
    asked = {word for index, word in enumerate(found) if word not in _find_kinds() and not _straddles(corpus, found, index)}
    rest = {word: weight * corpus.idf(word) for word, weight in weights.items() if word not in asked}
    words = sorted(corpus.document_words.values(), key=lambda words: -_add_up(rest, words)) if asked and rest else []
    return not words or not asked.isdisjoint(set().union(*words[:_ASKED_IN]))


def find_share(corpus: Corpus, weights: Mapping[str, float], places: int = 1) -> float:
    """Return the largest share of a query's weight that stands together, in one place or in two.

    Together means in a statement, its heading and its neighbours; in a unit where the corpus knows every word. A CJK pair
    that straddles two words counts only when the pairs beside it are unknown too: of 软件包 the corpus may know 软件 and 件包,
    or neither.

    Args:
        corpus: the statements.
        weights: the terms of the query.
        places: how many places may hold it together; two for a question that compares.
    """
    query = corpus.drop_across(list(weights))
    wanted = {w: weights[w] * corpus.idf(w) for index, w in enumerate(query) if not _straddles(corpus, query, index)}
    total = sum(wanted.values())
    if all(map(corpus.frequency, wanted)):
        held = list(corpus.unit_words.values())
    else:
        held = [set().union(*corpus.surroundings(place)) for place in corpus.score(wanted)]
    best = 0.0
    for _ in range(places):
        words = max(held, key=lambda words: _add_up(wanted, words), default=set())
        best += _add_up(wanted, words)
        wanted = {word: weight for word, weight in wanted.items() if word not in words}
    return best / total if total else 0.0


def _add_up(weights: Mapping[str, float], words: Set[str]) -> float:
    return sum([weight for word, weight in weights.items() if word in words])


def _straddles(corpus: Corpus, query: Sequence[str], index: int) -> bool:
    word = query[index]
    if len(word) != 2 or word.isascii() or corpus.frequency(word):
        return False
    neighbours = [query[i] for i in (index - 1, index + 1) if 0 <= i < len(query)]
    return any(corpus.frequency(n) and (n[-1] == word[0] or n[0] == word[-1]) for n in neighbours)


def _share(corpus: Corpus, weights: Mapping[str, float], aliases: Aliases) -> dict[int, float]:
    wanted = _weigh_known(corpus, weights)
    total = sum(wanted.values())
    shares: dict[int, float] = {}
    for word, weight in wanted.items():
        short = [alias for alias, spelled in aliases.items() if word in spelled]
        for place in dict.fromkeys(place for said in (word, *short) for place in corpus.find(said)):
            shares[place] = shares.get(place, 0.0) + weight / total
    return shares


def _weigh_known(corpus: Corpus, weights: Mapping[str, float]) -> dict[str, float]:
    """Return the words that the corpus knows by squared idf, as in a cosine: half a collection's name is not half a topic."""
    return {word: weight * corpus.idf(word) ** 2 for word, weight in weights.items() if corpus.frequency(word)}


def _share_units(corpus: Corpus, query: Mapping[str, float], aliases: Aliases) -> dict[int, float]:
    """Return by unit the share of the query's weight that stands in it: feedback must not lead away from the question."""
    wanted = _weigh_known(corpus, query)
    total = sum(wanted.values())
    shares: dict[int, float] = {}
    for unit, words in corpus.unit_words.items():
        opened = {word for alias, spelled in aliases.items() if alias in words for word in spelled}
        shares[unit] = sum(weight for w, weight in wanted.items() if w in words or w in opened) / total if total else 0.0
    return shares


def _weigh_units(
    corpus: Corpus, scores: Mapping[int, float], shares: Mapping[int, float], prominence: Prominence
) -> dict[int, float]:
    found: dict[int, list[float]] = {}
    for place, score in scores.items():
        found.setdefault(corpus.units[place], []).append(score)
    sums = {}
    for unit, values in found.items():
        is_headed = bool(corpus.passages[corpus.places_of_units[unit][0]].heading)
        share = shares[unit] ** (_HEADED_SHARE_POWER if is_headed else _SHARE_POWER)
        sums[unit] = _sum_best(values) * share * prominence.units[unit]
    highest = max(sums.values(), default=0.0) or 1.0
    return {unit: total / highest for unit, total in sums.items()}


def _sum_best(scores: Sequence[float]) -> float:
    """Return the sum of the best scores; a unit of fewer statements is half excused for having no more."""
    best = sorted(scores)[-_BEST_OF_UNIT:]
    return sum(best) * math.sqrt(_BEST_OF_UNIT / len(best))


def _expand(
    corpus: Corpus, query: Mapping[str, float], units: Mapping[int, float], shares: Mapping[int, float]
) -> dict[str, float]:
    """Add the words that the best units use more often than all do, the heavier the more of the query those units hold."""
    count = min(_FEEDBACK_UNITS, max(1, len(units) // 3))
    best = set(sorted(units, key=lambda unit: (-units[unit], unit))[:count])
    places = [place for place, unit in enumerate(corpus.units) if unit in best]
    trust = (sum(shares[unit] for unit in best) / len(best)) ** _TRUST_POWER if best else 0.0
    gains: dict[str, float] = {}
    for word, frequency in corpus.count(places).items():
        if frequency >= _RARELY:
            inside, everywhere = frequency / len(places), corpus.frequency(word) / len(corpus)
            gains[word] = inside * math.log(inside / everywhere)
    words = sorted((word for word in gains if gains[word] > 0), key=lambda word: (-gains[word], word))[:_FEEDBACK_WORDS]
    expanded = dict(query)
    for word in words:
        expanded[word] = expanded.get(word, 0.0) + trust * gains[word] / gains[words[0]]
    return expanded

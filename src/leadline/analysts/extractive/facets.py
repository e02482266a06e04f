"""What the sources talk about around a question: headings and recurring phrases, by how much of the material they hold."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import chain, islice

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.groups import can_speak
from leadline.analysts.extractive.headings import clean_heading, is_title
from leadline.analysts.extractive.relevance import Relevance
from leadline.analysts.extractive.vocabulary import vocabulary
from leadline.grounding.language import CJK_CHARACTERS, is_cjk

_MOST_OF_DOCUMENT = 3
"""Statements of one document that count for a facet: what is spread over documents is a facet, one long chapter is not."""

_LEAST_STATEMENTS = 3

_LEAST_OWN = 2
"""Statements of a facet that are not said about the topic anyway: one makes no section."""

_PROMINENT = 0.5
"""Prominence under which a statement is no reason for a section of its own."""

_BY_TEXT = 2.0
"""What the mean share of the topic that a section's statements hold counts beside its heading and title. Of 60 sections those
that a reader took for off the topic had up to .11, those about it .10 to .43."""

_KINDRED = 0.28
"""How much a section must have to do with the topic, 0 to 1."""

_FAINT = 0.1
"""Share of the heaviest section's mass under which a section is left out, even where that one says nothing of its own: it has
been said then, and what is far less about the topic does not take its place."""

_SPOKEN_OF = 0.1
"""Mean share of the topic that the statements with a phrase must hold for it to be a part of the topic."""

_OVERLAP = 0.5
"""Share of statements, and of words, that two facets may have in common."""

_WHOLE = 0.25
"""Share of the material from which on a facet is not a part of the topic but the topic."""

_CANDIDATES = 150
"""Heaviest phrases of a collection among which facets are chosen."""

_FLATTENED = 0.25
"""Power of a statement's relevance in a collection: with 1, its best statements are all about one corner of a broad topic.
Subtopics of SummHay that five todos lead to, of 15: 11 with .25, 9 with .5; 5 when only the best statements are looked at."""

_BESIDE = 8
"""Words that tell what a facet holds. From 6 to 16 a plan of five names as many subtopics of SummHay."""

_FEWEST_DOCUMENTS, _WIDEST = 4, 0.6
"""Documents of a collection that must use a phrase, and the share of them that may."""

_MATERIAL = 400
"""Most relevant statements that facets are looked for in."""

_WORD = re.compile(rf"(?:(?![{CJK_CHARACTERS}])[^\W_])+(?:[-'’](?:(?![{CJK_CHARACTERS}])[^\W_])+)*")
_CJK_CHUNK = re.compile(r"[\u4e00-\u9fff]{2,}")


@dataclass(frozen=True, slots=True)
class Facet:
    """Something the sources talk about: its name in their own words, and the statements it holds.

    `kinship` is what it has to do with the topic, 0 to 1; `beside` what its statements speak of, in words of theirs.
    """

    name: str
    words: frozenset[str]
    places: frozenset[int]
    mass: float
    kinship: float = 1.0
    beside: tuple[str, ...] = ()


def find_facets(corpus: Corpus, relevance: Relevance, query: Sequence[str], taken: Set[int], at_most: int) -> list[Facet]:
    """Return the heaviest facets of the material that differ from each other and add something to the query.

    Where documents have headings a facet is a heading: a phrase that recurs there is as often as not a part of a listing. They
    come heaviest document first, each document's in its own order.

    Args:
        corpus: the statements.
        relevance: of the topic.
        query: the topic's terms.
        taken: statements that are said about the topic as a whole: a facet that has hardly others is none.
        at_most: most facets.
    """
    if corpus.is_collection:
        chosen = _choose_diverse(corpus, list(_from_collection(corpus, relevance)), query, at_most)
    else:
        chosen = _choose(_find_rich(corpus, relevance, taken), query, at_most)
    order = {corpus.documents[min(facet.places)]: rank for rank, facet in reversed(list(enumerate(chosen)))}
    chosen.sort(key=lambda facet: (order[corpus.documents[min(facet.places)]], min(facet.places)))
    return [replace(facet, beside=_find_beside(corpus, facet, set(query))) for facet in chosen]


def _find_rich(corpus: Corpus, relevance: Relevance, taken: Set[int]) -> list[Facet]:
    """Return the headings that are about the topic and have something of their own to say; without headings, phrases too."""
    material, telling = _select_material(corpus, relevance), relevance.subject.telling
    headings = [f for f in _from_headings(corpus, relevance, material) if f.kinship >= _KINDRED and _tells(corpus, f, telling)]
    least = _FAINT * max((facet.mass for facet in headings), default=0.0)
    facets = [facet for facet in headings if facet.mass >= least]
    if not corpus.is_headed:
        limit = max(_LEAST_STATEMENTS, _WHOLE * len(material))
        facets += [facet for facet in _from_phrases(corpus, relevance, material) if len(facet.places) <= limit]
    return [facet for facet in facets if _is_rich(corpus, relevance, facet, taken)]


def _tells(corpus: Corpus, facet: Facet, telling: Set[str]) -> bool:
    """Say whether a section holds a telling word of the question: all of a handbook is about managing systems."""
    return any(not telling.isdisjoint(corpus.unit_words[unit]) for unit in {corpus.units[place] for place in facet.places})


def _choose(facets: Sequence[Facet], query: Sequence[str], at_most: int) -> list[Facet]:
    """Return the heaviest facets that add something to the query and do not overlap."""
    known = set(query)
    chosen: list[Facet] = []
    for facet in sorted(facets, key=lambda f: (-f.mass, f.name)):
        if len(chosen) < at_most and facet.words - known and not any(_overlap(facet, other, known) for other in chosen):
            chosen.append(facet)
    return chosen


def _choose_diverse(corpus: Corpus, facets: Sequence[Facet], query: Sequence[str], at_most: int) -> list[Facet]:
    """Return heavy facets whose statements speak of different things.

    This is maximal marginal relevance (Carbonell and Goldstein, 1998), with the mass times the square of what is new.
    """
    known = set(query)
    left = sorted((f for f in facets if f.words - known), key=lambda f: (-f.mass, f.name))[:_CANDIDATES]
    vectors = {facet: _find_vector(corpus, facet, known) for facet in left}
    novelty = dict.fromkeys(left, 1.0)
    chosen: list[Facet] = []
    while left and len(chosen) < at_most:
        best = max(left, key=lambda facet: facet.mass * novelty[facet] ** 2)
        left.remove(best)
        chosen.append(best)
        for facet in left:
            novelty[facet] = min(novelty[facet], 1 - _multiply(vectors[facet], vectors[best]))
    return chosen


def _find_vector(corpus: Corpus, facet: Facet, known: Set[str]) -> dict[str, float]:
    counts = corpus.count(sorted(facet.places))
    weights = {word: count * corpus.idf(word) for word, count in counts.items() if word not in known}
    length = math.sqrt(sum(weight**2 for weight in weights.values())) or 1.0
    return {word: weight / length for word, weight in weights.items()}


def _multiply(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum([weight * other[word] for word, weight in one.items() if word in other])


def _find_beside(corpus: Corpus, facet: Facet, known: Set[str]) -> tuple[str, ...]:
    """Return the words that stand in and beside a facet's statements more often than elsewhere, as they are written there.

    A CJK pair is written as the commonest phrase that holds it.
    """
    near = sorted({p + step for p in facet.places for step in (-1, 0, 1) if corpus.stand_together(p, p + step)})
    counts = corpus.count(near)
    shares = {w: n * math.log(n * len(corpus) / (len(near) * corpus.frequency(w))) for w, n in counts.items()}
    words = sorted(shares.keys() - facet.words - known, key=lambda word: (-shares[word], word))[:_BESIDE]
    spelled: dict[str, Counter[str]] = {word: Counter() for word in words}
    for text in (corpus.passages[place].text for place in near):
        phrases = (phrase for chunk in _CJK_CHUNK.findall(text) for phrase in _cjk_phrases(corpus, chunk))
        for written in chain(_WORD.findall(text), phrases):
            for word in spelled.keys() & set(words_of(written)):
                spelled[word][written] += 1
    best = (min(found, key=lambda text: (-found[text], text)) for found in spelled.values() if found)
    return tuple(dict.fromkeys(best))


def _from_collection(corpus: Corpus, relevance: Relevance) -> Iterator[Facet]:
    """Yield phrases that several documents use and others do not, whatever the statements that fit the topic best are about."""
    worth = {
        place: (score * relevance.units[corpus.units[place]]) ** _FLATTENED
        for place, score in sorted(relevance.scores.items())
        if can_speak(corpus, relevance, place)
    }
    for facet in _from_phrases(corpus, relevance, worth, spoken_of=0.0):
        spread = len({corpus.documents[place] for place in facet.places})
        if _FEWEST_DOCUMENTS <= spread <= _WIDEST * corpus.document_count:
            yield replace(facet, mass=facet.mass * (1 - spread / corpus.document_count))


def _select_material(corpus: Corpus, relevance: Relevance) -> dict[int, float]:
    worth = {
        place: score * relevance.units[corpus.units[place]] * min(1.0, relevance.prominence[place])
        for place, score in relevance.scores.items()
    }
    best = sorted(worth, key=lambda place: (-worth[place], place))[:_MATERIAL]
    return {place: worth[place] for place in best}


def _is_rich(corpus: Corpus, relevance: Relevance, facet: Facet, taken: Set[int]) -> bool:
    """Say whether a facet has enough to say that is not said already."""
    own = (
        place
        for place in sorted(facet.places - taken)
        if relevance.prominence[place] >= _PROMINENT and can_speak(corpus, relevance, place)
    )
    return len(list(islice(own, _LEAST_OWN))) == _LEAST_OWN


def _overlap(facet: Facet, other: Facet, known: Set[str]) -> bool:
    if (facet.words - known) <= other.words or (other.words - known) <= facet.words:
        return True
    return len(facet.places & other.places) > _OVERLAP * min(len(facet.places), len(other.places))


def _from_headings(corpus: Corpus, relevance: Relevance, material: Mapping[int, float]) -> Iterator[Facet]:
    """Yield the headings over the material, weighed by what they have to do with the topic."""
    units: dict[str, dict[int, None]] = {}
    for place in sorted(material):
        name = clean_heading(corpus.passages[place].heading)
        if is_title(name):
            units.setdefault(name, {})[corpus.units[place]] = None
    for name, under in units.items():
        kinship = max(_find_kinship(corpus, relevance, unit) for unit in under)
        places = [place for unit in under for place in corpus.places_of_units[unit]]
        if len(places) >= _LEAST_STATEMENTS:
            mass = kinship**2 * _sum_best(corpus, relevance, places)
            yield Facet(name, frozenset(words_of(name)), frozenset(places), mass, kinship)


def _sum_best(corpus: Corpus, relevance: Relevance, places: Sequence[int]) -> float:
    """Return the relevance of a section's best statements; that of the section counts by its root, as it is a square."""
    worth = (
        relevance.scores.get(place, 0.0)
        * math.sqrt(relevance.units.get(corpus.units[place], 0.0))
        * min(1.0, relevance.prominence[place])
        for place in places
    )
    return sum(nlargest(_MOST_OF_DOCUMENT, worth))


def _find_kinship(corpus: Corpus, relevance: Relevance, unit: int) -> float:
    """Return how much a section has to do with the topic: by its names, and by how much of its text speaks of it."""
    places = corpus.places_of_units[unit]
    held = sum(relevance.direct.get(place, 0.0) for place in places) / len(places)
    return min(1.0, relevance.prominence.named[unit] + _BY_TEXT * held)


def _from_phrases(
    corpus: Corpus, relevance: Relevance, material: Mapping[int, float], spoken_of: float = _SPOKEN_OF
) -> Iterator[Facet]:
    found: dict[tuple[str, ...], list[int]] = {}
    surface: dict[tuple[str, ...], Counter[str]] = {}
    for place in sorted(material):
        seen: set[tuple[str, ...]] = set()
        for phrase in _phrases(corpus, corpus.passages[place].text):
            key = words_of(phrase)
            if key and key not in seen:
                seen.add(key)
                found.setdefault(key, []).append(place)
                surface.setdefault(key, Counter())[phrase] += 1
    for key, places in found.items():
        held = sum(relevance.direct.get(place, 0.0) for place in places) / len(places)
        if len(places) >= _LEAST_STATEMENTS and held >= spoken_of and len({corpus.documents[p] for p in places}) >= 2:
            name = min(surface[key], key=lambda s: (-surface[key][s], s))
            yield _make(corpus, name[0].upper() + name[1:], places, material, _length_bonus(name))


def _length_bonus(name: str) -> float:
    """Two words name a thing, one is often only a quality; likewise four CJK characters against two."""
    length = len(name.split()) if not is_cjk(name[0]) else len(name) / 2
    return {1: 0.4, 2: 1.0}.get(int(length), 1.1)


def _is_name(words: Sequence[str], opens: bool) -> bool:
    """Say whether words name something: a lone one does so when it is written with a capital inside a sentence."""
    if words[0].endswith("ly") or words[-1].endswith(("ed", "ly")):
        return False
    return len(words) > 1 or (not opens and not words[0].islower())


def _phrases(corpus: Corpus, text: str) -> Iterator[str]:
    for chunk in _CJK_CHUNK.findall(text):
        yield from _cjk_phrases(corpus, chunk)
    run: list[str] = []
    last = 0
    for match in _WORD.finditer(text):
        adjacent = text[last : match.start()] in (" ", "\n")
        last = match.end()
        word = match.group()
        run = run if adjacent else []
        if word.casefold() in vocabulary().joints or word[0].isdigit() or len(word) < 2:
            run = []
            continue
        run = [*run[-2:], word]
        tails = (run[-size:] for size in range(1, len(run) + 1))
        yield from (" ".join(tail) for tail in tails if _is_name(tail, opens=match.start() == 0))


def _cjk_phrases(corpus: Corpus, chunk: str) -> Iterator[str]:
    """Yield what stands between joints, unless a joint is a part of a word: 一系列重 of 一系列重要, 级医师 of 上级医师."""
    start = 0
    for end, after in [*(found.span() for found in vocabulary().cjk_joints.finditer(chunk)), (len(chunk), len(chunk))]:
        piece = chunk[start:end]
        edges = ((chunk[end - 1 : end + 1], piece[-2:]), (chunk[max(0, start - 1) : start + 1], piece[:2]))
        is_cut = any(corpus.frequency(across) >= corpus.frequency(inside) for across, inside in edges)
        if 3 <= len(piece) <= 8 and not is_cut:
            yield piece
        start = after


def _make(corpus: Corpus, name: str, places: Sequence[int], material: Mapping[int, float], bonus: float) -> Facet:
    """Weigh a phrase: the relevance of its statements, times how seldom its rarest word stands elsewhere."""
    by_document: dict[str, list[float]] = {}
    for place in places:
        by_document.setdefault(corpus.documents[place], []).append(material.get(place, 0.0))
    mass = sum(sum(sorted(scores)[-_MOST_OF_DOCUMENT:]) for scores in by_document.values())
    rarity = max(map(corpus.idf, words_of(name)))
    return Facet(name, frozenset(words_of(name)), frozenset(places), mass * rarity * bonus)

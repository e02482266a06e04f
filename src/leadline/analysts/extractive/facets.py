"""What the sources talk about around a question: headings and recurring phrases, by how much of the material they hold."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.relevance import Relevance
from leadline.analysts.extractive.vocabulary import vocabulary
from leadline.grounding.language import CJK_CHARACTERS, is_cjk

_MOST_OF_DOCUMENT = 3
"""Statements of one document that count for a facet: what is spread over documents is a facet, one long chapter is not."""

_HEADING_BONUS = 1.5
"""A heading was written to name what follows; a phrase only recurs."""

_LEAST_STATEMENTS = 3
_EDGES = " #*_`:：.。¶\u200b—|-"

_OVERLAP = 0.5
"""Share of statements, and of words, that two facets may have in common."""

_WHOLE = 0.25
"""Share of the material from which on a facet is not a part of the topic but the topic."""

_MATERIAL = 400
"""Most relevant statements that facets are looked for in."""

_NUMBERING = re.compile(
    r"^\s*(?:(?:chapter|section|appendix|part)\s+[\dIVXA-Z]+(?:\.\d+)*|第\s*[\d一二三四五六七八九十]+\s*[章节節部]|[A-Z]?\.?\d+(?:\.\d+)*|[A-Z]\.(?:\d+\.?)+)"
    r"[.:)、\s—-]+",
    re.IGNORECASE,
)
_WORD = re.compile(rf"(?:(?![{CJK_CHARACTERS}])[^\W_])+(?:[-'’](?:(?![{CJK_CHARACTERS}])[^\W_])+)*")
_CJK_CHUNK = re.compile(r"[\u4e00-\u9fff]{2,}")


@dataclass(frozen=True, slots=True)
class Facet:
    """Something the sources talk about: its name in their own words, and the statements it holds."""

    name: str
    words: frozenset[str]
    places: frozenset[int]
    mass: float


def find_facets(corpus: Corpus, relevance: Relevance, query: Sequence[str], at_most: int) -> list[Facet]:
    """Return facets of the material that differ from each other and add something to the query, heaviest first."""
    worth = {place: score * relevance.units[corpus.units[place]] for place, score in relevance.scores.items()}
    best = sorted(worth, key=lambda place: (-worth[place], place))[:_MATERIAL]
    material = {place: worth[place] for place in best}
    named = [*_from_headings(corpus, material), *_from_phrases(corpus, material)]
    known = set(query)
    parts = [f for f in named if f.words - known and len(f.places) <= max(_LEAST_STATEMENTS, _WHOLE * len(material))]
    facets = sorted(parts, key=lambda f: (-f.mass, f.name))
    chosen: list[Facet] = []
    for facet in facets:
        if len(chosen) == at_most:
            break
        if not any(_overlap(facet, other, known) for other in chosen):
            chosen.append(facet)
    return chosen


def clean_heading(heading: str) -> str:
    """Return a heading without its number and the marks around it."""
    return _NUMBERING.sub("", " ".join(heading.split())).strip(_EDGES)


def _overlap(facet: Facet, other: Facet, known: set[str]) -> bool:
    if (facet.words - known) <= other.words or (other.words - known) <= facet.words:
        return True
    return len(facet.places & other.places) > _OVERLAP * min(len(facet.places), len(other.places))


def _from_headings(corpus: Corpus, material: Mapping[int, float]) -> Iterator[Facet]:
    groups: dict[str, list[int]] = {}
    for place in sorted(material):
        name = clean_heading(corpus.passages[place].heading)
        if _is_title(name):
            groups.setdefault(name, []).append(place)
    for name, places in groups.items():
        if len(places) >= _LEAST_STATEMENTS:
            yield _make(corpus, name, places, material, _HEADING_BONUS)


def _is_title(name: str) -> bool:
    if not name or name.casefold() in vocabulary().plain_headings or name.endswith(("?", "？")):
        return False
    wide = sum(map(is_cjk, name))
    short = 2 <= wide <= 18 if wide else 1 <= len(name.split()) <= 7
    return short and len(name) >= 2 and not re.search(r"[(){}<>=;|\\\[\]]|^\W|^-|https?:", name) and bool(words_of(name))


def _from_phrases(corpus: Corpus, material: Mapping[int, float]) -> Iterator[Facet]:
    found: dict[tuple[str, ...], list[int]] = {}
    surface: dict[tuple[str, ...], Counter[str]] = {}
    for place in sorted(material):
        seen: set[tuple[str, ...]] = set()
        for phrase in _phrases(corpus.passages[place].text):
            key = words_of(phrase)
            if key and key not in seen:
                seen.add(key)
                found.setdefault(key, []).append(place)
                surface.setdefault(key, Counter())[phrase] += 1
    for key, places in found.items():
        if len(places) >= _LEAST_STATEMENTS and len({corpus.documents[p] for p in places}) >= 2:
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


def _phrases(text: str) -> Iterator[str]:
    for chunk in _CJK_CHUNK.findall(text):
        for piece in vocabulary().cjk_joints.split(chunk):
            if 3 <= len(piece) <= 8:
                yield piece
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


def _make(corpus: Corpus, name: str, places: Sequence[int], material: Mapping[int, float], bonus: float) -> Facet:
    """Weigh a facet: the relevance of its statements, times how seldom its rarest word stands elsewhere."""
    by_document: dict[str, list[float]] = {}
    for place in places:
        by_document.setdefault(corpus.documents[place], []).append(material[place])
    mass = sum(sum(sorted(scores)[-_MOST_OF_DOCUMENT:]) for scores in by_document.values())
    rarity = max(map(corpus.idf, words_of(name)))
    return Facet(name, frozenset(words_of(name)), frozenset(places), mass * rarity * bonus)

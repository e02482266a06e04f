"""How far the carrying words of a point stand in a window of its page, and in which roles."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from leadline.grounding.language import count_cjk
from leadline.grounding.tokens import stem, terms

_STEM = 0.8
"""Share of the longer of two words that they must begin alike to be forms of one (`migrate`, `migration`)."""

_UNSEEN = 1.5
"""Weight of a word that the page does not hold, between that of its rarest (2) and its most common (1)."""

_ORDERED = 0.9
"""Share of the words that must stand in the point's order: `A replaced B` is not `B replaced A`."""

_SAME_WORDS = 0.8
"""Share of words in common from which on their order tells: a freer paraphrase is built anew."""

_LEAD = 2
"""Content words at the head of a sentence that name its subject; pairs of characters in Chinese, one more."""

_INTRODUCTION = re.compile(
    r"(?:In|On|At|By|With|Without|As|When|While|Whereas|If|Although|Though|Despite|Because|Since|Due|After|Before|During|For|From"
    r"|Under|Over|Throughout|Following|Given|According|Beyond|Once|Until|Unless|However|Moreover|Additionally|Furthermore|Yet|Thus"
    r"|Therefore|[A-Z]\w+(?:ed|ing|ly))\b[^,.]*,\s|(?:[在当如由为随对从虽因]|根据|此外|另外)[^，。]*，"
)
_SENTENCE = re.compile(r"[.!?]\s+(?=\S)|[。！？](?=\S)")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|could|may|might|must|should|will|would|does|do|did)\b|[是会可能应将有]"
)
_SAYS_NO_SUBJECT = frozenset(
    map(
        stem,
        [
            "several",
            "number",
            "various",
            "different",
            "many",
            "numerous",
            "some",
            "significant",
            "notable",
            "important",
            "key",
            "main",
            "certain",
            "new",
        ],
    )
)
_AGENT = re.compile(r"\bby\b|[由被把]")
_CLAUSE = re.compile(r"[,，;；:：]\s*|\b(?:when|if|because)\s|如果|因为|由于")


@dataclass(frozen=True, slots=True)
class Weights:
    """What the words of a page tell: 2 for one that stands in one line of it, 1 for one that stands in all."""

    values: Mapping[str, float]

    def __getitem__(self, word: str) -> float:
        return self.values.get(word, _UNSEEN)


def weigh(page: str) -> Weights:
    """Return the weights of a page's words, by the share of its lines that hold them (idf)."""
    lines = [line for line in page.splitlines() if line.strip()]
    counts = Counter(word for line in lines for word in set(terms(line)))
    scale = math.log(len(lines) + 1) or 1.0
    return Weights({word: 1 + math.log((len(lines) + 1) / (count + 1)) / scale for word, count in counts.items()})


def cover(text: str, window: str, weights: Weights) -> float:
    """Return the share of a text's words, by weight, that its window holds in one form or another."""
    wanted = list(dict.fromkeys(terms(text)))
    held = _held(wanted, window)
    total = sum(weights[word] for word in wanted)
    return sum(weights[word] for word in wanted if word in held) / total if total else 0.0


def have_other_subjects(text: str, window: str) -> bool:
    """Say whether a text begins with words that its window has not, while the window's sentences begin with others."""
    mine = _lead(text)
    if len(_held(mine, window)) == len(mine):
        return False
    return all(len(_held(lead, text)) < len(lead) for lead in _find_leads(window))


def are_swapped(text: str, window: str) -> bool:
    """Say whether two sentences have the same words in other roles; a passive and a clause put first are no other roles."""
    mine, theirs = terms(text), terms(window)
    shared = _held(mine, window)
    if len(shared) < _SAME_WORDS * len(set(mine)) or _is_in_order(mine, theirs):
        return False
    if len(_AGENT.findall(text)) != len(_AGENT.findall(window)):
        return False
    return not any(_is_in_order(terms(f"{text[at:]} {text[:at]}"), theirs) for at in _find_clauses(text))


def _find_clauses(text: str) -> Iterator[int]:
    for mark in _CLAUSE.finditer(text):
        yield mark.start() if mark.group()[0].isalpha() else mark.end()


def _is_in_order(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    known = [word for word in mine if word in theirs]
    matching = SequenceMatcher(None, known, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in matching) >= _ORDERED * len(known)


def _held(words: Sequence[str], window: str) -> set[str]:
    there = set(terms(window))
    return {word for word in words if word in there or any(_are_forms(word, other) for other in there)}


@lru_cache(maxsize=200_000)
def _are_forms(one: str, other: str) -> bool:
    if one[0] != other[0] or not one.isascii() or not one[0].isalpha():
        return False
    longest = max(len(one), len(other))
    return len(_common(one, other)) >= max(4, _STEM * longest)


def _common(one: str, other: str) -> str:
    return one[: next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))]


def _find_leads(text: str) -> list[list[str]]:
    """The words that each sentence begins with, with and without what introduces it (`In 2023, the bank …`)."""
    starts = [0, *(mark.end() for mark in _SENTENCE.finditer(text))]
    leads = [_lead(text[start:]) for start in starts]
    return [lead for lead in leads if lead]


def _lead(sentence: str) -> list[str]:
    introduced = _INTRODUCTION.match(sentence)
    plain = sentence[introduced.end() :] if introduced else sentence
    verb = _AUXILIARY.search(plain)
    lead = [word for word in terms(plain[: verb.start()] if verb else plain) if word not in _SAYS_NO_SUBJECT]
    return lead[: _LEAD + (count_cjk(sentence) > len(sentence) / 3)]

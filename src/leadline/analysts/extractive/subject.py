"""What a question is about, and how far a heading or a name says just that."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.focus import asks_whether
from leadline.analysts.extractive.headings import clean_heading
from leadline.grounding.opposites import find_opposites

_KIN = 0.6
"""What a word counts that begins as a word of the question does (`collector`, `collect`)."""

_LEAST_STEM = 5
"""Letters that two kindred words must share at their beginning; shorter beginnings join strangers."""

_MOST_ENDING = 4
"""Letters that one of two kindred words may have more."""

_TELLING = 0.5
"""Share of the heaviest word's weight from which on a word tells what a question is about."""

_LEAST_INITIALS, _MOST_INITIALS = 2, 6
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_ABBREVIATION = re.compile(r"\b[A-Z]{2,6}\b")


Aliases = Mapping[str, tuple[str, ...]]
"""Abbreviations as terms, and the terms that each stands for; of a question for yes or no, also words for the other answer."""


class Subject:
    """The words of a question with their weights in a corpus, and the abbreviations that the corpus has for them."""

    def __init__(self, corpus: Corpus, weights: Mapping[str, float], text: str) -> None:
        """Read what a question asks for.

        Args:
            corpus: judges how telling a word is, and holds the abbreviations.
            weights: the question's terms.
            text: the question as it was typed: initials are in the order of its words.
        """
        self._corpus = corpus
        self.text = text
        known = [word for word in corpus.drop_across(list(weights)) if corpus.frequency(word)]
        self._weights = {word: weights[word] * corpus.idf(word) ** 2 for word in known}
        self._total = sum(self._weights.values()) or 1.0
        self._kin: dict[str, str] = {}
        self._stems: dict[str, list[str]] = {}
        for word in self._weights:
            self._stems.setdefault(word[:_LEAST_STEM], []).append(word)
        self._matches: dict[str, tuple[float, float]] = {}
        opposites = {other: (word,) for word in known for other in sorted(find_opposites(word))} if asks_whether(text) else {}
        self.aliases: Aliases = {**opposites, **find_aliases(corpus, text)}

    def __bool__(self) -> bool:
        """Say whether the corpus knows any word of the question."""
        return bool(self._weights)

    def __contains__(self, word: str) -> bool:
        return word in self._weights

    @property
    def telling(self) -> frozenset[str]:
        """The heavy words of the question, and the abbreviations that stand for them."""
        least = _TELLING * max(self._weights.values(), default=0.0)
        heavy = {word for word, weight in self._weights.items() if weight >= least}
        return frozenset(heavy | {alias for alias, words in self.aliases.items() if not heavy.isdisjoint(words)})

    def hold(self, words: Iterable[str]) -> float:
        """Return the share of the question's weight that words hold, 0 to 1; kindred words count in part."""
        return self._compare(words)[0]

    def match(self, text: str) -> float:
        """Return how far a heading or name says what the question asks for, all of it and nothing else: 0 to 1."""
        held, pure = self.compare(text)
        return held * math.sqrt(pure)

    def compare(self, text: str) -> tuple[float, float]:
        """Return the share of the question that a text holds, and the share of the text that is the question's."""
        found = self._matches.get(text)
        if found is None:
            found = self._matches[text] = self._compare(self._corpus.drop_across(words_of(clean_heading(text))))
        return found

    def _compare(self, words: Iterable[str]) -> tuple[float, float]:
        opened = dict.fromkeys(part for word in words for part in (word, *self.aliases.get(word, ())))
        held: dict[str, float] = {}
        own = weight = 0.0
        for word in opened:
            square = self._corpus.idf(word) ** 2
            mine, share = (word, 1.0) if word in self._weights else (self._find_kin(word), _KIN)
            weight += square
            if mine:
                own += square * share
                held[mine] = max(held.get(mine, 0.0), share)
            elif word in self.aliases:
                own += square
        return sum(self._weights[word] * share for word, share in held.items()) / self._total, own / weight if weight else 0.0

    def _find_kin(self, word: str) -> str:
        kin = self._kin.get(word)
        if kin is None:
            near = self._stems.get(word[:_LEAST_STEM], ())
            kin = self._kin[word] = next((mine for mine in near if _are_kin(mine, word)), "")
        return kin


def find_aliases(corpus: Corpus, text: str) -> Aliases:
    """Return abbreviations that the corpus explains (`Write-Ahead Logging (WAL)`) and the terms that each stands for.

    Only those count that a question spells out or uses.
    """
    words = _LATIN_WORD.findall(text)
    spelled = {
        "".join(word[0] for word in words[start : start + size]).upper(): words[start : start + size]
        for size in range(_LEAST_INITIALS, _MOST_INITIALS + 1)
        for start in range(len(words) - size + 1)
    }
    used = dict.fromkeys(_ABBREVIATION.findall(text))
    aliases: dict[str, tuple[str, ...]] = {}
    for short in (*spelled, *used):
        for term in words_of(short):
            if explained := _find_explanation(corpus, term, short, spelled.get(short)):
                aliases[term] = explained
    return aliases


def _find_explanation(corpus: Corpus, term: str, short: str, wanted: Sequence[str] | None) -> tuple[str, ...]:
    bracketed = f"({short})"
    texts = (corpus.passages[place].text for place in corpus.find(term))
    for source in chain((name for name in corpus.names if bracketed in name), texts):
        at = source.find(bracketed)
        before = _LATIN_WORD.findall(source[:at])[-len(short) :] if at > 0 else []
        if "".join(word[0] for word in before).upper() == short:
            terms = words_of(" ".join(before))
            if not wanted or set(terms) == set(words_of(" ".join(wanted))):
                return terms
    return ()


def _are_kin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _LEAST_STEM and len(long) - len(short) <= _MOST_ENDING and long.startswith(short) and short.isascii()

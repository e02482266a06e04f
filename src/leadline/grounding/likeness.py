"""How far the carrying words of a point stand in a window of its page."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from leadline.grounding.language import CJK_CHARACTERS, count_cjk
from leadline.grounding.quantities import find_missing, read_quantities
from leadline.grounding.tokens import terms

_STEM = 0.8
"""Share of the longer of two words that they must begin alike to be forms of one (`migrate`, `migration`)."""

_UNSEEN = 1.5
"""Weight of a word that the page does not hold, between that of its rarest (2) and its most common (1)."""

SMALL_SIGNS = frozenset("的了是在和与或及也都就被把由为以对于中上下其这那一个有地得着而")
PIECE = re.compile(rf"[{CJK_CHARACTERS}]|[a-z]+|\d[\d.,]*")


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
    """Return the share of what a text says, by weight, that its window holds in one form or another: words and numbers."""
    wanted = [word for word in dict.fromkeys(terms(text)) if not word[0].isdigit()]
    held = find_held(wanted, window)
    quantities, dates = read_quantities(text)
    found = len(quantities) + len(dates) - len(find_missing(text, window))
    total = sum(weights[word] for word in wanted) + len(quantities) + len(dates)
    return max(0.0, sum(weights[word] for word in wanted if word in held) + found) / total if total else 0.0


def cover_signs(text: str, window: str) -> float:
    """Return the share of a Chinese text's characters that its window holds; other words count as one each."""
    wanted = set(PIECE.findall(text)) - SMALL_SIGNS
    return len(wanted & set(PIECE.findall(window))) / len(wanted) if wanted else 0.0


def is_chinese(text: str) -> bool:
    """Say whether a text is mostly written without spaces between words."""
    return count_cjk(text) > len(text) / 3


def find_held(words: Sequence[str], window: str) -> set[str]:
    """Return the words that a window holds in one form or another."""
    there = set(terms(window))
    return {word for word in words if word in there or any(_are_forms(word, other) for other in there)}


@lru_cache(maxsize=200_000)
def _are_forms(one: str, other: str) -> bool:
    least = max(4, math.ceil(_STEM * max(len(one), len(other))))
    return one.isascii() and one[0].isalpha() and one[:least] == other[:least] and min(len(one), len(other)) >= least

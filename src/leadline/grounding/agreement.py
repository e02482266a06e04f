"""When two points say the same: near-duplicates only, so that merging never loses a statement."""

from leadline.grounding.claims import is_negated, numbers
from leadline.grounding.folding import fold
from leadline.grounding.tokens import terms

_ALIKE = 0.8
"""Share of all their words that two points must have in common."""


def same(a: str, b: str) -> bool:
    """Say whether two sentences state the same: nearly the same words, the same numbers, the same negation.

    Conservative: a sentence that says more than the other, even by a clause, is another one.
    """
    if fold(a).casefold() == fold(b).casefold():
        return True
    if numbers(a) != numbers(b) or is_negated(a) != is_negated(b):
        return False
    left, right = set(terms(a)), set(terms(b))
    return bool(left) and len(left & right) >= _ALIKE * len(left | right)

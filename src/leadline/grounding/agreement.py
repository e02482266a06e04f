"""When two points say the same: near-duplicates only, so that merging never loses a statement."""

from leadline.grounding.claims import is_negated, names, numbers
from leadline.grounding.folding import fold
from leadline.grounding.opposites import are_opposed
from leadline.grounding.tokens import terms

_ALIKE = 0.8
"""Share of all their words that two points must have in common."""


def same(a: str, b: str) -> bool:
    """Say whether two sentences state the same: nearly the same words, the same numbers, names and negation.

    Conservative: a sentence that says more than the other by a clause is another one, and so is one that has another word in
    the place of one: that may be the subject.
    """
    if fold(a).casefold() == fold(b).casefold():
        return True
    if numbers(a) != numbers(b) or is_negated(a) != is_negated(b) or names(a) != names(b) or are_opposed(a, b):
        return False
    left, right = set(terms(a)), set(terms(b))
    return bool(left) and (left <= right or right <= left) and len(left & right) >= _ALIKE * len(left | right)

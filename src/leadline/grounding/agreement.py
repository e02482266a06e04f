"""When two points say the same, and when they differ in a number, a date or an outcome and are otherwise the same."""

from functools import lru_cache

from leadline.grounding.claims import differ_in_negation, is_negated, names
from leadline.grounding.folding import fold
from leadline.grounding.opposites import are_opposed
from leadline.grounding.quantities import Date, Quantity, is_month, numbers
from leadline.grounding.tokens import terms

_ALIKE = 0.8
"""Share of all their words that two points must have in common."""

_FEWEST = 3
"""Words in common, without numbers, below which two points that differ need not speak of the same thing."""


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


def conflict(a: str, b: str) -> bool:
    """Say whether two sentences speak of the same in the same words, and differ in one number, date or outcome.

    Near-duplicates only, with one word of difference: `version 3.8 adds it` and `version 3.9 adds it` both hold, so versions
    and bare numbers without a unit are no conflict unless all words are the same.
    """
    left, right = _words(a), _words(b)
    if len(left & right) < _FEWEST or len(left - right) > 1 or len(right - left) > 1 or _names(a) != _names(b):
        return False
    mine, theirs = numbers(a) - numbers(b), numbers(b) - numbers(a)
    if not mine and not theirs:
        return numbers(a) == numbers(b) and (are_opposed(a, b) or differ_in_negation(a, b))
    if len(mine) != 1 or len(theirs) != 1:
        return False
    return _are_of_a_kind(next(iter(mine)), next(iter(theirs)), left == right)


def _are_of_a_kind(one: Quantity | Date, other: Quantity | Date, same_words: bool) -> bool:
    if isinstance(one, Date) or isinstance(other, Date):
        return isinstance(one, Date) and isinstance(other, Date)
    if one.value.count(".") > 1 or other.value.count(".") > 1:
        return False
    return one.unit == other.unit and (bool(one.unit) or same_words)


def _names(text: str) -> set[str]:
    """What a text names; a month is part of a date."""
    return {name for name in names(text) if not is_month(name)}


@lru_cache(maxsize=1024)  # every point of a report is compared with every other
def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(text) if not word[0].isdigit())

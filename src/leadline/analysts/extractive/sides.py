"""The sides of a comparison: what a question sets against each other."""

import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile

from leadline.analysts.extractive.vocabulary import vocabulary
from leadline.grounding.language import is_cjk
from leadline.grounding.tokens import terms

_MARKS = "?!.,:;\"'()？！。，：；“” "

_LONGEST, _LONGEST_CJK = 5, 14
"""Words, and characters, of a side that is a name and not a clause."""

_AGAINST = re.compile(
    r"\s+(?:(?:as\s)?(?:compared|opposed)\s(?:with|to)|differs?\sfrom|versus|vs\.?|instead\sof|rather\sthan)\s+", re.IGNORECASE
)
_LISTED = re.compile(r"\b(?:compare|between)\s+(.+)$|^(.+\sand\s.+?)\s+(?:differ|compare)\W*$", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|with|to)\s+", re.IGNORECASE)
_CJK_LISTED = re.compile(
    r"(?:比较|比較)?(.+?)(?:之?[间間]|相比|的|有什[么麼]|有何|有哪些)*(?:区别|區別|差异|差異|不同|优缺点|優缺點|比较|比較|相比)"
)
_CJK_COMMA = re.compile(r"\s*[、和与與跟]\s*")


def find_sides(text: str) -> tuple[str, ...]:
    """Return what a question compares, in its own words: two or more names, or nothing where it compares nothing.

    `How does A differ from B?`, `A versus B`, `When should I use A instead of B?`, `A 和 B 有什么区别？`
    """
    wide = any(map(is_cjk, text))
    pieces = _split_cjk(text) if wide else _split(text)
    sides = tuple(dict.fromkeys(pieces))
    fit = all((len(side) <= _LONGEST_CJK if wide else len(side.split()) <= _LONGEST) and terms(side) for side in sides)
    return sides if len(sides) > 1 and fit else ()


def _split(text: str) -> Sequence[str]:
    halves = _AGAINST.split(text, maxsplit=1)
    if len(halves) > 1:
        before, after = (half.split() for half in halves)
        return [" ".join(_take(before[::-1])[::-1]), " ".join(_take(after))]
    found = _LISTED.search(text)
    return [" ".join(_take(piece.split())) for piece in _COMMA.split(found[1] or found[2])] if found else ()


def _take(words: Sequence[str]) -> list[str]:
    """Return the words of a name at the beginning, without articles and asking words before and all that follows the next."""
    bare = [word.strip(_MARKS) for word in words]
    named = dropwhile(_asks, bare)
    return list(takewhile(lambda word: not _asks(word), named))


def _asks(word: str) -> bool:
    return not word or word.casefold() in vocabulary().asking


def _split_cjk(text: str) -> Sequence[str]:
    found = _CJK_LISTED.search(text)
    return [piece.rpartition("的")[2].strip(_MARKS) for piece in _CJK_COMMA.split(found[1])] if found else ()

"""Whether two sentences that share words say the same with them: the same things, in the same places, and no more."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from leadline.grounding.claims import find_other_names, names
from leadline.grounding.likeness import PIECE, find_held, is_chinese
from leadline.grounding.quantities import find_missing, is_month
from leadline.grounding.subjects import CLAUSE, have_other_subjects
from leadline.grounding.tokens import terms
from leadline.grounding.words import STOP_WORDS

_ORDERED = 0.9
"""Share of the words that must stand in the point's order: `A replaced B` is not `B replaced A`."""

_SAME_WORDS = 0.8
"""Share of words in common from which on their order tells: a freer paraphrase is built anew."""

_ALL_ELSE = 0.75
"""Share of the characters of a Chinese sentence that stand in its source in their order, where only one thing was changed."""

_SMALL_CHANGE = 2
"""Words, or Chinese characters, that differ between two sentences of the same words."""

_PREPOSITIONS = frozenset("在由被从向给比")
_JOINT = re.compile(r"[;；]|[,，]\s*(?:and|but|while|whereas|而|并|且|但|同时)|\s(?:and|but)\s|并且|而且|同时")
_CLAIM = 2
"""Content words, or pairs of Chinese characters, from which on a joined part may be a claim of its own."""

_AGENT = re.compile(r"\bby\b|[由被把]")
_WORD = re.compile(r"\w+(?:\.\w+)*")
_JOINING = frozenset({"and", "or", "和", "或", "与", "與", "、"})


def agrees(text: str, window: str) -> bool:
    """Say whether nothing keeps two sentences that share words from saying the same: no other number, name, subject or role,
    and no claim more.
    """
    return not (
        find_missing(text, window)
        or find_moved_numbers(text, window)
        or find_other_names(text, window)
        or _find_replaced_names(text, window)
        or have_other_subjects(text, window)
        or _are_swapped(text, window)
        or _leaves_out_a_claim(text, window)
        or _has_another_in_place(text, window)
    )


def find_moved_numbers(text: str, window: str) -> list[str]:
    """Return the numbers that a text has in the place of others, where it is else like its window: `base 8` for `base 0`."""
    mine, theirs = _place_numbers(text), _place_numbers(window)
    places = {word for word, _ in mine & theirs} | _JOINING
    moved = {number for word, number in mine - theirs if word not in places and any(word == other for other, _ in theirs)}
    return sorted(moved) if moved and _share_most_words(text, window) else []


def _find_replaced_names(text: str, window: str) -> list[str]:
    """Return the names of a window in whose place a text has other words, where both are else alike."""
    mine, theirs = _read_words(text), _read_words(window)
    named = {word for word in theirs if word.strip("_") in names(window)} - {*mine, *(f"{word}s" for word in mine)}
    if not named or not _share_most_words(text, window):
        return []
    steps = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    gone = {word for step, _, _, start, end in steps if step == "replace" for word in theirs[start:end]}
    return sorted(named & gone)


def _read_words(text: str) -> list[str]:
    """The words of a text in small letters, identifiers and paths in one piece."""
    return [word for word in _WORD.findall(text.casefold()) if word not in STOP_WORDS]


def _share_most_words(text: str, window: str) -> bool:
    words = set(terms(text))
    return len(find_held([*words], window)) >= _SAME_WORDS * len(words)


def _has_another_in_place(text: str, window: str) -> bool:
    """Say whether a Chinese sentence has another place or agent behind the same preposition, and all else is alike."""
    if not (is_chinese(text) and is_chinese(window)):
        return False
    mine, theirs = PIECE.findall(text), PIECE.findall(window)
    steps = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    if sum(b - a for step, a, b, _, _ in steps if step == "equal") < _ALL_ELSE * len(mine):
        return False
    behind = [step for step in steps if step[1] and mine[step[1] - 1] in _PREPOSITIONS]
    replaced = [(mine[a:b], theirs[c:d]) for step, a, b, c, d in behind if step == "replace"]
    return any(min(len(new), len(old)) > 1 and not {*new} & {*theirs} and not {*old} & {*mine} for new, old in replaced)


def _leaves_out_a_claim(text: str, window: str) -> bool:
    """Say whether one of the clauses that a text joins has nothing in common with its window: two claims, one of them cited."""
    claims = [terms(claim) for claim in _JOINT.split(text)]
    return len(claims) > 1 and any(len(claim) >= _CLAIM and not find_held(claim, window) for claim in claims)


def _are_swapped(text: str, window: str) -> bool:
    """Say whether two sentences have the same words, the small ones too, in other roles: `A replaced B`, `B replaced A`.

    A clause that is put first is no other role. A passive and whatever else is built anew has other small words.
    """
    mine, theirs = terms(text), terms(window)
    ours, others = (Counter(PIECE.findall(one.casefold())) for one in (text, window))
    if ((ours - others) + (others - ours)).total() > _SMALL_CHANGE or _is_in_order(mine, theirs):
        return False
    if any(_is_in_order(terms(f"{text[at:]} {text[:at]}"), theirs) for at in _find_clauses(text)):
        return False
    if len(_AGENT.findall(text)) != len(_AGENT.findall(window)):
        return False
    return not _is_one_move(mine, theirs) or _place_numbers(text) != _place_numbers(window)


def _is_one_move(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Say whether the words come into the other order when one stretch is moved: for `B replaced A` two must be."""
    order = [theirs.index(word) for word in dict.fromkeys(mine) if word in theirs]
    cuts = range(len(order) + 1)
    right = sorted(order)
    return any(
        order[:i] + order[j:k] + order[i:j] + order[k:] == right for i in cuts for j in cuts[i + 1 :] for k in cuts[j + 1 :]
    )


def _place_numbers(text: str) -> set[tuple[str, str]]:
    """Each number with the word before it: `from 5 to 10` is not `from 10 to 5`."""
    pairs = [(before, number) for before, number in pairwise(PIECE.findall(text.casefold())) if number[0].isdigit()]
    return {(before, number.rstrip(".,")) for before, number in pairs if not (before[0].isdigit() or is_month(before))}


def _find_clauses(text: str) -> Iterator[int]:
    for mark in CLAUSE.finditer(text):
        yield mark.start() if mark.group()[0].isalpha() else mark.end()


def _is_in_order(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    known = [word for word in mine if word in theirs]
    matching = SequenceMatcher(None, known, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in matching) >= _ORDERED * len(known)

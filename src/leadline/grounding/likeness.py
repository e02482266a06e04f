"""How far the carrying words of a point stand in a window of its page, and in which roles."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from leadline.grounding.claims import names
from leadline.grounding.language import CJK_CHARACTERS, count_cjk
from leadline.grounding.quantities import find_missing, is_month, read_quantities
from leadline.grounding.tokens import stem, terms
from leadline.grounding.words import STOP_WORDS, VAGUE

_STEM = 0.8
"""Share of the longer of two words that they must begin alike to be forms of one (`migrate`, `migration`)."""

_UNSEEN = 1.5
"""Weight of a word that the page does not hold, between that of its rarest (2) and its most common (1)."""

_ORDERED = 0.9
"""Share of the words that must stand in the point's order: `A replaced B` is not `B replaced A`."""

_SAME_WORDS = 0.8
"""Share of words in common from which on their order tells: a freer paraphrase is built anew."""

_ALL_ELSE = 0.75
"""Share of the characters of a Chinese sentence that stand in its source in their order, where only one thing was changed."""

_LEAD = 2
"""Content words at the head of a sentence that name its subject."""

_INTRODUCTION = re.compile(
    r"(?:In|On|At|By|With|Without|As|When|While|Whereas|If|Although|Though|Despite|Because|Since|Due|After|Before|During|For|From"
    r"|Under|Over|Throughout|Following|Given|According|Beyond|Once|Until|Unless|However|Moreover|Additionally|Furthermore|Yet|Thus"
    r"|Therefore|[A-Z]\w+(?:ed|ing|ly))\b[^,.]*,\s(?:(?:and\s)?\w+ing\b[^,.]*,\s)*"
)
_SMALL_SIGNS = frozenset("的了是在和与或及也都就被把由为以对于中上下其这那一个有地得着而")
_SENTENCE = re.compile(r"[.!?]\s+(?=\S)|[。！？](?=\S)")
_PRONOUN = re.compile(r"(?:it|its|they|this|these|that|there|he|she|we|you|which)\b|[它他她这那其]", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|could|may|might|must|should|will|would|does|do|did)\b|(?<=..)(?:[是会能应将有在由被把向从给使让]"
    r"|可以|使用|采用|提供|需要|包含|允许|支持|通过|必须|用于|属于|成为|进行)"
)
_VAGUE = frozenset(map(stem, VAGUE))
_ZH_TIME = re.compile(r"[前后後时時]$")
_ZH_SMALL = re.compile(
    "通常|一般|往往|常常|经常|永远|总是|目前|现在|默认|缺省|如果|假如|由于|因为|需要|须要|例如|比如|非常|相当"
)
"""Adverbs and conjunctions, which a paraphrase exchanges at will."""

_PREPOSITIONS = frozenset("在由被从向给比")
_PREDICATE, _ZH_PREDICATE = 12, 5
"""Characters of a verb and what follows it by which the same predicate is known again."""

_SMALL_CHANGE = 2
"""Words, or Chinese characters, that differ between two sentences of the same words."""

_JOINT = re.compile(r"[;；]|[,，]\s*(?:and|but|while|whereas|而|并|且|但|同时)|\s(?:and|but)\s|并且|而且|同时")
_CLAIM = 2
"""Content words, or pairs of Chinese characters, from which on a joined part may be a claim of its own."""

_AGENT = re.compile(r"\bby\b|[由被把]")
_WORD = re.compile(r"\w+(?:\.\w+)*")
_JOINING = frozenset({"and", "or", "和", "或", "与", "與", "、"})
_PIECE = re.compile(rf"[{CJK_CHARACTERS}]|[a-z]+|\d[\d.,]*")
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
    """Return the share of what a text says, by weight, that its window holds in one form or another: words and numbers."""
    wanted = [word for word in dict.fromkeys(terms(text)) if not word[0].isdigit()]
    held = _held(wanted, window)
    quantities, dates = read_quantities(text)
    found = len(quantities) + len(dates) - len(find_missing(text, window))
    total = sum(weights[word] for word in wanted) + len(quantities) + len(dates)
    return max(0.0, sum(weights[word] for word in wanted if word in held) + found) / total if total else 0.0


def cover_signs(text: str, window: str) -> float:
    """Return the share of a Chinese text's characters that its window holds; other words count as one each."""
    wanted = set(_PIECE.findall(text)) - _SMALL_SIGNS
    return len(wanted & set(_PIECE.findall(window))) / len(wanted) if wanted else 0.0


def is_chinese(text: str) -> bool:
    """Say whether a text is mostly written without spaces between words."""
    return count_cjk(text) > len(text) / 3


def leaves_out_a_claim(text: str, window: str) -> bool:
    """Say whether one of the clauses that a text joins has nothing in common with its window: two claims, one of them cited."""
    claims = [terms(claim) for claim in _JOINT.split(text)]
    return len(claims) > 1 and any(len(claim) >= _CLAIM and not _held(claim, window) for claim in claims)


def have_other_subjects(text: str, window: str) -> bool:
    """Say whether a text begins with words that its window has not, while the window's sentences begin with others."""
    if _has_another_before(text, window):
        return True
    if is_chinese(text) or count_cjk(text[:1]):
        return False  # where a subject ends is not known there without its verb
    mine, theirs = _lead(text), _find_leads(window)
    held = _held(mine, window)
    if len(held) == len(mine) or any(len(_held(lead, text)) == len(lead) for lead in theirs):
        return False
    return mine[0] not in held or not any(_held(lead[:1], text) for lead in theirs)


def _has_another_before(text: str, window: str) -> bool:
    """Say whether the same verb has a subject of other words, or for the most part of other characters."""
    chinese = is_chinese(text)
    for verb in _find_first_verbs(text):
        predicate = text[verb:][: _ZH_PREDICATE if chinese else _PREDICATE]
        if predicate in window:
            starts = [window[: found.start()] for found in re.finditer(re.escape(predicate), window)]
            mine, *others = (_read_subject(before, chinese) for before in (text[:verb], *starts))
            if all(_are_unlike(mine, theirs, chinese) for theirs in others):
                return True
    return False


def _find_first_verbs(text: str) -> list[int]:
    """Where the verbs of the first clause that has any begin: what looks like a verb may be a part of the subject."""
    verbs = [verb.start() for verb in _VERB.finditer(text)]
    end = next((mark.start() for mark in _CLAUSE.finditer(text) if verbs and mark.start() > verbs[0]), len(text))
    return [verb for verb in verbs if verb < end]


def _are_unlike(mine: set[str], theirs: set[str], chinese: bool) -> bool:
    """Say whether two subjects have nothing in common; Chinese ones less than half, or one of two characters (`风电`, `核电`)."""
    common, least = len(mine & theirs), min(len(mine), len(theirs))
    needed = least if least <= 2 else least / 2
    return least > 0 and common < (needed if chinese else 1)


def _read_subject(before: str, chinese: bool) -> set[str]:
    """The words before a verb; of Chinese the characters, where a synonym keeps half of them. A time is no subject."""
    clause = _CLAUSE.split(before)[-1]
    if not chinese:
        return set(terms(clause))
    return set() if _ZH_TIME.search(clause) else set(_PIECE.findall(_ZH_SMALL.sub("", clause))) - _SMALL_SIGNS


def find_replaced_names(text: str, window: str) -> list[str]:
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
    return len(_held([*words], window)) >= _SAME_WORDS * len(words)


def has_another_in_place(text: str, window: str) -> bool:
    """Say whether a Chinese sentence has another place or agent behind the same preposition, and all else is alike."""
    if not (is_chinese(text) and is_chinese(window)):
        return False
    mine, theirs = _PIECE.findall(text), _PIECE.findall(window)
    steps = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    if sum(b - a for step, a, b, _, _ in steps if step == "equal") < _ALL_ELSE * len(mine):
        return False
    replaced = [(mine[a:b], theirs[c:d]) for step, a, b, c, d in steps if step == "replace" and mine[a - 1] in _PREPOSITIONS]
    return any(min(len(new), len(old)) > 1 and not {*new} & {*theirs} and not {*old} & {*mine} for new, old in replaced)


def find_moved_numbers(text: str, window: str) -> list[str]:
    """Return the numbers that a text has in the place of others, where it is else like its window: `base 8` for `base 0`."""
    mine, theirs = _place_numbers(text), _place_numbers(window)
    places = {word for word, _ in mine & theirs} | _JOINING
    moved = {number for word, number in mine - theirs if word not in places and any(word == other for other, _ in theirs)}
    return sorted(moved) if moved and _share_most_words(text, window) else []


def are_swapped(text: str, window: str) -> bool:
    """Say whether two sentences have the same words, the small ones too, in other roles: `A replaced B`, `B replaced A`.

    A clause that is put first is no other role. A passive and whatever else is built anew has other small words.
    """
    mine, theirs = terms(text), terms(window)
    ours, others = (Counter(_PIECE.findall(one.casefold())) for one in (text, window))
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
    pairs = [(before, number) for before, number in pairwise(_PIECE.findall(text.casefold())) if number[0].isdigit()]
    return {(before, number.rstrip(".,")) for before, number in pairs if not (before[0].isdigit() or is_month(before))}


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
    least = max(4, math.ceil(_STEM * max(len(one), len(other))))
    return one.isascii() and one[0].isalpha() and one[:least] == other[:least] and min(len(one), len(other)) >= least


def _find_leads(text: str) -> list[list[str]]:
    """The words that each sentence begins with, with and without what introduces it (`In 2023, the bank …`)."""
    starts = [0, *(mark.end() for mark in _SENTENCE.finditer(text))]
    leads = [_lead(text[start:]) for start in starts]
    return [lead for lead in leads if lead]


def _lead(sentence: str) -> list[str]:
    introduced = _INTRODUCTION.match(sentence)
    plain = sentence[introduced.end() :] if introduced else sentence
    verb = _VERB.search(plain)
    if _PRONOUN.match(plain):
        return []
    lead = [word for word in terms(plain[: verb.start()] if verb else plain) if word not in _VAGUE]
    return lead[:_LEAD]

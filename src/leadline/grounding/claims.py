"""What two sentences must agree on beside their words to say the same: names and negation."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from leadline.grounding.language import CJK_CHARACTERS
from leadline.grounding.quantities import is_month, is_unit
from leadline.grounding.tokens import terms
from leadline.grounding.words import STOP_WORDS

_CUE = re.compile(
    r"\b(?:no|not|never|(?-i:none)|none of|unless|instead of|rather than|neither|nor|without|cannot|nothing|nobody|unable"
    r"|impossible|unsupported|hardly|lacks?|fails? to|failed to|\w+n['’]t)\b"
    r"|[无無未沒没勿]|(?<![了莫是])[不](?![同仅僅断斷少过過管论論只但错錯妨])|并非|並非|除非|ない|ません|않|없",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\bnot (?:only|just|merely)\b|\bno (?:longer than|doubt|matter)\b|\bwhether or not\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|just|merely)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:()，；：。！？、]|[.!?](?:\s|$)|\b(?:but|until|because|while|although)\b|但|而是", re.IGNORECASE)

_PIECE = re.compile(rf"[{CJK_CHARACTERS}]|\w+")
_DENIALS = frozenset(["no", "not", "never", "without", "不", "没", "沒", "无", "無", "未", "勿"])

_SCOPE = 3
"""Content words behind a negation that it is about. In Chinese, where they may come late, it is the rest of its clause."""


@lru_cache(maxsize=50_000)
def is_negated(text: str) -> bool:
    """Say whether a sentence holds a negation, in English, Chinese, Japanese or Korean. `not only` is none."""
    return bool(_CUE.search(_NOT_ONLY.sub("", text)))


@lru_cache(maxsize=50_000)
def find_negated(text: str) -> tuple[frozenset[str], ...]:
    """Return for each negation of a text the content words that it is about: the next three of its clause.

    A word that two of them are about is not denied: `not without`.
    """
    plain = _NOT_ONLY.sub("", text)
    scopes = []
    for cue in _CUE.finditer(plain):
        end = _CLAUSE_END.search(plain, cue.end())
        scopes.append(terms(plain[cue.end() : end.start() if end else len(plain)])[: _SCOPE if cue.group().isascii() else None])
    counts = Counter(word for scope in scopes for word in set(scope))
    return tuple(frozenset(word for word in scope if counts[word] % 2) for scope in scopes)


def differ_in_negation(text: str, window: str) -> bool:
    """Say whether a text denies what its window says, or the reverse.

    What counts are the words that both share: a clause that the text leaves out may be negated as it likes.
    """
    if _differ_in_only(text, window) or _differ_in_only(window, text) or _differ_in_denials_alone(text, window):
        return True
    mine, theirs = find_negated(text), find_negated(window)
    if not mine and not theirs:
        return False
    shared = set(terms(text)) & set(terms(window))
    if _is_denied_alone(mine, theirs, shared) or _is_denied_alone(theirs, mine, shared):
        return True
    return bool(mine) and not theirs


def _is_denied_alone(cues: tuple[frozenset[str], ...], others: tuple[frozenset[str], ...], shared: set[str]) -> bool:
    denied = frozenset(word for other in others for word in other)
    return any(cue & shared and not cue & denied for cue in cues)


def _differ_in_only(one: str, other: str) -> bool:
    """Say whether one sentence has `not only` where the other has `only`."""
    return bool(_NOT_ONLY.search(one) and not _NOT_ONLY.search(other) and _ONLY.search(other))


def _differ_in_denials_alone(one: str, other: str) -> bool:
    """Say whether two sentences are the same but for one denial: `no objects are given`, `no objects are not given`."""
    mine, theirs = (Counter(_PIECE.findall(text.casefold())) for text in (one, other))
    differing = (mine - theirs) + (theirs - mine)
    return differing.total() == 1 and differing.keys() <= _DENIALS


_NAME = re.compile(
    r"""[A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+                          # a path: of a module, a file, a host
    |\w+\(\)                                                  # a function
    |\w*[a-z\d]_\w+                                            # an identifier
    |\b(?!(?:NULL|TRUE|FALSE)\b)[A-Z][A-Z\d_]+\b                # a word in capitals
    |(?<=[a-z,]\ )(?!(?:True|False|None|NULL|TRUE|FALSE)\b)[A-Z][\w-]+  # a capital inside the sentence
    """,
    re.VERBOSE,
)


@lru_cache(maxsize=50_000)
def names(text: str) -> frozenset[str]:
    """Return what a sentence names: identifiers, words in capitals, and words with a capital inside the sentence."""
    return frozenset(name.casefold().strip("()_") for name in _NAME.findall(text))


_WORD = re.compile(r"[^\W_][\w-]*")


def find_other_names(text: str, window: str) -> list[str]:
    """Return what a text names and its window does not: a name that is not there, or one that is there with another neighbour.

    `Silicon Valley Fund` is not in `the Fund for Silicon Valley Bank`. A name may stand there in small letters, or as the first
    letters of words.
    """
    words = frozenset(word.casefold() for word in _WORD.findall(window)) | frozenset(
        re.findall(r"[a-z0-9]+", window.casefold())
    )
    letters = "".join(word[0] for word in re.findall(r"[a-z]+", window.casefold()))
    missing = [name for name in names(text) if not is_unit(name) and not _is_there(name, window, words, letters)]
    return sorted(missing) or _find_other_neighbours(text, window)


def _is_there(name: str, window: str, words: frozenset[str], letters: str) -> bool:
    parts = re.findall(r"[^\W_]+", name)
    if all(part in words or part.removesuffix("s") in words or f"{part}s" in words for part in parts):
        return len(parts) == 1 or bool(_whole(tuple(parts)).search(window))
    return (not name.isascii() and name in window.casefold()) or (name.isalpha() and 2 <= len(name) <= 6 and name in letters)


@lru_cache(maxsize=10_000)
def _whole(parts: tuple[str, ...]) -> re.Pattern[str]:
    """`pg_dump` may be written `pg-dump`, but is no part of `pg_dump_all`."""
    together = r"[\W_]*".join(parts)
    return re.compile(rf"(?<![^\W_])(?<![^\W_]_){together.removesuffix('s')}s?(?!_?[^\W_])", re.IGNORECASE)


def _find_other_neighbours(text: str, window: str) -> list[str]:
    mine, theirs = _pairs_of_names(text), _pairs_of_names(window)
    before, behind = {second for _, second in theirs}, {first for first, _ in theirs}
    return [f"{first} {second}" for first, second in sorted(mine - theirs) if first in behind or second in before]


@lru_cache(maxsize=50_000)
def _pairs_of_names(text: str) -> frozenset[tuple[str, str]]:
    """Neighbours that both begin with a capital or a digit, at least one of them with a capital."""
    words = [(match.group(), match.end(), match.start()) for match in _WORD.finditer(text)]
    pairs = [(one, two) for (one, end, _), (two, _, start) in pairwise(words) if text[end:start] == " "]
    return frozenset(
        (one.casefold(), two.casefold().removesuffix("s"))
        for one, two in pairs
        if one[0].isupper() and (two[0].isupper() or (two[0].isdigit() and not is_month(one.casefold())))
        if one.casefold() not in STOP_WORDS
    )

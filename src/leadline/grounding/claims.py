"""What two sentences must agree on beside their words to say the same: numbers, names and negation."""

import re
import unicodedata
from functools import lru_cache

_NUMBER = re.compile(r"(?<![\w.])[~$€£¥]?(\d+(?:[.,]\d+)*)(%?)")
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|neither|nor|without|cannot|nothing|nobody|unable|impossible|unsupported|\w+n['’]t)\b"
    r"|[无無未沒没勿]|(?<![了莫])[不](?![同仅僅断斷少过過管论論只但错錯妨])|并非|並非|ない|ません|않|없",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\bnot (?:only|just|merely)\b|\bno (?:longer than|doubt)\b", re.IGNORECASE)


@lru_cache(maxsize=50_000)
def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text as written with digits: `1,025` gives `1025`, `3.50` gives `3.5`, `12 %` gives `12%`."""
    folded = re.sub(r"(?<=\d)\s+%", "%", unicodedata.normalize("NFKC", text))
    return frozenset(_plain(digits) + percent for digits, percent in _NUMBER.findall(folded))


@lru_cache(maxsize=50_000)
def is_negated(text: str) -> bool:
    """Say whether a sentence holds a negation, in English, Chinese, Japanese or Korean. `not only` is none."""
    return bool(_NEGATION.search(_NOT_ONLY.sub("", text)))


_NAME = re.compile(
    r"""\w+\(\)                                                  # a function
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


def _plain(digits: str) -> str:
    plain = re.sub(r",(?=\d{3}(?!\d))", "", digits).rstrip(".,")
    return plain.rstrip("0").rstrip(".") if re.fullmatch(r"\d+\.\d+", plain) else plain

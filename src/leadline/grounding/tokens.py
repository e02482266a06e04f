"""Words of a text, as search, selection and checks compare them: one reading of English and of CJK for all of Leadline."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from Stemmer import Stemmer

from leadline.grounding.language import CJK_CHARACTERS
from leadline.grounding.words import STOP_WORDS

_CJK_RUN = f"[{CJK_CHARACTERS}]+"
_NUMBER = r"\d+(?:[.,]\d+)*%?"
_LETTER = rf"(?:(?![{CJK_CHARACTERS}])[^\W\d_])"
_ASCII_TOKEN = re.compile(rf"[a-z][a-z0-9]*|{_NUMBER}")
_TOKEN = re.compile(rf"(?P<cjk>{_CJK_RUN})|{_LETTER}(?:{_LETTER}|\d)*|{_NUMBER}")
_CJK = re.compile(_CJK_RUN)
_GAP = re.compile(f"(?<=[{CJK_CHARACTERS}])[ \t\u3000]+(?=[{CJK_CHARACTERS}])")


class _Stemmers(threading.local):
    """A stemmer for each thread: it keeps the word it works on in itself, and todos summarise in threads of their own."""

    def __init__(self) -> None:
        self.english = Stemmer("english")


_STEMMERS = _Stemmers()


def terms(text: str) -> list[str]:
    """Return the content words of a text, in order, repeated as often as they stand there.

    Args:
        text: any text.

    Returns:
        Case-folded words under NFKC; English stop words left out, Latin words stemmed (Snowball English), numbers in one
        piece (`1,025` gives `1025`, `12%` stays), CJK runs as overlapping pairs of characters, a lone CJK character as itself.
    """
    found = map(_normalise, _words(text))
    return [term for term in found if term]


def query_terms(text: str) -> list[str]:
    """Return the words of a query as they stand, each once, to be quoted and joined by OR against `index_text`.

    Stop words go unless nothing else is there; CJK runs become pairs of characters.
    """
    words = list(dict.fromkeys(_words(text)))
    return [word for word in words if word not in STOP_WORDS] or words


def index_text(text: str) -> str:
    """Return a text as an FTS5 table with `tokenize='porter unicode61'` shall hold it: CJK pairs separated by spaces."""
    if text.isascii():
        return text
    closed = close_gaps(unicodedata.normalize("NFKC", text))
    return _CJK.sub(lambda run: f" {' '.join(_pairs(run.group()))} ", closed)


def close_gaps(text: str) -> str:
    """Return a text without the spaces between CJK characters: typesetting adds them and line breaks take them away."""
    return text if text.isascii() else _GAP.sub("", text)


def _words(text: str) -> Iterator[str]:
    if text.isascii():
        yield from _ASCII_TOKEN.findall(text.lower())
        return
    for match in _TOKEN.finditer(close_gaps(unicodedata.normalize("NFKC", text).casefold())):
        if match.lastgroup:
            yield from _pairs(match.group())
        else:
            yield match.group()


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=200_000)
def _normalise(word: str) -> str:
    if word in STOP_WORDS:
        return ""
    if word[0].isdigit():
        return word.replace(",", "")
    return stem(word)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the stem of a Latin word in small letters (Snowball English); words of other scripts as they are."""
    return str(_STEMMERS.english.stemWord(word)) if word[0] < "\u0250" else word

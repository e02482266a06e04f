"""Text with the differences folded away that change no meaning, and the way back to where each character came from."""

import re
import unicodedata
from functools import lru_cache

from leadline.grounding.language import is_cjk

_SAME = str.maketrans(
    {
        **dict.fromkeys("“”„«»「」『』″", '"'),
        **dict.fromkeys("‘’‚`´′ʼ", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff*")
_RUN = re.compile(r"(?P<plain>[!-)+-_a-~\u4e00-\u9fff]+)|\s+|.", re.DOTALL)
"""White space, a run of characters that fold to themselves, or any other one. Of ASCII the asterisk and the grave do not."""

_PLAIN_WORD = re.compile(r"[A-Za-z0-9]+")
_HYPHENATED = re.compile(r"(?<=[a-z])-\n\s*(?=[a-z])")


def fold(text: str) -> str:
    """Return a text for comparison: width, quotes and dashes made alike, words that were cut at a line end joined again.

    White space becomes one space between two words of an alphabet and nothing elsewhere, so a line wrapped between two CJK
    characters makes no difference. Emphasis signs and invisible characters go; upper and lower case stay.
    """
    return _fold(text)[0]


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Return start and end in `text` of the first place that reads like `quote` once both are folded, or None."""
    at = text.find(quote)
    if quote and at >= 0:
        return at, at + len(quote)
    if _is_plain(text) and any(word not in text for word in _PLAIN_WORD.findall(quote)):
        return None
    wanted = fold(quote)
    folded, origins = _fold(text)
    at = folded.find(wanted) if wanted else -1
    return (origins[at], origins[at + len(wanted) - 1] + 1) if at >= 0 else None


@lru_cache(maxsize=256)
def _is_plain(text: str) -> bool:
    """Say whether each word of a text stands there letter by letter: nothing is cut, emphasised or of another width."""
    return text.isascii() and "*" not in text and not _HYPHENATED.search(text)


# A run's pages are each compared with many points: a folded page of 50,000 characters costs 6 ms and 0.5 MB.
@lru_cache(maxsize=256)
def _fold(text: str) -> tuple[str, tuple[int, ...]]:
    pieces: list[str] = []
    origins: list[int] = []
    gap, last = False, ""
    for match in _RUN.finditer(_HYPHENATED.sub(lambda cut: "\u00ad" * len(cut.group()), text)):
        run = match.group()
        if run.isspace():
            gap = True
            continue
        piece = run if match["plain"] else _fold_char(run)
        if gap and piece and last.isalnum() and piece[0].isalnum() and not (is_cjk(last) or is_cjk(piece[0])):
            pieces.append(" ")
            origins.append(match.start())
        if piece:
            pieces.append(piece)
            origins.extend(range(match.start(), match.end()) if match["plain"] else [match.start()] * len(piece))
            gap, last = False, piece[-1]
    return "".join(pieces), tuple(origins)


@lru_cache(maxsize=20_000)
def _fold_char(char: str) -> str:
    if char in _INVISIBLE:
        return ""
    return unicodedata.normalize("NFKC", char.translate(_SAME)).strip()

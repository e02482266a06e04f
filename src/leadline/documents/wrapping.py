"""How the lines of a text were wrapped, and how to undo it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from leadline.grounding.language import is_cjk

_NARROWEST, _WIDEST = 40, 110
_CROWD = 6
_LONGEST_WORD = 200  # characters looked back to see whether a word was cut
_SLACK = 2  # columns that a line may stay below the width although the next word would have fitted
_END = re.compile(r"[.!?。！？:：]['\")）”’]*$")
_MANUAL_SECTION = re.compile(r"\(\d[a-z]*\)")
_MORE_ADDRESS = re.compile(r"[/_\"”]|\.\w")
_MIXED = re.compile(r"[\u3040-\u9fff\uac00-\ud7af] ?[A-Za-z0-9]|[A-Za-z0-9] ?[\u3040-\u9fff\uac00-\ud7af]")
_WIDE_PUNCTUATION = "，。、；：？！“”‘’（）《》「」『』·…—〈〉【】"


def display_width(text: str) -> int:
    """Return the columns of a terminal that a text takes: East Asian wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def indent_of(line: str) -> int:
    """Return the number of leading spaces."""
    return len(line) - len(line.lstrip(" "))


@dataclass(frozen=True, slots=True)
class Wrapping:
    """The wrap width of a text in columns (0: its lines are not wrapped), and how it writes CJK next to Latin."""

    width: int
    spaces_cjk: bool = True

    @classmethod
    def measure(cls, lines: Sequence[str]) -> "Wrapping":
        """Return how a text is wrapped."""
        widths = Counter(
            display_width(line.rstrip())
            for line, following in pairwise(lines)
            if following.strip() and line.strip() and line.lstrip()[0] not in "|+"
        )
        mixed = _MIXED.findall("\n".join(lines[:2000]))
        spaces = sum(" " in pair for pair in mixed) * 2 >= len(mixed)
        return cls(_find_width(widths), spaces)

    def is_full(self, line: str, following: str) -> bool:
        """Whether the next line's first word would not have fitted: the break was made by wrapping."""
        first = following.split(maxsplit=1)[0] if following.strip() else ""
        taken = 4 if first and display_width(first[0]) > 1 else display_width(first) + 1
        return display_width(line) + taken > self.width - _SLACK

    def is_wrapped(self, lines: Sequence[str]) -> bool:
        """Whether every line but the last is full."""
        return self.width > 0 and len(lines) > 1 and all(self.is_full(a, b) for a, b in pairwise(lines))

    def is_preformatted(self, lines: Sequence[str]) -> bool:
        """Whether the line breaks carry meaning: most lines are not full and yet end no sentence, or some are over-long."""
        if not self.width or len(lines) < 2:
            return False
        loose = sum(not self.is_full(a, b) and not _END.search(a) for a, b in pairwise(lines))
        over = any(display_width(line) > self.width + 2 * _SLACK for line in lines)
        return loose * 2 > len(lines) - 1 or (over and loose > 0)

    def split_paragraphs(self, lines: Sequence[str]) -> Iterator[list[str]]:
        """Yield the lines of each paragraph: a line that isn't full and ends a sentence ends a paragraph too."""
        part: list[str] = []
        for line in lines:
            if part and self._ends_paragraph(part[-1], line):
                yield part
                part = []
            part.append(line)
        yield part

    def _ends_paragraph(self, line: str, following: str) -> bool:
        if not self.width and display_width(line) > _WIDEST:
            return True
        if self.width and self.is_full(line, following):
            return False
        return bool(_END.search(line)) and not following.lstrip()[0].islower()


def _find_width(widths: Counter[int]) -> int:
    """The width below which lines crowd and above which there are few: where a wrapped text's histogram falls off."""
    if not widths:
        return 0

    def crowd(width: int) -> int:
        below = sum(widths[w] for w in range(width - _CROWD, width + 1))
        return below - 2 * sum(widths[w] for w in range(width + 1, width + _CROWD))

    best = max(range(_NARROWEST, _WIDEST + 1), key=lambda width: (crowd(width), -width))
    return best if crowd(best) * 4 >= sum(widths.values()) else 0


def join_lines(lines: Sequence[str], wrapping: Wrapping) -> str:
    """Return wrapped lines as one: no space within a CJK run or an address cut at its slash, else one space."""
    parts: list[str] = []
    before = ""
    for line in map(str.strip, lines):
        space = " " if _needs_space(before, line, wrapping) else ""
        parts.append(space + line)
        before = (before + space + line)[-_LONGEST_WORD:]
    return "".join(parts)


def _needs_space(before: str, after: str, wrapping: Wrapping) -> bool:
    if not before or not after:
        return False
    last, first = before[-1], after[0]
    if last in _WIDE_PUNCTUATION:
        return last in "“”‘’—…" and first.isascii() and not is_cjk(before[-2:-1] or " ")
    if first in "，。、；：？！）》」』】〉" or (first in "”’" and is_cjk(last)):
        return False
    if is_cjk(last) and (is_cjk(first) or first in _WIDE_PUNCTUATION):
        return "\uac00" <= last <= "\ud7af"  # Korean has spaces between words
    if is_cjk(last) or is_cjk(first):
        return wrapping.spaces_cjk
    return not _is_cut(before, after)


def _is_cut(before: str, after: str) -> bool:
    """Whether a word without spaces (a path, an address, `name(8)`) was cut between the two lines."""
    last, first = before.split()[-1], after.split()[0]
    if _MANUAL_SECTION.match(first):
        return last[-1].isalnum()
    if last[-1] == "-":
        return last[-2:-1].isalpha() and first[0].islower() and first not in ("and", "or", "to")
    if last.endswith("/") and len(last) > 1:
        return "://" not in last or bool(_MORE_ADDRESS.search(first))
    if first[0] in "/_":
        return "/" in last or (last, first) == ("and", "/or")
    return (last.endswith(":") and first.startswith("//")) or (last[-1] in "=_" and last[-2:-1].isalnum())

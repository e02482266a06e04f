"""The lines of a PDF as they stand on its pages, without what stands there for the page's sake: running heads and numbers."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from leadline.documents.blocks import remove_unseen, squeeze
from leadline.documents.pdf_reply import Reply

_EDGE_LINES = 2  # first and last lines of a page that may be a running head or foot
_EDGE = 0.12  # share of the page's height at top and bottom where they stand
_FEWEST_REPEATS = 3
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(
    r"[-–—\s]*(?:(?:page|p\.|第)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:/|of|页|頁)\s*(?:共\s*)?\d{0,4}\s*[页頁]?)?[-–—\s]*",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"(?:[.·…]\s?){4,}\s*(?:\d+|[ivxlc]+)?$")
_PRIVATE = re.compile("[\ue000-\uf8ff\ufffe\uffff]")
# What Word takes from the fonts Symbol and Wingdings to mark items with.
_SYMBOL_BULLETS = str.maketrans(dict.fromkeys("\uf0b7\uf0a7\uf0d8\uf06e\uf076\uf0fc", "•"))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page (numbered from 1); edges, distance from the page's top and size of font in points.

    `level` is that of a heading, 1 to 6.
    """

    text: str
    page: int
    left: float
    right: float
    top: float
    size: float
    monospaced: bool
    bold: bool
    level: int = 0


@dataclass(frozen=True, slots=True)
class Print:
    """What a document's body is set in: size of font and distance of lines, in points."""

    size: float
    leading: float

    @classmethod
    def measure(cls, lines: Sequence[Line]) -> "Print":
        """Return the size of most characters, and the usual distance of lines of that size."""
        sizes: Counter[float] = Counter()
        for line in lines:
            sizes[line.size] += 0 if line.monospaced else len(line.text)
        size = max(sizes, key=lambda size: (sizes[size], size), default=10.0) or 10.0
        body = [line for line in lines if line.size == size]
        steps = [below.top - line.top for line, below in pairwise(body) if line.page == below.page]
        near = [step for step in steps if 0 < step < 3 * size]
        return cls(size, median(near) if near else 1.2 * size)


def read_lines(reply: Reply) -> list[Line]:
    """Return the lines of a document in reading order, without running heads, page numbers and tables of contents."""
    pages = [[_make_line(measured, number) for measured in page] for number, page in enumerate(reply["pages"], 1)]
    running = _find_running(pages, reply["heights"])
    kept = []
    for page, height in zip(pages, reply["heights"], strict=True):
        edges = list(_find_edges(page, height))
        numbers = [line for line in edges if _NUMBER.fullmatch(line.text)]
        dropped = {id(line) for line in (*numbers, *(line for line in edges if _mask(line) in running))}
        kept += [line for line in page if id(line) not in dropped and line.text and not _LEADERS.search(line.text)]
    return kept


def _make_line(measured: tuple[str, float, float, float, float, int], page: int) -> Line:
    text, left, right, top, size, style = measured
    if not text.isascii():
        text = _PRIVATE.sub("", text.translate(_SYMBOL_BULLETS))
    text = text.rstrip() if style & 1 else squeeze(text)
    return Line(remove_unseen(text), page, left, right, top, size, bool(style & 1), bool(style & 2))


def _find_edges(page: Sequence[Line], height: float) -> Iterator[Line]:
    """The lines at the very top and bottom of a page, whatever their place in the reading order."""
    ranked = sorted(page, key=lambda line: line.top)
    yield from (line for line in ranked[:_EDGE_LINES] if line.top < _EDGE * height)
    yield from (line for line in ranked[-_EDGE_LINES:] if line.top > (1 - _EDGE) * height)


def _find_running(pages: Iterable[Sequence[Line]], heights: Iterable[float]) -> set[tuple[str, int]]:
    """Texts that recur at the same height, whatever numbers they hold."""
    seen: Counter[tuple[str, int]] = Counter()
    for page, height in zip(pages, heights, strict=True):
        seen.update({_mask(line) for line in _find_edges(page, height)})
    return {mask for mask, count in seen.items() if count >= _FEWEST_REPEATS}


def _mask(line: Line) -> tuple[str, int]:
    return _DIGITS.sub("#", line.text).casefold(), round(line.top / 3)

"""Windows of a document's text: what the index finds. A few sentences under one heading."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 600
"""Characters after which a window ends at the next line or sentence."""

_LINE = re.compile(r"[^\n]+")
_SENTENCE_END = re.compile(r"[.!?][\"')”’]*\s+|[。！？…]+[」』”’）]*")


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text, in characters, and the nearest heading above it."""

    start: int
    end: int
    heading: str


def cut_windows(text: str) -> Iterator[Window]:
    """Yield windows that together cover the text but for its headings and fences.

    Args:
        text: light Markdown, as `records.Page` describes it.
    """
    heading, start, end = "", -1, -1
    for line_start, line_end in _cut_lines(text):
        is_heading = text.startswith("#", line_start) and " " in text[line_start : line_start + 7]
        if start >= 0 and (is_heading or line_end - start > LONGEST):
            yield Window(start, end, heading)
            start = -1
        if is_heading:
            heading = text[line_start:line_end].lstrip("# ")
        elif start < 0 and not text.startswith("```", line_start):
            start = line_start
        end = line_end
    if start >= 0:
        yield Window(start, end, heading)


def _cut_lines(text: str) -> Iterator[tuple[int, int]]:
    """Lines, those that are too long cut after a sentence."""
    for match in _LINE.finditer(text):
        start, end = match.span()
        while end - start > LONGEST:
            cut = _find_cut(text, start, end)
            yield start, cut
            start = cut
        if start < end:
            yield start, end


def _find_cut(text: str, start: int, end: int) -> int:
    limit = start + LONGEST
    cut = limit
    for match in _SENTENCE_END.finditer(text, start, min(end, limit)):
        cut = match.end()
    return min(cut, end)

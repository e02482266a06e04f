"""Lines of a PDF to blocks: headings, items, listings and paragraphs, told apart by where and in what size they stand."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from leadline.documents.blocks import Block, render_blocks
from leadline.documents.hyphens import Hyphens
from leadline.documents.pdf_headings import NUMBERED, REFERENCES, find_levels
from leadline.documents.pdf_lines import Line, Print
from leadline.documents.wrapping import Wrapping, join_lines
from leadline.grounding.language import is_cjk

_BULLET = re.compile(r"(?:[•·‣◦▪■●○∗*–—\-➢✓]|\(?\d{1,2}[.)](?!\d)|\([a-z]\)|\(?[ivx]{1,4}\))\s+(?=\S)|[•●■▪]\s*(?=\S)")
_ENDS = re.compile(r"[.!?。！？:：;；]['\")）”’\]]*$")
_AFTER_REFERENCES = re.compile(
    r"(?:appendi(?:x|ces)|supplement|acknowledge?ment|about the author|附\s*[录錄]|致\s*[谢謝]|作者[简簡]介)", re.IGNORECASE
)
_MARK = "\x00"
_PLACED = re.compile(f"{_MARK}(\\d+){_MARK}")
_CROWD = 0.05  # share of a column's lines that end at its right edge
_SPREAD = 3.0  # points between line ends that count as one edge
_SMALLER = 0.93  # times the body's size: a note at the foot of the page
_APART = 1.35  # times the usual distance of lines: a new paragraph
_NEARLY = 0.8  # of the right edge, in a column that is not justified
_SAMPLE = 2000  # lines that tell how the text was wrapped
_NOTE = re.compile(r"(\d{1,3}|[*†‡§])\s*(?=\S)")


def lay_out(lines: Sequence[Line], titles: Sequence[tuple[int, str]]) -> tuple[str, tuple[int, ...]]:
    """Return the text in light Markdown, and where in it each page starts, in characters.

    Args:
        lines: in reading order, without running heads.
        titles: level (from 0) and text of the document's outline.
    """
    setting = Print.measure(lines)
    ordered = _put_notes_first(find_levels(lines, setting, titles), setting)
    hyphens = Hyphens.learn(line.text for line in lines)
    wrapping = Wrapping.measure([line.text for line in lines[:_SAMPLE]])
    blocks: list[Block] = []
    page = 0
    for paragraph in _drop_references(list(_cut(ordered, setting))):
        blocks.append(_make_block(paragraph, page, hyphens, wrapping))
        page = paragraph[-1].page
    return _place(render_blocks(blocks))


def _put_notes_first(lines: Sequence[Line], setting: Print) -> list[Line]:
    """Move the notes at the foot of a page before its last paragraph, which may go on on the next page."""
    ordered: list[Line] = []
    for _, group in groupby(lines, key=lambda line: line.page):
        page = list(group)
        start = len(page)
        while start and page[start - 1].size <= _SMALLER * setting.size and not page[start - 1].monospaced:
            start -= 1
        if start and start < len(page) and _NOTE.match(page[start].text):
            last = start - 1
            while last and not _is_apart(page[last - 1], page[last], setting):
                last -= 1
            notes, body = page[start:], _drop_marks(page[:start], page[start:])
            page = [*body[:last], *notes, *body[last:]]
        ordered += page
    return ordered


def _drop_marks(body: Sequence[Line], notes: Sequence[Line]) -> list[Line]:
    """Take the marks of a page's notes out of its text: `files.1` where there is a note 1."""
    marks = [match.group(1) for note in notes if (match := _NOTE.match(note.text))]
    mark = re.compile(rf"(?<=[^\W\d]|[)”\"'])([.,;:。，；：]?)(?:{'|'.join(map(re.escape, marks))})(?=[\s.,;:。，；：)]|$)")
    return [line if line.monospaced else replace(line, text=mark.sub(r"\1", line.text)) for line in body]


def _is_apart(line: Line, following: Line, setting: Print) -> bool:
    return not 0 < following.top - line.top <= _APART * setting.leading


def _cut(lines: Sequence[Line], setting: Print) -> Iterator[list[Line]]:
    """Yield the lines of each paragraph, heading, item or listing."""
    rights = _find_rights(lines)
    current: list[Line] = []
    for line in lines:
        if current and _starts_anew(current, line, setting, rights):
            yield current
            current = []
        current.append(line)
    if current:
        yield current


def _starts_anew(current: Sequence[Line], line: Line, setting: Print, rights: dict[int, tuple[float, float, float]]) -> bool:
    last = current[-1]
    if line.monospaced or last.monospaced:
        return not (line.monospaced and last.monospaced)
    if line.level or last.level:
        is_same = line.level == last.level and line.page == last.page and not NUMBERED.match(line.text)
        return not is_same or line.top - last.top > 2.2 * last.size
    if _BULLET.match(line.text) or abs(line.size - last.size) > 1:
        return True
    middle, *edges = rights[last.page]
    edge = edges[last.left > middle]
    full = last.right + _measure_first_word(line) > edge - 0.5 * last.size
    if line.page != last.page or line.top < last.top:
        return not (full or _runs_on(last, line, edge)) or bool(
            _ENDS.search(last.text) and line.text[0].isupper() and last.right < edge - 2
        )
    if line.top - last.top > _APART * max(setting.leading, 1.1 * last.size) or not (full or _runs_on(last, line, edge)):
        return True
    is_hanging = _BULLET.match(current[0].text) or len(current) == 1
    indent = line.left - last.left
    return indent > 0.8 * line.size and (not is_hanging or bool(_ENDS.search(last.text)))


def _runs_on(last: Line, line: Line, edge: float) -> bool:
    """Whether a ragged line that is nearly full breaks off within a sentence."""
    return last.right > _NEARLY * edge and line.text[0].islower() and not _ENDS.search(last.text)


def _find_rights(lines: Sequence[Line]) -> dict[int, tuple[float, float, float]]:
    """For each page its middle, and the right edges of its left and its right column.

    An edge is where several lines of the page end, but not further out than where many of the document do: a line that sticks
    out would make all others look short.
    """
    columns: dict[int, tuple[float, tuple[list[float], list[float]]]] = {}
    for page, group in groupby(lines, key=lambda line: line.page):
        found = list(group)
        middle = max(line.right for line in found) / 2
        columns[page] = middle, ([], [])
        for line in found:
            if not line.monospaced:
                columns[page][1][line.left > middle].append(line.right)
    farthest = [_find_edge([right for _, sides in columns.values() for right in sides[side]]) for side in (0, 1)]
    return {
        page: (middle, min(_find_edge(left), farthest[0]), min(_find_edge(right), farthest[1]))
        for page, (middle, (left, right)) in columns.items()
    }


def _find_edge(rights: Sequence[float]) -> float:
    ranked = sorted(rights, reverse=True)
    fewest = max(2, math.ceil(_CROWD * len(ranked)))
    for right, other in zip(ranked, ranked[fewest - 1 :], strict=False):
        if other >= right - _SPREAD:
            return right
    return ranked[0] if ranked else 0.0


def _measure_first_word(line: Line) -> float:
    """Width of what would have had to fit on the line before, in points."""
    if is_cjk(line.text[0]):
        return line.size
    word = line.text.split(maxsplit=1)[0]
    return (line.right - line.left) * (len(word) + 1) / max(len(line.text), 1)


def _drop_references(paragraphs: Sequence[list[Line]]) -> list[list[Line]]:
    """Leave out lists of references: a title of another document is no statement of this one."""
    kept: list[list[Line]] = []
    inside = 0
    for paragraph in paragraphs:
        text = " ".join(line.text for line in paragraph)
        level = paragraph[0].level
        if REFERENCES.fullmatch(text) and not paragraph[0].monospaced:
            inside = level or 1
        elif inside and (_AFTER_REFERENCES.match(text) or (level and level <= inside and not _BULLET.match(text))):
            inside = 0
        if not inside:
            kept.append(paragraph)
    return kept


def _make_block(paragraph: Sequence[Line], page: int, hyphens: Hyphens, wrapping: Wrapping) -> Block:
    first = paragraph[0]
    if first.monospaced:
        return Block("code", "\n".join(_mark_pages(paragraph, page, [line.text for line in paragraph])))
    texts = [line.text for line in paragraph]
    level = first.level
    bullet = None if level else _BULLET.match(first.text)
    if bullet:
        texts[0] = texts[0][bullet.end() :]
    texts = hyphens.mend(texts)
    text = join_lines(_mark_pages(paragraph, page, texts), wrapping)
    if level:
        return Block("heading", text, level)
    return Block("item" if bullet else "paragraph", text)


def _mark_pages(paragraph: Sequence[Line], page: int, texts: Sequence[str]) -> list[str]:
    """Put a mark before each line that starts another page than the one before (`page` before the first)."""
    marked = []
    for line, text in zip(paragraph, texts, strict=True):
        marked.append(f"{_MARK}{line.page}{_MARK}{text}" if line.page != page else text)
        page = line.page
    return marked


def _place(marked: str) -> tuple[str, tuple[int, ...]]:
    """Take the marks out; a page without text starts where the next one does."""
    parts: list[str] = []
    starts: list[int] = []
    length = position = 0
    for mark in _PLACED.finditer(marked):
        parts.append(marked[position : mark.start()])
        length += len(parts[-1])
        position = mark.end()
        starts += [length] * (int(mark.group(1)) - len(starts))
    parts.append(marked[position:])
    if starts:
        starts[0] = 0
    return "".join(parts), tuple(starts)

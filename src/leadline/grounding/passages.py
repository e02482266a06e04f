"""The passages of a page: its sentences, list items, table rows and code blocks, each at a known place."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from leadline.grounding import sentences
from leadline.records import Page, Passage, PassageKind, Span

_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?=\S)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?=\S)")
_RULE = re.compile(r"[\s|:=_*+-]*$")


@dataclass(frozen=True, slots=True)
class _Block:
    kind: PassageKind
    start: int
    end: int


def split_page(page: Page, source: int, within: Sequence[Span] = ()) -> list[Passage]:
    """Return the passages of a page in reading order.

    Prose and list items give one passage a sentence; a table row, a heading and a code block (without its fences) are one each.
    Paragraphs may be wrapped over several lines.

    Args:
        page: its text has the light Markdown structure that `records.Page` describes.
        source: number of the source; passage 2 of source 3 is labelled `3.2`.
        within: only passages of blocks that overlap one of these spans, and all headings; without spans, the whole page.
    """
    found: list[Passage] = []
    heading, text = "", page.text
    wanted = _merge(within)
    ends = [end for _, end in wanted]
    for block in _read_blocks(text):
        if block.kind == "heading":
            heading = text[block.start : block.end]
        elif wanted and ((at := bisect_right(ends, block.start)) == len(ends) or wanted[at][0] >= block.end):
            continue
        for start, end in _spans(text, block):
            label = f"{source}.{len(found) + 1}"
            found.append(
                Passage(label=label, page=page.id, start=start, end=end, text=text[start:end], kind=block.kind, heading=heading)
            )
    return found


def _merge(spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Return start and end of what spans cover, in order; those that overlap or touch become one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _spans(text: str, block: _Block) -> list[tuple[int, int]]:
    if block.kind in ("prose", "item"):
        return [(block.start + start, block.start + end) for start, end in _split_sentences(text[block.start : block.end])]
    return [(block.start, block.end)]


# The todos of a run read the same pages: of 540 pages that five of them read, 230 were different ones.
_split_sentences = lru_cache(maxsize=20_000)(sentences.split)


@lru_cache(maxsize=256)
def _read_blocks(text: str) -> tuple[_Block, ...]:
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[_Block]:
    open_block: _Block | None = None
    fence, code_start = "", 0
    for match in _LINE.finditer(text):
        start, line = match.start(), match.group().rstrip()
        fenced = _FENCE.match(line)
        if fence:
            if fenced and fenced.group(1).startswith(fence):
                yield from _code(text, code_start, start)
                fence = ""
            continue
        block = _read_line(line, start)
        if open_block and block and block.kind == "prose" and not fenced:
            open_block = _Block(open_block.kind, open_block.start, block.end)
            continue
        if open_block:
            yield open_block
        open_block = None
        if fenced:
            fence, code_start = fenced.group(1), match.end()
        elif block and block.kind in ("prose", "item"):
            open_block = block
        elif block:
            yield block
    if open_block:
        yield open_block
    if fence:
        yield from _code(text, code_start, len(text))


def _read_line(line: str, start: int) -> _Block | None:
    if _RULE.match(line):
        return None
    end = start + len(line)
    if match := _HEADING.match(line):
        return _Block("heading", start + match.end(), end)
    if match := _ITEM.match(line):
        return _Block("item", start + match.end(), end)
    indent = len(line) - len(line.lstrip())
    return _Block("table" if " | " in line else "prose", start + indent, end)


def _code(text: str, start: int, end: int) -> Iterator[_Block]:
    body = text[start:end].rstrip()
    if body.strip():
        yield _Block("code", start, start + len(body))

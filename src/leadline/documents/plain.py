"""Plain text to blocks: wrapped paragraphs joined, items, headings, code and tables told apart by their layout."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from leadline.documents.ascii_tables import is_table, read_table
from leadline.documents.blocks import Block
from leadline.documents.wrapping import Wrapping, display_width, indent_of, join_lines

_BULLET = re.compile(r"\s*(?:[*+\-•·‣◦▪–]|\d{1,3}[.)、]|\(\d{1,3}\)|[a-z][.)])\s+(?=\S)")
_RULE = re.compile(r"\s*(?:[-=_*~#.·—─━]\s?){4,}\s*$|\f")
_UNDERLINE = re.compile(r"\s*([=\-~^\"'`#*+.])\1{2,}\s*$")
_NUMBERED = re.compile(
    r"(?:(?:Chapter|Section|Appendix|Part)\s+[\dA-Z]+(?:\.\d+)*\.?|第\s*[\d一二三四五六七八九十百]+\s*[章节節篇部]\.?|附录\s*[A-Z]\.?|(?:\d+|[A-Z](?=\.\d))(?:\.\d+)*\.?)"
    r"\s+(?=\S)"
)
_DEEP = re.compile(r"(?:\d+|[A-Z])(?:\.\d+)+\.?\s+\S")
_SECTION_DEPTH = re.compile(r"(?:\d+|[A-Z])((?:\.\d+)*)\.?\s")
_SENTENCE_END = re.compile(r"[.!?。！？…;；,，、:：]['\")）”’]*$")
_CONTENTS = re.compile(r"(?:table of )?contents|目\s*[录錄]|目次|차례", re.IGNORECASE)
_NUMBERED_LINE = re.compile(r"\s*(?:\d+(?:\.\d+)*\.?|[A-Z](?:\.\d+)*\.|[A-Z](?:\.\d+)+)\s+\S")
_PROMPT = re.compile(r"\s*(?:[$%#>] \S|>>> |\.\.\. |[\w.@~-][\w.@-]*+[:~][^ ]*+(?<=[$#]) |//|/\*|#!|<\w+[ >]|[{}\[\]]+[;,]?$)")
_CODE_END = re.compile(r"[;{}\\]$|^\s*(?:[\w.\-]+\s*=\s*\S+|[\w.]+\(.*\))$")
_DEFINED = re.compile(r"^[ \t]*\[(\d{1,3})\][ \t]+\S", re.MULTILINE)
_BRACKETED = re.compile(r"(?:(?<![ \t])[ \t]++)?\[(\d{1,3})\]")
_FOOTNOTE = re.compile(r"\s?\^\[\d{1,3}\]\s?")
_STRESS = re.compile(r"(?<![\w*/.])\*{1,2}(\w(?:[^*]{0,58}\w)?)\*{1,2}(?![\w*/])")
_LONGEST_HEADING = 120
_FEWEST_TITLES = 5


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Successive lines without a blank line between."""

    lines: tuple[str, ...]

    @property
    def indent(self) -> int:
        return min(indent_of(line) for line in self.lines)


def read_plain(text: str) -> list[Block]:
    """Return the blocks of a plain text.

    Args:
        text: decoded; lines may be wrapped, indented, separated by blank lines as text documents are.
    """
    lines = _drop_footnote_marks(text.expandtabs(8)).splitlines()
    wrapping = Wrapping.measure(lines)
    blocks: list[Block] = []
    for chunk in _drop_contents(_split_chunks(lines)):
        blocks.extend(_read_chunk(chunk, wrapping))
    return _merge_code(_drop_numbered_titles(blocks))


def _drop_footnote_marks(text: str) -> str:
    """Leave out `^[1]`, and `[1]` where a line defines it: it would be taken for a citation of the report."""
    defined = set(_DEFINED.findall(text))
    text = _FOOTNOTE.sub(" ", text)
    return _BRACKETED.sub(lambda mark: "" if mark.group(1) in defined else mark.group(), text) if defined else text


def _split_chunks(lines: Sequence[str]) -> list[_Chunk]:
    chunks: list[_Chunk] = []
    current: list[str] = []
    for line in (*lines, ""):
        if line.strip() and not (_RULE.match(line) and not current):
            current.append(line.rstrip())
        elif current:
            chunks.append(_Chunk(tuple(current)))
            current = []
    return chunks


def _drop_contents(chunks: Sequence[_Chunk]) -> Iterator[_Chunk]:
    """Leave out tables of contents: lines of titles with numbers or page numbers, at once after a line that says so."""
    after_title = False
    for chunk in chunks:
        numbered = sum(bool(_NUMBERED_LINE.match(line)) for line in chunk.lines)
        leaders = sum(map(_ends_in_page_number, chunk.lines))
        is_list = len(chunk.lines) >= 3 and (
            leaders * 2 > len(chunk.lines) or (after_title and numbered * 5 >= len(chunk.lines) * 4)
        )
        after_title = bool(_CONTENTS.fullmatch(" ".join(chunk.lines).strip())) or (after_title and is_list)
        if not is_list and not after_title:
            yield chunk


def _ends_in_page_number(line: str) -> bool:
    """Whether a line ends in a number after dots or a gap. By hand: a search for a pattern takes quadratic time in gaps."""
    title = line.rstrip("0123456789")
    if title != line and title[-3:].isspace() and len(title) >= 3:
        return True
    title = line.rstrip("0123456789xvi")
    return title != line and title[len(title.rstrip(". ")) :].count(".") >= 3


def _drop_numbered_titles(blocks: Sequence[Block]) -> Iterator[Block]:
    """Leave out a run of items that all are numbered titles: a table of contents as a list."""
    for is_item, run in groupby(blocks, key=lambda block: block.kind == "item"):
        found = list(run)
        titles = sum(bool(_NUMBERED_LINE.match(item.text)) and not _SENTENCE_END.search(item.text) for item in found)
        has_levels = any(_DEEP.match(item.text) for item in found)
        if not (is_item and has_levels and len(found) >= _FEWEST_TITLES and titles * 10 >= len(found) * 9):
            yield from found


def _read_chunk(chunk: _Chunk, wrapping: Wrapping) -> list[Block]:
    headings, taken = _read_underlined(chunk.lines)
    if not taken:
        return _read_body(chunk, wrapping)
    rest = chunk.lines[taken:]
    return [*headings, *(_read_body(_Chunk(rest), wrapping) if rest else ())]


def _read_underlined(lines: Sequence[str]) -> tuple[list[Block], int]:
    """Return the underlined headings that lines begin with, and how many lines they take."""
    headings: list[Block] = []
    at = 0
    while at + 1 < len(lines):
        if at + 2 < len(lines) and _UNDERLINE.match(lines[at]) and _UNDERLINE.match(lines[at + 2]):
            headings.append(Block("heading", lines[at + 1], 1))
            at += 3
        elif (mark := _UNDERLINE.match(lines[at + 1])) and _is_as_wide(lines[at + 1], lines[at]):
            title = lines[at]
            level = _find_level(title) if _DEEP.match(title) else 1 if mark.group(1) in "=#*" else 2
            headings.append(Block("heading", title, level))
            at += 2
        else:
            break
    return headings, at


def _is_as_wide(underline: str, title: str) -> bool:
    return display_width(underline.strip()) * 2 >= display_width(title)


def _read_body(chunk: _Chunk, wrapping: Wrapping) -> list[Block]:
    if is_table(chunk.lines):
        return read_table(chunk.lines, wrapping)
    if heading := _read_title(chunk):
        return [heading]
    if _BULLET.match(chunk.lines[0]):
        return _read_items(chunk, wrapping)
    if _is_code(chunk, wrapping):
        indent = chunk.indent
        return [Block("code", "\n".join(line[indent:] for line in chunk.lines))]
    return _read_paragraphs(chunk, wrapping)


def _read_title(chunk: _Chunk) -> Block | None:
    """Return a heading that nothing but its form shows."""
    lines = chunk.lines
    if len(lines) > 2 or chunk.indent:
        return None
    title = " ".join(line.strip() for line in lines)
    if len(title) > _LONGEST_HEADING:
        return None
    if _DEEP.match(title) and title[-1] != ".":
        return Block("heading", title, _find_level(title))
    if _SENTENCE_END.search(title):
        return None
    if _NUMBERED.match(title):
        return Block("heading", title, _find_level(title))
    if len(lines) == 1 and title.isupper() and any(len(word) > 2 for word in title.split()) and title.isprintable():
        return Block("heading", title, 2)
    return None


def _find_level(title: str) -> int:
    match = _SECTION_DEPTH.match(title)
    return 1 + match.group(1).count(".") if match else 1


def _read_items(chunk: _Chunk, wrapping: Wrapping) -> list[Block]:
    items: list[list[str]] = []
    for line in chunk.lines:
        if match := _BULLET.match(line):
            items.append([line[match.end() :]])
        else:
            items[-1].append(line)
    return [Block("item", _undress(join_lines(item, wrapping))) for item in items]


def _is_code(chunk: _Chunk, wrapping: Wrapping) -> bool:
    lines = chunk.lines
    if _PROMPT.match(lines[0]) or wrapping.is_preformatted(lines):
        return True
    marks = sum(bool(_PROMPT.match(line) or _CODE_END.search(line) or "  " in line.strip()) for line in lines)
    if marks * 2 >= len(lines) and not wrapping.is_wrapped(lines):
        return True
    return len(lines) == 1 and _looks_like_command(lines[0].strip())


def _looks_like_command(line: str) -> bool:
    """A lone line of words and signs that no sentence has: options, paths, assignments, URLs in a list of sources."""
    if _SENTENCE_END.search(line) or any(character > "\u2e80" for character in line):
        return False
    words = line.split()
    odd = sum(bool(re.search(r"^-{1,2}\w|[=|<>{}\\$]|^\w+://|^[~.]?/\w", word)) for word in words)
    return odd * 3 >= len(words)


def _read_paragraphs(chunk: _Chunk, wrapping: Wrapping) -> list[Block]:
    return [Block("paragraph", _undress(join_lines(part, wrapping))) for part in wrapping.split_paragraphs(chunk.lines)]


def _undress(text: str) -> str:
    """Return a text without the asterisks that some writers of text put around stressed words."""
    return _STRESS.sub(r"\1", text)


def _merge_code(blocks: Iterable[Block]) -> list[Block]:
    """Join code blocks that only a blank line parts."""
    merged: list[Block] = []
    for is_code, run in groupby(blocks, key=lambda block: block.kind == "code"):
        found = list(run)
        merged += [Block("code", "\n\n".join(block.text for block in found))] if is_code else found
    return merged

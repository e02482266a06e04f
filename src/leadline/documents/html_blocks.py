"""A stream of block tags to blocks: paragraphs, lists, definition lists, tables, preformatted text."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from leadline.documents.blocks import Block, make_row, squeeze

_BLOCK_TAGS = (
    "a|address|article|aside|blockquote|body|br|caption|center|dd|details|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|"
    "h[1-6]|header|hr|li|main|menu|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
_ATTRIBUTES = r"""(?:[^>"]|"[^"]*")*"""
_INLINE = re.compile(rf"</?(?!(?:{_BLOCK_TAGS})[\s>/])[a-zA-Z]{_ATTRIBUTES}>")
POWER = re.compile(r"<sup(?<=[\w)]<sup)(?=[\s>])[^<>]*>\s*([-−+]?[\dn]{1,4})\s*</sup>")
"""A raised number: 10<sup>6</sup> is not 106."""
_BLOCK = re.compile(rf"<(/?(?:{_BLOCK_TAGS}))(?=[\s>/])({_ATTRIBUTES})>")
_ANCHOR_SIGN = re.compile(r"\s*[¶§#🔗]\s*$")
_NAVIGATION_WORDS = re.compile(
    r"(?:\W|\b(?:prev|previous|next|up|home|top|contents|index|back|permalink|skip to (?:main )?content)\b|"
    r"(?:上一|下一|起始|首)[页頁]|上一[级級]|目[录錄]|返回)+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？]$")
_CJK_END = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]$")
LONGEST_TERM = 60
"""Characters up to which a defined term is put before its definition; a longer one (a signature) stands alone."""
_FEWEST_LINKS = 3
_LONGEST_LINK = 80
_LONGEST_CELL = 600


@dataclass(slots=True)
class _Table:
    outer: list[Block]
    rows: list[list[list[Block]]] = field(default_factory=list)


@dataclass(slots=True)
class _List:
    start: int
    links: int
    letters: int
    items: int = 0


class BlockReader:
    """Feed it well-formed HTML once, then close it."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._buffer: list[str] = []
        self._level = 0
        self._is_item = False
        self._term = ""
        self._in_term = False
        self._in_code = False
        self._in_link = False
        self._links = self._letters = self._links_before = 0
        self._tables: list[_Table] = []
        self._lists: list[_List] = []

    def feed(self, markup: str) -> None:
        """Read HTML whose tags are well-formed: attribute values in double quotes, `<` of the text escaped."""
        pieces = _BLOCK.split(_INLINE.sub("", POWER.sub(r"^\1", markup)))
        self._take_text(pieces[0])
        for i in range(1, len(pieces), 3):
            tag = pieces[i]
            if tag == "a" and not self._in_code:
                self._in_link = "href=" in pieces[i + 1]
            elif tag == "/a":
                self._in_link = False
            elif not self._in_code or tag in ("/pre", "br"):
                _HANDLERS.get(tag, BlockReader._flush)(self)
            if pieces[i + 2]:
                self._take_text(pieces[i + 2])

    def close(self) -> list[Block]:
        """Return the blocks."""
        self._flush()
        while self._tables:
            self._end_table()
        self._end_definitions()
        return self._blocks

    def _take_text(self, text: str) -> None:
        self._buffer.append(text)
        if not text.isspace():
            self._letters += len(text)
            if self._in_link:
                self._links += len(text)

    def _flush(self) -> None:
        if not self._buffer:
            return
        text = squeeze(html.unescape("".join(self._buffer)))
        self._buffer.clear()
        links, self._links_before = self._links - self._links_before, self._links
        if text and not (links and _NAVIGATION_WORDS.fullmatch(text)):
            self._add(text)

    def _add(self, text: str) -> None:
        if self._in_term:
            self._term = f"{self._term}, {text}" if self._term else text
        elif self._level:
            self._blocks.append(Block("heading", _ANCHOR_SIGN.sub("", text), self._level))
        elif self._is_item:
            self._blocks.append(Block("item", self._define(text)))
            self._is_item = False
        else:
            self._blocks.append(Block("paragraph", text))

    def _define(self, text: str) -> str:
        term, self._term = self._term, ""
        if not term:
            return text
        if len(term) > LONGEST_TERM:
            self._blocks.append(Block("item", term))
            return text
        if term[-1] in ".:!?。：！？":
            return f"{term} {text}"
        return f"{term}：{text}" if _CJK_END.search(term) else f"{term}: {text}"

    def _start_heading(self, level: int) -> None:
        self._flush()
        self._level = level

    def _end_heading(self) -> None:
        self._flush()
        self._level = 0

    def _break_line(self) -> None:
        self._buffer.append("\n" if self._in_code else " ")

    def _start_code(self) -> None:
        self._flush()
        self._end_term()
        self._in_code = True

    def _end_code(self) -> None:
        self._in_code = False
        text = html.unescape("".join(self._buffer))
        self._buffer.clear()
        self._blocks.append(Block("code", text))

    def _start_list(self) -> None:
        self._flush()
        self._lists.append(_List(len(self._blocks), self._links, self._letters))

    def _end_list(self) -> None:
        self._flush()
        self._end_definitions()
        self._is_item = False
        if self._lists and self._is_navigation(ended := self._lists.pop()):
            del self._blocks[ended.start :]

    def _is_navigation(self, ended: _List) -> bool:
        """Whether a list is nothing but short links: a table of contents."""
        links, letters = self._links - ended.links, self._letters - ended.letters
        if ended.items < _FEWEST_LINKS or links < 0.85 * letters or letters > _LONGEST_LINK * ended.items:
            return False
        return not any(_SENTENCE_END.search(block.text) for block in self._blocks[ended.start :])

    def _start_item(self) -> None:
        self._flush()
        self._is_item = True
        if self._lists:
            self._lists[-1].items += 1

    def _start_term(self) -> None:
        self._flush()
        if len(self._term) > LONGEST_TERM:
            self._end_term()
        self._in_term = True
        self._is_item = False
        if self._lists:
            self._lists[-1].items += 1

    def _close_term(self) -> None:
        self._flush()
        self._in_term = False

    def _start_definition(self) -> None:
        self._flush()
        self._in_term = False
        self._is_item = True

    def _end_definition(self) -> None:
        self._flush()
        self._end_term()
        self._is_item = False

    def _end_term(self) -> None:
        if self._term and not self._in_term:
            self._blocks.append(Block("item", self._term))
            self._term = ""
            self._is_item = False

    def _end_definitions(self) -> None:
        self._in_term = False
        self._end_term()

    def _start_table(self) -> None:
        self._flush()
        self._end_term()
        self._tables.append(_Table(self._blocks))

    def _start_row(self) -> None:
        self._flush()
        if self._tables:
            self._tables[-1].rows.append([])

    def _start_cell(self) -> None:
        self._flush()
        if not self._tables:
            return
        table = self._tables[-1]
        if not table.rows:
            table.rows.append([])
        self._blocks = []
        table.rows[-1].append(self._blocks)

    def _end_cell(self) -> None:
        self._flush()
        self._end_term()
        self._is_item = False
        if self._tables:
            self._blocks = self._tables[-1].outer

    def _end_table(self) -> None:
        self._flush()
        if not self._tables:
            return
        table = self._tables.pop()
        self._blocks = table.outer
        if _is_layout(table.rows):
            self._blocks.extend(block for row in table.rows for cell in row for block in cell)
        else:
            self._blocks.extend(_make_rows(table.rows))


def _is_layout(rows: list[list[list[Block]]]) -> bool:
    """Whether a table only places things: one cell with text in every row, or cells of the size of pages."""
    if all(sum(map(bool, row)) <= 1 for row in rows):
        return True
    return any(_is_page(cell) for row in rows for cell in row)


def _is_page(cell: list[Block]) -> bool:
    length = sum(len(block.text) for block in cell)
    return any(block.kind == "heading" for block in cell) or (length > _LONGEST_CELL and len(cell) > 2)


def _make_rows(rows: list[list[list[Block]]]) -> list[Block]:
    return [make_row(" ".join(block.text for block in cell) for cell in row) for row in rows if any(row)]


_HANDLERS: dict[str, Callable[[BlockReader], None]] = {
    **{f"h{level}": partial(BlockReader._start_heading, level=level) for level in range(1, 7)},
    **{f"/h{level}": BlockReader._end_heading for level in range(1, 7)},
    "br": BlockReader._break_line,
    "pre": BlockReader._start_code,
    "/pre": BlockReader._end_code,
    **dict.fromkeys(("ul", "ol", "dl", "dir", "menu"), BlockReader._start_list),
    **{f"/{tag}": BlockReader._end_list for tag in ("ul", "ol", "dl", "dir", "menu")},
    "li": BlockReader._start_item,
    "/li": BlockReader._end_definition,
    "dt": BlockReader._start_term,
    "/dt": BlockReader._close_term,
    "dd": BlockReader._start_definition,
    "/dd": BlockReader._end_definition,
    "table": BlockReader._start_table,
    "tr": BlockReader._start_row,
    "td": BlockReader._start_cell,
    "th": BlockReader._start_cell,
    "/td": BlockReader._end_cell,
    "/th": BlockReader._end_cell,
    "/table": BlockReader._end_table,
}

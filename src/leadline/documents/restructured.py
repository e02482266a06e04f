"""reStructuredText to a document, without docutils: what a reader sees of it, not every construct of the language."""

import re
import textwrap
from collections.abc import Sequence

from leadline.documents.ascii_tables import is_table, read_table
from leadline.documents.blocks import Block, make_row, render_blocks, squeeze
from leadline.documents.dates import normalise_date
from leadline.documents.document import Document
from leadline.documents.restructured_inline import Inline
from leadline.documents.wrapping import Wrapping, indent_of, join_lines

_ADORNMENT = re.compile(r"([=\-~^\"'`#*+.:_<>!$%&])\1{2,}\s*$")
_SIMPLE_BORDER = re.compile(r"={2,}(?:\s+={2,})+\s*$")
_BULLET = re.compile(r"(?:[-*+•]|(?:\d{1,3}|#|[a-zA-Z])[.)]|\((?:\d{1,3}|#|[a-zA-Z])\))\s+(?=\S)")
_FIELD = re.compile(r":([^:\s][^:\n]*):(?:\s+|$)(.*)")
_DIRECTIVE = re.compile(r"\.\. (?:\|[^|]+\| )?([\w:.-]+)::\s*(.*)")
_FOOTNOTE = re.compile(r"\.\. \[[^\]]+\]\s+(.*)")
_CODE = frozenset({"code", "code-block", "sourcecode", "parsed-literal", "doctest", "testcode", "productionlist", "highlight"})
_UNREAD = frozenset({
    "toctree", "contents", "image", "index", "raw", "include", "only", "literalinclude", "highlight", "module",
    "currentmodule", "moduleauthor", "sectionauthor", "meta", "role", "default-role", "testsetup", "testcleanup",
    "testoutput", "tabularcolumns", "sectnum", "replace", "unicode", "date", "class", "figure", "math",
})  # fmt: skip
_REMARKS = frozenset({
    "note", "warning", "tip", "hint", "caution", "important", "attention", "danger", "error", "seealso", "admonition",
    "versionadded", "versionchanged", "deprecated", "rubric", "topic", "sidebar", "epigraph", "pull-quote", "highlights",
    "container", "table", "csv-table", "list-table", "centered", "compound", "glossary",
})  # fmt: skip
_WITH_TEXT = frozenset({"rubric", "centered", "note", "warning", "tip", "hint", "caution", "important", "attention", "danger"})
_DEEPEST = 40
_CHANGES = {"versionadded": "New in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version"}


def read_restructured(text: str) -> Document:
    """Return a reStructuredText as a document; authors and date come from the fields at its top.

    Args:
        text: decoded.
    """
    blocks = read_restructured_blocks(text)
    facts = {name.lower(): squeeze(value) for name, value in _FIELD.findall("\n".join(text.splitlines()[:40]))}
    headings = (block.text for block in blocks if block.kind == "heading")
    return Document(
        render_blocks(blocks),
        title=squeeze(next(headings, "")),
        authors=tuple(filter(None, re.split(r"\s*[,;]\s*", facts.get("author") or facts.get("authors") or ""))),
        date=normalise_date(facts.get("date", "")),
    )


def read_restructured_blocks(text: str) -> list[Block]:
    """Return the blocks of a reStructuredText."""
    lines = [line.rstrip() for line in text.expandtabs(8).splitlines()]
    return _Reader(Inline.collect(lines), Wrapping.measure(lines)).read(lines)


class _Reader:
    """Reads a body of lines, and the bodies within it."""

    def __init__(self, inline: Inline, wrapping: Wrapping) -> None:
        self._inline = inline
        self._wrapping = wrapping
        self._styles: list[str] = []
        self._depth = 0

    def read(self, lines: Sequence[str]) -> list[Block]:
        """Return the blocks of a body; one that is nested deeper than any document's is taken as code."""
        if self._depth > _DEEPEST:
            return [Block("code", "\n".join(lines))]
        self._depth += 1
        blocks: list[Block] = []
        at = 0
        while at < len(lines):
            at = self._read_next(lines, at, blocks)
        self._depth -= 1
        return blocks

    def _read_next(self, lines: Sequence[str], at: int, blocks: list[Block]) -> int:
        """Read what starts at a line, add its blocks, and return the line after it."""
        line = lines[at]
        if not line:
            return at + 1
        if line.startswith(" "):
            body, end = _take_body(lines, at)
            blocks.extend(self.read(body))
            return end
        if title := self._read_title(lines, at):
            blocks.append(title[0])
            return title[1]
        if line == ".." or line.startswith((".. ", "__ ")):
            body, end = _take_body(lines, at + 1)
            blocks.extend(self._read_explicit(line, body))
            return end
        if _SIMPLE_BORDER.match(line) or line.startswith("+-"):
            return self._read_table(lines, at, blocks)
        if match := _BULLET.match(line):
            body, end = _take_body(lines, at + 1)
            blocks.extend(self._read_item("", [line[match.end() :], *body]))
            return end
        if match := _FIELD.match(line):
            body, end = _take_body(lines, at + 1)
            if blocks:  # fields at the top are facts about the document
                blocks.extend(self._read_item(self._inline.clean(match.group(1)), [match.group(2), *body]))
            return end
        return self._read_paragraph(lines, at, blocks)

    def _read_title(self, lines: Sequence[str], at: int) -> tuple[Block, int] | None:
        following = lines[at + 1 : at + 3]
        if _ADORNMENT.match(lines[at]):
            if len(following) == 2 and following[0] and following[1] == lines[at]:
                return self._make_title(following[0], lines[at][0] * 2), at + 3
            return (Block("paragraph", ""), at + 1) if not _SIMPLE_BORDER.match(lines[at]) else None
        if following and (mark := _ADORNMENT.match(following[0])) and len(following[0]) * 2 >= len(lines[at]):
            return self._make_title(lines[at], mark.group(1)), at + 2
        return None

    def _make_title(self, text: str, style: str) -> Block:
        """Levels go by the order in which the styles of underlining appear."""
        if style not in self._styles:
            self._styles.append(style)
        return Block("heading", self._inline.clean(text.strip()), self._styles.index(style) + 1)

    def _read_explicit(self, line: str, body: Sequence[str]) -> list[Block]:
        if match := _FOOTNOTE.match(line):
            return self.read([match.group(1), *body])
        match = _DIRECTIVE.match(line)
        if not match:
            return []  # a comment or a target
        name, argument = match.group(1).lower(), match.group(2)
        content = _drop_options(body)
        if name in _CODE:
            return [Block("code", "\n".join(content))]
        if name in _UNREAD:
            return []
        if name in _CHANGES:
            version, _, rest = argument.partition(" ")
            said = " ".join([rest, *content]).strip()
            return self.read([f"{_CHANGES[name]} {version}: {rest}".rstrip(), *content]) if said else []
        if name in _REMARKS or name.endswith("table"):
            return self.read([argument, *content] if name in _WITH_TEXT else content)
        return self._read_item(self._inline.clean(argument), content)

    def _read_table(self, lines: Sequence[str], at: int, blocks: list[Block]) -> int:
        if _SIMPLE_BORDER.match(lines[at]):
            last = max(i for i in range(at, _find_table_end(lines, at)) if _SIMPLE_BORDER.match(lines[i]))
            blocks.extend(make_row(map(self._inline.clean, row)) for row in _cut_simple(lines[at : last + 1]))
            return last + 1
        end = at
        while end < len(lines) and lines[end]:
            end += 1
        table = lines[at:end]
        if is_table(table):
            blocks.extend(Block("row", self._inline.clean(row.text)) for row in read_table(table, self._wrapping))
        else:
            blocks.append(Block("code", "\n".join(table)))
        return end

    def _read_item(self, term: str, lines: Sequence[str]) -> list[Block]:
        """The first paragraph, after its term, is the item; what follows stands as it is."""
        first, rest = lines[0] if lines else "", textwrap.dedent("\n".join(lines[1:])).splitlines()
        blocks = self.read([first, *rest] if first else rest)
        head = blocks[0].text if blocks and blocks[0].kind == "paragraph" else ""
        text = f"{term}: {head}" if term and head else term or head
        return ([Block("item", text)] if text else []) + (blocks[1:] if head else blocks)

    def _read_paragraph(self, lines: Sequence[str], at: int, blocks: list[Block]) -> int:
        end = at + 1
        while end < len(lines) and lines[end] and not lines[end].startswith(" "):
            end += 1
        if lines[at].startswith(">>> "):
            blocks.append(Block("code", "\n".join(lines[at:end])))
            return end
        if end == at + 1 and end < len(lines) and lines[end].startswith(" "):
            body, end = _take_body(lines, end)
            blocks.extend(self._read_item(self._inline.clean(lines[at]), body))
            return end
        text = join_lines([line.removeprefix("| ") for line in lines[at:end]], self._wrapping)
        if not text.endswith("::"):
            blocks.append(Block("paragraph", self._inline.clean(text)))
            return end
        blocks.append(Block("paragraph", self._inline.clean(text[:-2].rstrip() + (":" if text[:-2].strip() else ""))))
        body, end = _take_body(lines, end)
        blocks.append(Block("code", "\n".join(body)))
        return end


def _take_body(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """Return the indented lines from a place on, without their indent, and the line after them."""
    end = at
    while end < len(lines) and (not lines[end] or lines[end].startswith(" ")):
        end += 1
    body = list(lines[at:end])
    while body and not body[-1]:
        body.pop()
    return textwrap.dedent("\n".join(body)).splitlines(), end


def _drop_options(body: Sequence[str]) -> list[str]:
    start = 0
    while start < len(body) and (_FIELD.match(body[start]) or (start and indent_of(body[start]) and body[start])):
        start += 1
    return list(body[start:])


def _find_table_end(lines: Sequence[str], at: int) -> int:
    """Where a simple table surely ends: its rows may have one blank line between, but no indented text follows a border."""
    end = at + 1
    while end < len(lines) and not (not lines[end] and _SIMPLE_BORDER.match(lines[end - 1]) and end > at + 2):
        end += 1
    return end


def _cut_simple(lines: Sequence[str]) -> list[list[str]]:
    """Rows of a table whose columns are where its borders are; a row without text in the first column goes on."""
    starts = [match.start() for match in re.finditer(r"=+", lines[0])]
    rows: list[list[str]] = []
    for line in lines:
        if not line or _SIMPLE_BORDER.match(line) or re.fullmatch(r"[-\s]+", line):
            continue
        cells = [line[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)]
        if cells[0] or not rows:
            rows.append(cells)
        else:
            rows[-1] = [f"{old} {new}".strip() for old, new in zip(rows[-1], cells, strict=True)]
    return rows

"""A Word document (Office Open XML, ECMA-376 part 1) as a document."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leadline.documents.archive import Archive
from leadline.documents.blocks import Block, make_row, remove_unseen, render_blocks, squeeze
from leadline.documents.dates import normalise_date
from leadline.documents.document import Document

if TYPE_CHECKING:
    from lxml.etree import _Element

MAIN = "word/document.xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
# ISO 29500 strict documents use another address for the same names.
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_HEADING = re.compile(r"(?:heading|标题|überschrift|titre)\s*([1-9])$", re.IGNORECASE)
_TITLE = re.compile(r"title$|标题$", re.IGNORECASE)
_CODE = re.compile(r"code|preformatted|source", re.IGNORECASE)
# Deleted text, field codes, numbers of foot- and endnotes and what is only drawn: none of it is read in the line.
_UNREAD = frozenset(
    """
    del moveFrom instrText delText footnoteReference endnoteReference pPr rPr Fallback pict sectPr tblPr tcPr trPr
    """.split()  # noqa: SIM905 - one name a line would be a page
)


def read_docx(archive: Archive) -> Document:
    """Return headings, paragraphs, lists and tables of the main part; foot- and endnotes, headers and footers are left out.

    Raises:
        DocumentError: `unreadable` or `too large`.
    """
    root = archive.read_xml(MAIN)
    styles = _read_styles(archive)
    blocks = list(_read_blocks(root, styles)) if root is not None else []
    facts = _read_facts(archive)
    title = facts.get("title") or next((squeeze(block.text) for block in blocks[:5] if block.kind == "heading"), "")
    return Document(
        remove_unseen(render_blocks(blocks)),
        title=title,
        authors=tuple(filter(None, (squeeze(name) for name in re.split(r"[;；,，、]", facts.get("creator", ""))))),
        date=normalise_date(facts.get("created", "") or facts.get("modified", "")),
        language=facts.get("language", ""),
    )


def _read_facts(archive: Archive) -> dict[str, str]:
    root = archive.read_xml("docProps/core.xml")
    if root is None:
        return {}
    return {_name(element): remove_unseen(squeeze(element.text or "")) for element in root.iterchildren("*")}


def _read_styles(archive: Archive) -> dict[str, str]:
    """Return id → name of each style: the ids are of any language, the names of built-in styles always English."""
    root = archive.read_xml("word/styles.xml")
    if root is None:
        return {}
    styles = (style for style in root.iterchildren("*") if _name(style) == "style")
    return {_get(style, "styleId"): next((_get(e, "val") for e in style if _name(e) == "name"), "") for style in styles}


def _read_blocks(container: "_Element", styles: dict[str, str]) -> Iterator[Block]:
    for element in container.iterchildren("*"):
        name = _name(element)
        if name == "p":
            yield _read_paragraph(element, styles)
        elif name == "tbl":
            yield from _read_table(element, styles)
        elif name not in _UNREAD:
            yield from _read_blocks(element, styles)


def _read_paragraph(paragraph: "_Element", styles: dict[str, str]) -> Block:
    text = "".join(_read_text(paragraph))
    properties = {_name(e): e for part in paragraph.iterchildren("*") if _name(part) == "pPr" for e in part.iterchildren("*")}
    style = _get(properties["pStyle"], "val") if "pStyle" in properties else ""
    named = styles.get(style, style)
    if match := _HEADING.search(named):
        return Block("heading", text, int(match.group(1)))
    if "outlineLvl" in properties and _get(properties["outlineLvl"], "val").isdigit():
        level = int(_get(properties["outlineLvl"], "val")) + 1
        if level <= 6:
            return Block("heading", text, level)
    if _TITLE.match(named):
        return Block("heading", text, 1)
    if _CODE.search(named):
        return Block("code", text)
    if "numPr" in properties or named.lower().startswith("list"):
        return Block("item", text)
    return Block("paragraph", text)


def _read_table(table: "_Element", styles: dict[str, str]) -> Iterator[Block]:
    """Rows; a table of one column only places things."""
    rows = [[cell for cell in row.iterchildren("*") if _name(cell) == "tc"] for row in table.iterchildren("{*}tr")]
    if all(len(row) <= 1 for row in rows):
        for row in rows:
            for cell in row:
                yield from _read_blocks(cell, styles)
        return
    for row in rows:
        yield make_row(" ".join(block.text for block in _read_blocks(cell, styles)) for cell in row)


def _read_text(element: "_Element") -> Iterator[str]:
    for child in element.iterchildren("*"):
        name = _name(child)
        if name == "t":
            yield child.text or ""
        elif name in ("tab", "br", "cr"):
            yield "\n" if name != "tab" else "\t"
        elif name == "noBreakHyphen":
            yield "-"
        elif name not in _UNREAD and not _is_hidden(child):
            yield from _read_text(child)


def _is_hidden(run: "_Element") -> bool:
    """Whether a run is formatted as hidden text."""
    properties = next((part for part in run.iterchildren("*") if _name(part) == "rPr"), None)
    if properties is None:
        return False
    return any(_name(e) == "vanish" and _get(e, "val") not in ("0", "false") for e in properties.iterchildren("*"))


def _name(element: "_Element") -> str:
    return str(element.tag).rpartition("}")[2]


def _get(element: "_Element", name: str) -> str:
    return str(element.get(_W + name) or element.get(_STRICT + name) or "")

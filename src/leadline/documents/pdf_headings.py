"""Which lines of a PDF are headings: those of its outline, those in larger type, numbered ones in bold."""

import re
from collections.abc import Sequence
from dataclasses import replace

from leadline.documents.pdf_lines import Line, Print

NUMBERED = re.compile(
    r"(?:(?:chapter|appendix|section|part)\s+)?(?:\d{1,2}(?:\.\d{1,2})*|[A-Z](?:\.\d{1,2})+)\.?\s+(?=\S)", re.IGNORECASE
)
"""The number of a chapter or section at the start of its heading."""
REFERENCES = re.compile(
    r"(?:\d{1,2}(?:\.\d)*\.?\s+|[A-Z]\.\s+|[IVX]+\.\s+)?(?:references(?: cited)?|bibliography|literature cited|works cited|"
    r"reference list|references and notes|参\s*考\s*文\s*[献獻]|引用文献|参考資料)\s*[:：]?",
    re.IGNORECASE,
)
"""The heading of a list of references."""
_ENDS = re.compile(r"[.!?。！？:：;；,，]$")
_LARGER = 1.12  # times the size of the body
_LONGEST = 150


def find_levels(lines: Sequence[Line], setting: Print, titles: Sequence[tuple[int, str]]) -> list[Line]:
    """Return the lines with the level of each that is a heading, or a line of one.

    Args:
        lines: of a whole document.
        setting: what its body is set in.
        titles: level (from 0) and text of the document's outline.
    """
    outline = {_simplify(title): level + 1 for level, title in reversed(titles)}
    sizes = sorted({line.size for line in lines if _is_larger(line, setting)}, reverse=True)
    ranks = {size: rank for rank, size in enumerate(sizes, 1)}
    levels = [_find_level(line, setting, outline, ranks) for line in lines]
    return [replace(line, level=min(level, 6)) if level else line for line, level in zip(lines, levels, strict=True)]


def _find_level(line: Line, setting: Print, outline: dict[str, int], ranks: dict[float, int]) -> int:
    if len(line.text) > _LONGEST or line.monospaced or not any(map(str.isalpha, line.text)):
        return 0
    if line.bold or line.size > setting.size:
        if level := outline.get(_simplify(line.text), 0):
            return level
        if line.size in ranks:
            return ranks[line.size]
    if REFERENCES.fullmatch(line.text):
        return 1
    number = NUMBERED.match(line.text) if line.bold and not _ENDS.search(line.text) else None
    return 1 + number.group().strip(" .").count(".") if number else 0


def _is_larger(line: Line, setting: Print) -> bool:
    return line.size >= _LARGER * setting.size and not line.monospaced


def _simplify(title: str) -> str:
    return "".join(NUMBERED.sub("", title, count=1).split()).casefold()

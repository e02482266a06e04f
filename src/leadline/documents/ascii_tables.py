"""Tables drawn with `+`, `-` and `|` to rows."""

import re
from collections.abc import Sequence

from leadline.documents.blocks import Block, make_row
from leadline.documents.wrapping import Wrapping, display_width, join_lines

_BORDER = re.compile(r"\s*[+|][-=+|]*[-=]{2,}[-=+|]*[+|]\s*$")

_MOST_COLUMNS = 64


def is_table(lines: Sequence[str]) -> bool:
    """Whether lines draw a table: a border, and bars at both ends of the lines between."""
    if len(lines) < 3 or not _BORDER.match(lines[0]) or sum(map(lines[0].count, "+|")) > _MOST_COLUMNS:
        return False
    body = [line.strip() for line in lines if not _BORDER.match(line)]
    return bool(body) and sum(line.startswith("|") and line.endswith("|") for line in body) * 10 >= 9 * len(body)


def read_table(lines: Sequence[str], wrapping: Wrapping) -> list[Block]:
    """Return the rows; a cell that was wrapped over several lines is on one again.

    Bars within cells are kept: columns are told by the borders' crossings, counted in terminal columns.
    """
    edges = _find_edges(lines)
    rows: list[Block] = []
    pending: list[list[str]] = []
    for line in (*lines, lines[0]):
        if not _BORDER.match(line):
            pending.append(_cut(line, edges))
        elif pending:
            rows.append(make_row(_join_cells(pending, wrapping)))
            pending = []
    return rows


def _find_edges(lines: Sequence[str]) -> list[int]:
    """Columns of the crossings, from the border that has most of them."""
    borders = [line for line in lines if _BORDER.match(line)]
    best = max(borders, key=lambda line: sum(map(line.rstrip().count, "+|")))
    return [i for i, character in enumerate(best) if character in "+|"]


def _cut(line: str, edges: Sequence[int]) -> list[str]:
    cells = [""] * (len(edges) - 1)
    column = 0
    for character in line:
        place = next((i for i in range(len(cells)) if edges[i] < column < edges[i + 1]), None)
        if place is not None:
            cells[place] += character
        column += display_width(character)
    return [cell.strip() for cell in cells]


def _join_cells(lines: Sequence[Sequence[str]], wrapping: Wrapping) -> list[str]:
    return [join_lines([part for part in column if part], wrapping) for column in zip(*lines, strict=True)]

"""The light Markdown that every format is turned into: headings, items, code, table rows, paragraphs.

Every reader in this folder emits blocks, and only this module knows how they look as text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["heading", "paragraph", "item", "code", "row"]

_UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_LABEL = re.compile(
    r"(?:note|notes|tip|hint|warning|caution|important|attention|danger|注意|注|提示|小提示|警告|小心|重要)[:：]?",
    re.IGNORECASE,
)
_TIGHT: frozenset[BlockKind] = frozenset({"item", "row"})


@dataclass(frozen=True, slots=True)
class Block:
    """One block. `level` is that of a heading, 1 to 6; code keeps its lines, all else is on one line."""

    kind: BlockKind
    text: str
    level: int = 0


def squeeze(text: str) -> str:
    """Return the text on one line: every run of white space is one space, none at the ends."""
    return " ".join(text.split())


def remove_unseen(text: str) -> str:
    """Return the text without characters that are not seen: zero-width, bidirectional and other controls, tags.

    What a reader can't see must not reach a passage: it would be quoted as if it stood there.
    """
    if not text.isascii():
        text = _UNSEEN.sub("", text).replace("\xa0", " ")
    return _CONTROL.sub("", text)


def clean_line(text: str) -> str:
    """Return the text on one line, without characters that are not seen."""
    return squeeze(remove_unseen(text))


def make_row(cells: Iterable[str]) -> Block:
    """Return a table row; a bar within a cell becomes a broken bar, as it would read as two cells."""
    return Block("row", " | ".join(squeeze(cell).replace(" | ", " ¦ ") for cell in cells))


def render_blocks(blocks: Iterable[Block]) -> str:
    """Return the blocks as one text: items and rows of one list or table on successive lines, a blank line between the rest."""
    parts: list[str] = []
    previous: BlockKind | None = None
    for block in blocks:
        text = _render(block)
        if not text:
            continue
        if parts:
            parts.append("\n" if block.kind == previous and block.kind in _TIGHT else "\n\n")
        parts.append(text)
        previous = block.kind
    return "".join(parts)


def _render(block: Block) -> str:
    if block.kind == "code":
        body = block.text.strip("\n").rstrip()
        fence = "````" if "```" in body else "```"
        return f"{fence}\n{body}\n{fence}" if body.strip() else ""
    text = squeeze(block.text)
    if block.kind == "row":
        return text if text.strip("| ") else ""
    if not text or _LABEL.fullmatch(text):  # the label of a boxed remark is neither a heading nor a sentence
        return ""
    if block.kind == "heading":
        return f"{'#' * min(max(block.level, 1), 6)} {text}"
    if block.kind == "item":
        return f"- {text}"
    return text

"""A plain text file as a document."""

import re

from leadline.documents.blocks import Block, render_blocks, squeeze
from leadline.documents.dates import normalise_date
from leadline.documents.document import Document
from leadline.documents.plain import read_plain

_FACT = re.compile(r"(?P<name>title|author|authors|date)\s*[:：]\s*(?P<value>\S.*)$", re.IGNORECASE)
_HEAD_LINES = 30
_LONGEST_TITLE = 120


def read_text(text: str) -> Document:
    """Return a plain text as a document; its title is its first heading or, if that is all there is, its short first line.

    Args:
        text: decoded.
    """
    blocks = read_plain(text)
    facts = _find_facts(text)
    return Document(
        render_blocks(blocks),
        title=facts.get("title") or _find_title(blocks),
        authors=tuple(filter(None, re.split(r"\s*[;；,，、]\s*", facts.get("author") or facts.get("authors") or ""))),
        date=normalise_date(facts.get("date", "")),
    )


def _find_facts(text: str) -> dict[str, str]:
    lines = text.lstrip().splitlines()[:_HEAD_LINES]
    matches = (_FACT.match(line) for line in lines)
    return {match["name"].lower(): squeeze(match["value"]) for match in matches if match}


def _find_title(blocks: list[Block]) -> str:
    """The first line if it stands alone and is short, or the first heading near the top."""
    for block in blocks[:5]:
        text = squeeze(block.text)
        if block.kind == "heading" or (block is blocks[0] and block.kind == "paragraph" and len(text) <= _LONGEST_TITLE):
            return text.rstrip(".:")
    return ""

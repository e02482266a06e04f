"""reStructuredText to a document."""

from leadline.documents.blocks import Block, render_blocks
from leadline.documents.document import Document
from leadline.documents.languages import choose_language
from leadline.documents.plain import read_plain


def read_restructured(text: str) -> Document:
    """Return a reStructuredText as a document."""
    blocks = read_restructured_blocks(text)
    content = render_blocks(blocks)
    return Document(content, language=choose_language("", content))


def read_restructured_blocks(text: str) -> list[Block]:
    """Return the blocks of a reStructuredText."""
    return read_plain(text)

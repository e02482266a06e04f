"""Pure: bytes in, text with light Markdown structure, title and metadata out."""

from leadline.documents.document import Document
from leadline.documents.opening import read_document

__all__ = ["Document", "read_document"]

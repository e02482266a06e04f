"""Pure: bytes in, text with light Markdown structure, title and metadata out. A PDF alone is opened in a process of its own.

What only the web needs is in `web_page` (`read_web_page`, `decode_page`) and `obstacles` (`find_obstacle`), which a library of
files does not load.
"""

from leadline.documents.document import Document
from leadline.documents.opening import read_document

__all__ = ["Document", "read_document"]

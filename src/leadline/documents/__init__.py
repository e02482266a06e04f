"""Pure: bytes in, text with light Markdown structure, title and metadata out. A PDF alone is opened in a process of its own."""

from leadline.documents.document import Document
from leadline.documents.obstacles import Obstacle, ObstacleKind, find_obstacle
from leadline.documents.opening import read_document
from leadline.documents.web_page import decode_page, read_web_page

__all__ = ["Document", "Obstacle", "ObstacleKind", "decode_page", "find_obstacle", "read_document", "read_web_page"]

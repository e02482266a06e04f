"""Bytes of any kind to a document: which reader takes them is decided by what they hold."""

import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

from leadline.documents import docx, epub
from leadline.documents.archive import Archive
from leadline.documents.blocks import remove_unseen
from leadline.documents.charset import decode_text
from leadline.documents.document import Document
from leadline.documents.html import read_html
from leadline.documents.json_text import is_json, read_json
from leadline.documents.languages import choose_language
from leadline.documents.magic import GZIP, ZIP, name_binary
from leadline.documents.markdown import read_markdown
from leadline.documents.metadata import read_metadata
from leadline.documents.restructured import read_restructured
from leadline.documents.text import read_text
from leadline.errors import DocumentError

LARGEST = 20 * 1024 * 1024
"""Bytes of a document, after decompression, above which it is not read."""

_HEAD = 4096  # bytes that decide the format
_HTML = re.compile(  # atomic: with many comments before it, what is no HTML would be tried in exponentially many ways
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?(?:(?><!--.*?-->)\s*+)*+<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE | re.DOTALL
)
_HTML_PIECE = re.compile(rb"<(?:p|div|h[1-6]|ul|ol|table|article|section|meta|title)[\s>]", re.IGNORECASE)
_LABEL = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE)
_DIRECTIVE = re.compile(r"^\.\. [a-z][a-z-]*(?::[a-z-]+)?::(?:\s|$)", re.MULTILINE)
_METADATA = re.compile(r"Metadata-Version: \d")
_FIRST_BITE, _BITE = 1024, 1024 * 1024  # bytes: zlib copies what follows a member, and a file may have a million members
_PDF = re.compile(rb"\A[^<]{0,1000}?%PDF-\d")
_PDF_PARTS = (b"endobj", b"startxref", b"%%EOF")  # a text about the format may well begin with its sign


def read_document(data: bytes, name: str) -> Document:
    """Return the readable text of a file and what it says about itself.

    What the bytes are is told from the bytes: HTML, PDF, DOCX, EPUB, JSON, Markdown, reStructuredText or plain text.

    Args:
        data: the file's bytes; gzip is undone.
        name: the file's name; its suffix decides only between kinds of text that look alike.

    Raises:
        DocumentError: `empty`, `binary`, `unreadable` or `too large`.
    """
    data, name = _decompress(data, name)
    document = _read_container(data) or _read_characters(data, name)
    if not any(character.isalnum() for character in document.text):
        raise DocumentError("empty", "The file holds no text.")
    return replace(document, language=choose_language(document.language, document.text))


def _read_container(data: bytes) -> Document | None:
    """Read what is no text by itself but holds some, or return None."""
    if is_pdf(data):
        from leadline.documents.pdf import read_pdf  # with it comes all that another process takes

        return read_pdf(data)
    if not data.startswith(ZIP):
        return None
    archive = Archive(data)
    if docx.MAIN in archive.names:
        return docx.read_docx(archive)
    if epub.CONTAINER in archive.names:
        return epub.read_epub(archive)
    raise DocumentError("binary", "The file is an archive, not a document.")


def is_pdf(data: bytes) -> bool:
    """Whether the bytes are a PDF: its sign stands in the first kilobyte, and parts of its body anywhere."""
    return bool(_PDF.match(data)) and (data.startswith(b"%PDF-") or any(part in data for part in _PDF_PARTS))


def is_text(data: bytes) -> bool:
    """Whether the first bytes are not those of a PDF, an archive, a picture or something else that surely is no text."""
    return not (is_pdf(data) or data.startswith((ZIP, GZIP)) or name_binary(data))


def is_html(text: str, is_declared: bool) -> bool:
    """Whether a text is HTML: it starts like it, or is declared to be and holds some of its tags."""
    start = text[:_HEAD].encode("ascii", "replace")
    return bool(_HTML.match(start)) or (is_declared and bool(_HTML_PIECE.search(text.encode("ascii", "replace"))))


def _read_characters(data: bytes, name: str) -> Document:
    if kind := name_binary(data):
        raise DocumentError("binary", f"The file is {kind}, not text.")
    text = remove_unseen(decode_text(data, find_label(data)))
    return _choose_reader(text, PurePosixPath(name))(text)


def _decompress(data: bytes, name: str) -> tuple[bytes, str]:
    if data.startswith(GZIP):
        data, name = _unzip(data), name.removesuffix(".gz")
    if len(data) > LARGEST:
        raise DocumentError("too large", f"The file is larger than {LARGEST // 1024**2} MB.")
    return data, name


def _unzip(data: bytes) -> bytes:
    """Undo gzip, all members, up to one byte more than is allowed: a bomb stops there."""
    out = bytearray()
    at = 0
    try:
        while data.startswith(GZIP, at) and len(out) <= LARGEST:
            at = _unzip_member(data, at, out)
    except zlib.error as error:
        raise DocumentError("unreadable", "The compressed file is damaged.") from error
    return bytes(out)


def _unzip_member(data: bytes, at: int, out: bytearray) -> int:
    """Add what a member holds, and return where the next one begins."""
    stream = zlib.decompressobj(wbits=31)
    bite = _FIRST_BITE
    while not stream.eof and len(out) <= LARGEST:
        if at >= len(data):
            raise DocumentError("unreadable", "The compressed file is cut off.")
        piece = data[at : at + bite]
        out += stream.decompress(piece, LARGEST + 1 - len(out))
        at += len(piece) - len(stream.unused_data)
        bite = min(2 * bite, _BITE)
    return at


def find_label(data: bytes) -> str:
    """Return the charset that a document names in its head, or ""."""
    match = _LABEL.search(data[:_HEAD])
    return (match.group(1) or match.group(2)).decode("ascii", "replace") if match else ""


def _choose_reader(text: str, name: PurePosixPath) -> Callable[[str], Document]:
    suffixes = [suffix.lower() for suffix in name.suffixes[-2:]]
    suffix = suffixes[-1] if suffixes else ""
    if is_html(text, is_declared=False):
        return read_html
    if _METADATA.match(text) or name.name in ("METADATA", "PKG-INFO"):
        return read_metadata
    if is_html(text, is_declared=suffix in (".html", ".htm", ".xhtml")):
        return read_html
    if suffix in (".md", ".markdown", ".mdown", ".mkd"):
        return read_markdown
    if suffix in (".rst", ".rest") or ".rst" in suffixes or len(_DIRECTIVE.findall(text)) >= 2:
        return read_restructured
    if is_json(text):
        return lambda text: read_json(text) or read_text(text)
    if text.lstrip().startswith("<?xml"):
        raise DocumentError("binary", "The file is XML data, not a document.")
    return read_text

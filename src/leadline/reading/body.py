"""The body of an answer, up to a limit: what is counted is what comes out of decompression."""

from collections.abc import AsyncIterator

from leadline.documents.magic import GZIP, ZIP, name_binary
from leadline.errors import FetchFailed
from leadline.network.inflating import Inflate

TEXT_LIMIT = 5 * 1024 * 1024
"""Bytes of a web page: the longest of 1,169 pages of the PostgreSQL manual has 0.4 MB."""

PDF_LIMIT = 16 * 1024 * 1024
"""Bytes of a PDF: papers with pictures are larger than pages."""

_REFUSED_KINDS = ("image/", "audio/", "video/", "font/", "model/")
_REFUSED_TYPES = frozenset(
    f"application/{name}"
    for name in (
        "zip", "gzip", "x-gzip", "x-tar", "x-bzip2", "x-xz", "x-7z-compressed", "vnd.rar", "x-rar-compressed", "java-archive",
        "x-msdownload", "x-executable", "x-iso9660-image", "wasm", "javascript", "x-shockwave-flash", "vnd.apple.mpegurl",
        "vnd.android.package-archive", "x-debian-package", "x-rpm", "zstd", "x-compress",
    )
)  # fmt: skip
_OFFICE_MARKS = (b"word/", b"[Content_Types].xml", b"mimetypeapplication/epub+zip")
_PDF = b"%PDF-"
_PDF_REACH = 1024  # bytes in which the mark of a PDF may stand, after ISO 32000-1 appendix H
_SNIFFED = 4096


def check_type(content_type: str) -> None:
    """Refuse what a server itself calls an image, an archive, a recording or a program, before its body is downloaded.

    Raises:
        FetchFailed: it is one.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind.startswith(_REFUSED_KINDS) or kind in _REFUSED_TYPES:
        raise FetchFailed("type not read", f"{kind} is not read")


async def read_body(raw: AsyncIterator[bytes], encoding: str) -> bytes:
    """Return a body, decompressed.

    Args:
        raw: the bytes as they come.
        encoding: the header Content-Encoding.

    Raises:
        FetchFailed: it is too large, damaged, or by its first bytes of a kind that is not read.
    """
    parts: list[bytes] = []
    size, limit, sniffed = 0, TEXT_LIMIT, False
    inflate = Inflate(encoding)
    async for chunk in raw:
        for part in inflate.feed(chunk):
            parts.append(part)
            size += len(part)
            if not sniffed and size >= _SNIFFED:
                limit, sniffed = _find_limit(b"".join(parts)), True
            if size > limit:
                raise FetchFailed("too large", f"it is larger than {limit // 1024**2} MB")
    body = b"".join(parts)
    _find_limit(body)
    return body


def _find_limit(start: bytes) -> int:
    """The limit for a body that begins so."""
    kind = name_binary(start) or ("an archive" if start.startswith(GZIP) else "")
    if start.startswith(ZIP) and not any(mark in start[:_SNIFFED] for mark in _OFFICE_MARKS):
        kind = "an archive"
    if kind:  # servers call it application/octet-stream, text/plain or nothing
        raise FetchFailed("type not read", f"{kind} is not read")
    return PDF_LIMIT if _PDF in start[:_PDF_REACH] or start.startswith(ZIP) else TEXT_LIMIT

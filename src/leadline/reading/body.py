"""The body of an answer, up to a limit: what is counted is what comes out of decompression."""

from collections.abc import AsyncIterator, Mapping

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
# What some servers call application/octet-stream, text/plain or nothing: decided by the first bytes.
_MAGIC: Mapping[bytes, str] = {
    b"\x89PNG": "an image", b"\xff\xd8\xff": "an image", b"GIF8": "an image", b"II*\x00": "an image", b"MM\x00*": "an image",
    b"\x1f\x8b": "an archive", b"BZh": "an archive", b"\xfd7zXZ": "an archive", b"7z\xbc\xaf": "an archive",
    b"Rar!": "an archive", b"\x28\xb5\x2f\xfd": "an archive",
    b"OggS": "a recording", b"ID3": "a recording", b"fLaC": "a recording", b"\x1aE\xdf\xa3": "a recording",
    b"\x7fELF": "a program", b"MZ\x90\x00": "a program", b"wOFF": "a font", b"wOF2": "a font",
}  # fmt: skip
_ZIP = b"PK\x03\x04"
_OFFICE_MARKS = (b"word/", b"[Content_Types].xml", b"mimetypeapplication/epub+zip", b"mimetypeapplication/vnd.oasis")
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
    for magic, kind in _MAGIC.items():
        if start.startswith(magic):
            raise FetchFailed("type not read", f"{kind} is not read")
    if start[4:8] == b"ftyp":
        raise FetchFailed("type not read", "a recording is not read")
    if start.startswith(_ZIP) and not any(mark in start[:_SNIFFED] for mark in _OFFICE_MARKS):
        raise FetchFailed("type not read", "an archive is not read")
    return PDF_LIMIT if _PDF in start[:_PDF_REACH] or start.startswith(_ZIP) else TEXT_LIMIT

"""Undoing compression piece by piece, so that a bomb stops at the limit of whoever counts the pieces."""

import zlib
from collections.abc import Iterator

from leadline.errors import FetchFailed

ENCODINGS = "gzip, deflate"
"""What is asked for: both can be undone in pieces with the standard library."""

_PIECE = 64 * 1024


class Inflate:
    """Undoes one Content-Encoding, in pieces of a bounded size."""

    def __init__(self, encoding: str) -> None:
        name = encoding.strip().lower()
        if name not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise FetchFailed("unreadable", f"its encoding {name[:40]!r} was not asked for")
        self._gzip = name.endswith("gzip")
        self._plain = name in ("", "identity")
        self._stream: zlib._Decompress | None = None

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what a chunk decompresses to, at most 64 KB at a time."""
        if self._plain or not chunk:
            yield from (chunk[i : i + _PIECE] for i in range(0, len(chunk), _PIECE))
            return
        try:
            self._stream = self._stream or zlib.decompressobj(31 if self._gzip else _find_window(chunk))
            while chunk and not self._stream.eof:
                yield self._stream.decompress(chunk, _PIECE)
                chunk = self._stream.unconsumed_tail
        except zlib.error as error:
            raise FetchFailed("unreadable", "its compressed body is damaged") from error


def _find_window(chunk: bytes) -> int:
    """Servers call both zlib streams and bare ones `deflate`; a zlib stream begins with a check of its own (RFC 1950)."""
    wrapped = len(chunk) > 1 and chunk[0] & 0x0F == 8 and (chunk[0] * 256 + chunk[1]) % 31 == 0
    return 15 if wrapped else -15

"""What goes between the program and the worker that opens PDFs.

Requests and replies are frames: eight bytes of length, big-endian, then the bytes. A request is a PDF, a reply the JSON of
`Reply`.
"""

import struct
from typing import IO, TypeAlias, TypedDict

MeasuredLine: TypeAlias = tuple[str, float, float, float, float, int]
"""Text, left and right edge, distance of the baseline from the top of the page, size of the font (all four in points); then
the sum of 1 for a monospaced and 2 for a bold font."""


class Reply(TypedDict, total=False):
    """What a request gives: `error` alone, or the rest.

    `total` is the number of pages, of which `pages` are the first; `pictures` says whether a page without text holds a
    picture. `titles` are pairs of level (from 0) and text of the outline.
    """

    error: str
    facts: dict[str, str]
    total: int
    heights: list[float]
    pages: list[list[MeasuredLine]]
    titles: list[tuple[int, str]]
    pictures: bool


def read_frame(stream: IO[bytes]) -> bytes:
    """Return the next frame, or b"" at the end of the stream."""
    head = stream.read(8)
    if len(head) < 8:
        return b""
    (length,) = struct.unpack(">Q", head)
    body = stream.read(length)
    return body if len(body) == length else b""


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write a frame."""
    stream.write(struct.pack(">Q", len(body)))
    stream.write(body)
    stream.flush()

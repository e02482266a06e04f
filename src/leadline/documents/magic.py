"""First bytes of what surely is no text, whatever it decodes to."""

from collections.abc import Mapping

GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"

_KINDS: Mapping[bytes, str] = {
    b"\x89PNG": "an image", b"\xff\xd8\xff": "an image", b"GIF8": "an image", b"II*\x00": "an image", b"MM\x00*": "an image",
    b"BZh": "an archive", b"\xfd7zXZ": "an archive", b"7z\xbc\xaf": "an archive", b"Rar!": "an archive",
    b"\x28\xb5\x2f\xfd": "an archive", b"SQLite format 3": "a database", b"\xd0\xcf\x11\xe0": "an old office file",
    b"OggS": "a recording", b"ID3\x03": "a recording", b"ID3\x04": "a recording", b"fLaC": "a recording",
    b"\x1aE\xdf\xa3": "a recording", b"\x7fELF": "a program", b"MZ\x90\x00": "a program", b"wOFF": "a font", b"wOF2": "a font",
}  # fmt: skip


def name_binary(data: bytes) -> str:
    """Return what bytes are by their first few, as `an image`; "" for what may be text, a PDF, gzip or a zip file."""
    if data[4:8] == b"ftyp":
        return "a recording"
    return next((kind for magic, kind in _KINDS.items() if data.startswith(magic)), "")

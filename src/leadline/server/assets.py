"""Style and scripts of the pages. Their address changes with them, so that browsers may keep them for ever."""

import functools
import hashlib
from importlib import resources

from leadline.rendering import script, style

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@functools.cache
def assets() -> dict[str, bytes]:
    """Return all files by name. The style of reports and the script that opens evidence are the same as in a saved report."""
    folder = resources.files(__package__).joinpath("static")
    own = {file.name: file.read_bytes() for file in folder.iterdir() if file.name.rpartition(".")[2] in TYPES}
    return {**own, "page.css": f"{style()}\n".encode() + own["page.css"], "evidence.js": script().encode()}


@functools.cache
def digest() -> str:
    """Return the hash of all files."""
    whole = b"\0".join(name.encode() + content for name, content in sorted(assets().items()))
    return hashlib.sha256(whole).hexdigest()[:12]

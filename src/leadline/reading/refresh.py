"""Pages that send the reader on: `<meta http-equiv="refresh">`."""

import html
import re
from urllib.parse import urljoin

LONGEST_DELAY = 10.0
"""Seconds. A page that waits longer is one to be read, which reloads itself."""

_REACH = 64 * 1024
_META = re.compile(rb"<meta\b[^>]{0,2000}>", re.IGNORECASE)
_REFRESH = re.compile(r"""http-equiv\s*=\s*["']?\s*refresh\b""", re.IGNORECASE)
_CONTENT = re.compile(r"""content\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_VALUE = re.compile(r"""\s*([\d.]+)\s*[;,]\s*url\s*=\s*["']?\s*([^"'\s]+)""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)|<noscript\b.*?(?:</noscript|\Z)", re.IGNORECASE | re.DOTALL)


def find_refresh(data: bytes, url: str) -> str | None:
    """Return the absolute URL that a page sends its reader to within 10 seconds, or None.

    Args:
        data: the page; its first 64 KB are looked at, without comments and what is for browsers without scripts.
        url: where it was found.
    """
    for tag in _META.findall(_COMMENT.sub(b"", data[:_REACH])):
        text = tag.decode("latin-1")
        content = _CONTENT.search(text)
        if not _REFRESH.search(text) or content is None:
            continue
        value = _VALUE.match(html.unescape(next(group for group in content.groups() if group is not None)))
        if value and _is_soon(value[1]):
            target = urljoin(url, value[2])
            return None if target.partition("#")[0] == url.partition("#")[0] else target
    return None


def _is_soon(delay: str) -> bool:
    try:
        return float(delay) <= LONGEST_DELAY
    except ValueError:
        return False

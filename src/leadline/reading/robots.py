"""robots.txt: what a site lets programs read (RFC 9309)."""

from protego import Protego

AGENT = "leadline"
"""The product token that sites address us by."""

LARGEST = 500 * 1024
"""Bytes that are read of it, after RFC 9309 section 2.5."""


class Rules:
    """What one site allows."""

    def __init__(self, text: str) -> None:
        self._rules = Protego.parse(text)

    def allow(self, url: str) -> bool:
        """Whether a page may be read."""
        return bool(self._rules.can_fetch(url, AGENT))


EVERYTHING = Rules("")
NOTHING = Rules("User-agent: *\nDisallow: /")


def read_rules(status: int, body: bytes) -> Rules:
    """Return the rules that an answer for robots.txt stands for: none on a client's error, nothing allowed on a server's.

    Args:
        status: of the answer, after redirects.
        body: of the answer.
    """
    if 200 <= status < 300:
        return Rules(body[:LARGEST].decode("utf-8", "replace"))
    return NOTHING if status >= 500 else EVERYTHING

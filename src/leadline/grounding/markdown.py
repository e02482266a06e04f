"""Source text made safe inside a Markdown paragraph or list item, with as few signs added as do it."""

import re

_ORDERED = re.compile(r"^(\s*\d{1,9})([.)])(?=\s|$)")
_OPENING = re.compile(r"^(\s*)(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|={1,}\s*$|-{2,}\s*$|`{3}|~{3}|\|)")
_RULE = re.compile(r"^(?:[-_*]\s*){3,}$")
_CLOSING = re.compile(r"(?<=\s)(?=#+$)")
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)")
_REFERENCE = re.compile(r"\[(?=\s*\^?\d+(?:\s*[,;，、；–—-]\s*\d+)*\s*\])")
_LINK = re.compile(r"\](?=[(\[:])")
_HTML = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_PAIRED = (
    re.compile(r"\$(?=\S)|(?<=\S)\$"),
    re.compile(r"~(?=~)|(?<=~)~"),
    re.compile(r"[*](?=\S)|(?<=\S)[*]"),
    re.compile(r"(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)"),
)


def inline(text: str) -> str:
    """Return a text as one line that Markdown renders as it was typed: no heading, list, fence, HTML, link or reference.

    Only what would be read as Markdown is escaped: a stray `[3]` (it would look like a citation of the report), `<b>`, paired
    `$`, `*`, `_` and `~~`, a link, a sign at the line's start that opens a block. Code spans stay, where their ticks match.

    Args:
        text: a sentence of a page, a title, a heading.
    """
    line = " ".join(text.split())
    parts = re.split(r"(`[^`]+`)", line)
    if any("`" in part for part in parts[::2]):
        line = _escape(line).replace("`", "\\`")
    else:
        line = "".join(part if index % 2 else _escape_between(part, index, len(parts) - 1) for index, part in enumerate(parts))
    if _RULE.match(line):
        return f"\\{line}"
    line = _CLOSING.sub(r"\\", line, count=1)
    return _ORDERED.sub(r"\1\\\2", _OPENING.sub(r"\1\\", line, count=1), count=1)


def _escape_between(text: str, index: int, last: int) -> str:
    """Escape what stands between code spans; their ticks are there while signs look at what is next to them."""
    start, end = "`" * (index > 0), "`" * (index < last)
    escaped = _escape(f"{start}{text}{end}")
    return escaped[len(start) : len(escaped) - len(end)]


def _escape(text: str) -> str:
    text = _BACKSLASH.sub(r"\\\\", text)
    text = _ENTITY.sub("&amp;", text)
    text = _HTML.sub("&lt;", text)
    text = _LINK.sub(r"\\]", _REFERENCE.sub(r"\\[", text))
    for sign in _PAIRED:
        text = sign.sub(lambda found: "".join(f"\\{char}" for char in found.group()), text)
    return text

"""Source text made safe inside a Markdown paragraph or list item, with as few signs added as do it."""

import re

_ORDERED = re.compile(r"^(\s*\d{1,9})([.)])(?=\s|$)")
_OPENING = re.compile(r"^(\s*)(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|={1,}\s*$|-{2,}\s*$|`{3}|~{3}|\|)")
_RULE = re.compile(r"^(?:[-_*]\s*){3,}$")
_REFERENCE = re.compile(r"\[(?=\^?\d+(?:\s*[,–-]\s*\d+)*\])")
_LINK = re.compile(r"\](?=[(\[:])")
_HTML = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_PAIRED = (
    re.compile(r"`"),
    re.compile(r"\$(?=\S)|(?<=\S)\$"),
    re.compile(r"~(?=~)|(?<=~)~"),
    re.compile(r"(?<!\\)[*](?=\S)|(?<=\S)[*]"),
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
        parts = [line]
    line = "".join(part if index % 2 else _escape(part) for index, part in enumerate(parts))
    if _RULE.match(line):
        return f"\\{line}"
    return _ORDERED.sub(r"\1\\\2", _OPENING.sub(r"\1\\", line, count=1), count=1)


def _escape(text: str) -> str:
    text = re.sub(r"\\(?=[!-/:-@\[-`{-~])", r"\\\\", text)
    text = _ENTITY.sub("&amp;", text)
    text = _HTML.sub("&lt;", text)
    text = _LINK.sub(r"\\]", _REFERENCE.sub(r"\\[", text))
    for sign in _PAIRED:
        text = sign.sub(lambda found: "".join(f"\\{char}" for char in found.group()), text)
    return text

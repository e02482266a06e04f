"""Source text made safe inside a Markdown paragraph or list item, with as few signs added as do it."""

import re

from leadline.grounding.citations import find_addresses

_ORDERED = re.compile(r"^(\s*\d{1,9})([.)])(?=\s|$)")
_OPENING = re.compile(r"^(\s*)(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|={1,}\s*$|-{2,}\s*$|`{3}|~{3}|\|)")
_RULE = re.compile(r"^(?:[-_*]\s*){3,}$")
_CLOSING = re.compile(r"(?<=\s)(?=#+$)")
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)")
_REFERENCE = re.compile(r"\[(?=\s*\^?\d+(?:\s*[,;，、；–—-]\s*\d+)*\s*\])")
_LINK = re.compile(r"\](?=[(\[:])")
_HTML = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_PLACE, _OPEN, _CLOSE = "\ue000", "\ue001", "\ue002"
_NO_MARKS = dict.fromkeys(map(ord, (_PLACE, _OPEN, _CLOSE)))
_BOLD_SIGNS = {ord(_OPEN): "**", ord(_CLOSE): "**"}
_BOLD = re.compile(r"\*\*(?P<before>[^\w\s*]*)(?P<said>\w(?:[^*\n]*\w)?)(?P<behind>[^\w\s*]*)\*\*")
_PAIRED = (
    re.compile(r"\$(?=\S)|(?<=\S)\$"),
    re.compile(r"~(?=~)|(?<=~)~"),
    re.compile(r"[*](?=\S)|(?<=\S)[*]"),
    re.compile(r"(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)"),
)


def inline(text: str, rich: bool = False) -> str:
    """Return a text as one line that Markdown renders as it was typed: no heading, list, fence, HTML, link or reference.

    Only what would be read as Markdown is escaped: a stray `[3]` (it would look like a citation of the report), `<b>`, paired
    `$`, `*`, `_` and `~~`, a link, a sign at the line's start that opens a block. Code spans stay, where their ticks match.

    Args:
        text: a sentence of a page, a title, a heading.
        rich: whether `**bold**` is bold, next to Chinese too, and an address a link that ends where it does: renderers that
            look for bare ones take what stands behind them, `（中文）` for example.
    """
    line = " ".join(text.translate(_NO_MARKS).split())
    if not rich or "`" in line:
        return _escape_line(line)
    line, addresses = _take_addresses(line)
    escaped = _escape_line(_BOLD.sub(_mark_bold, line)).translate(_BOLD_SIGNS)
    return re.sub(_PLACE, lambda _: f"<{addresses.pop(0)}>", escaped)


def _take_addresses(line: str) -> tuple[str, list[str]]:
    places = [place for place in find_addresses(line) if line[slice(*place)].startswith(("http://", "https://"))]
    addresses = [line[slice(*place)] for place in places]
    for start, end in reversed(places):
        line = f"{line[:start]}{_PLACE}{line[end:]}"
    return line, addresses


def _mark_bold(found: re.Match[str]) -> str:
    """Mark what is bold; punctuation at its edges goes outside, where `**` works whatever stands next to it."""
    before, said, behind = found["before"], found["said"], found["behind"]
    return f"{before}{_OPEN}{said}{_CLOSE}{behind}"


def _escape_line(line: str) -> str:
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

"""What a model says to itself taken out of what it says: think tags of every kind, whole, nested, stray and unclosed."""

import re

_NAMES = "think|thinking|thought|reasoning|reflection|analysis"
_TAG = re.compile(
    rf"(?P<open><\s*(?:{_NAMES})\b[^<>\n]*>|\[THINK\]|◁think▷|<\|channel\|>\s*(?:analysis|commentary)[^<]*<\|message\|>)"
    rf"|(?P<close><\s*/\s*(?:{_NAMES})\s*>|\[/THINK\]|◁/think▷)"
    r"|(?P<stop><\|(?:end|return)\|>)|(?P<mark><\|[a-z_]+\|>(?:\s*(?:assistant|final)\b)?)",
    re.IGNORECASE,
)
_JSON_FIRST = re.compile(r"\s*(?:```\w*\s*|json\s*)?[{\[｛［]")


def visible(raw: str) -> str:
    """Return what a reply says openly.

    Of a reply whose reasoning has no opening tag, that is what follows its closing tag; reasoning that does not end hides all
    that follows. Tags inside a quoted string are text: an answer may be about them.
    """
    said: list[str] = []
    depth = place = 0
    for tag in _TAG.finditer(raw):
        if depth == 0:
            said.append(raw[place : tag.start()])
        if not _is_quoted(raw, tag.start(), tag.end(), depth):
            depth, said = _turn(tag, depth, said)
        elif depth == 0:
            said.append(tag.group())
        place = tag.end()
    return "".join(said) + (raw[place:] if depth == 0 else "")


def _turn(tag: "re.Match[str]", depth: int, said: list[str]) -> tuple[int, list[str]]:
    match tag.lastgroup:
        case "open":
            return depth + 1, said
        case "close" if depth == 0:
            return 0, []
        case "close" | "stop":
            return max(depth - 1, 0), said
        case _:
            return depth, said


def _is_quoted(raw: str, start: int, end: int, depth: int) -> bool:
    """Whether a tag stands inside a JSON string: quotes are open before it on its line, and close behind it."""
    line = raw[raw.rfind("\n", 0, start) + 1 : start]
    rest = raw[end:].split("\n", 1)[0]
    return depth == 0 and line.count('"') % 2 == 1 and rest.count('"') % 2 == 1 and "{" in line


def hides_reasoning(raw: str) -> bool:
    """Say whether a reply has reasoning that began without a tag: what streams from such a model can't be shown early."""
    first = next((tag for tag in _TAG.finditer(raw) if tag.lastgroup in ("open", "close")), None)
    return first is not None and first.lastgroup == "close" and not _is_quoted(raw, first.start(), first.end(), 0)


def is_open(said: str) -> bool:
    """Say whether what a reply has said openly so far can be trusted to be its answer: it begins with it, not with talk."""
    return bool(_JSON_FIRST.match(said))

"""Where the sentences of a paragraph begin and end."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from leadline.grounding.words import ABBREVIATIONS, ENDING_ABBREVIATIONS, OPENERS

_CLOSERS = "\"'”’»)\\]』」）】》〉"
_END = re.compile(rf"(?P<cjk>[。！？｡]+|…{{2,}})[{_CLOSERS}]*|(?P<latin>[.!?…]+)[{_CLOSERS}]*(?=\s|$|[\u4e00-\u9fff])")
_PARENTHESES = re.compile(r"[(（](?:[^()（）]|[(（][^()（）]{0,200}[)）]){0,300}[)）]")
_LAST_TOKEN = re.compile(r"[^\s(\[“\"'‘（]*$")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]$")


def split(text: str) -> list[tuple[int, int]]:
    """Return start and end of every sentence of one paragraph, without the white space between them.

    English and CJK ends are known; abbreviations, initials, decimals, versions, file names and what stands in parentheses do
    not end a sentence, closing quotes and brackets after an end belong to it. A line break is white space.

    Args:
        text: one paragraph.

    Returns:
        Pairs of character offsets, end exclusive, in order; empty for a blank text.
    """
    spans, start = [], 0
    for end in _ends(text):
        spans.append(_trim(text, start, end))
        start = end
    spans.append(_trim(text, start, len(text)))
    return [(begin, end) for begin, end in spans if begin < end]


def _ends(text: str) -> Iterator[int]:
    enclosed = [match.span() for match in _PARENTHESES.finditer(text)]
    openings = [begin for begin, _ in enclosed]
    start = 0
    for match in _END.finditer(text):
        before = bisect_left(openings, match.start()) - 1
        if before >= 0 and match.start() < enclosed[before][1] - 1:
            continue
        if match.lastgroup == "cjk" or _ends_latin(text, start, match):
            start = match.end()
            yield start


def _ends_latin(text: str, start: int, match: re.Match[str]) -> bool:
    rest = text[match.end() : match.end() + 40].lstrip()
    if not rest:
        return True
    mark = match.group("latin")
    opener = rest.lstrip("\"'“‘([")[:1]
    if mark != ".":
        return not opener.islower()
    last = _LAST_TOKEN.search(text, max(start, match.start() - 40), match.start())
    token = last.group() if last else ""
    is_first = not text[start : match.start() - len(token)].strip()
    return _ends_after(token, opener, rest, is_first)


def _ends_after(token: str, opener: str, rest: str, is_first: bool) -> bool:
    word = token.lower().strip(",;:")
    is_initial = len(word) == 1 and word.isalpha() and token.isupper()
    if is_initial or _DOTTED.search(token) or word in ENDING_ABBREVIATIONS:
        return opener.isupper() and re.split(r"\W", rest.lstrip("\"'“‘(["), maxsplit=1)[0].lower() in OPENERS
    if word in ABBREVIATIONS:
        return False
    if is_first and word.isdigit():
        return False  # the number of a list item
    if opener.islower():
        return len(word) >= 4 and word.isalpha()  # a sentence that opens with the name of a command
    return True


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end

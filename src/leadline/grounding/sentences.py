"""Where the sentences of a paragraph begin and end."""

import re
from collections.abc import Iterator

_CLOSERS = "\"'”’»)\\]』」）】》〉"
_END = re.compile(rf"(?P<cjk>[。！？｡]+|…{{2,}})[{_CLOSERS}]*|(?P<latin>[.!?…]+)[{_CLOSERS}]*(?=\s|$|[一-鿿])")
_PARENTHESES = re.compile(r"[(（](?:[^()（）]|[(（][^()（）]{0,200}[)）]){0,300}[)）]")
_LAST_TOKEN = re.compile(r"[^\s(\[“\"'‘（]*$")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]$")

_ABBREVIATIONS = frozenset(
    """adj al approx apr assn aug ave bldg blvd bros ca capt cf ch chap co col corp dec dept dr ed eds e.g eg eq esp est etc ex
    feb fig figs ft gen gov hon i.e ie inc incl jan jr jul jun lt ltd mar max messrs min mr mrs ms mt no nos nov oct op p para
    paras pp prof pt ref refs rep rev sec sect sen sep sept sgt sr st tab trans univ v ver viz vol vols vs wt""".split()
)
# After a dotted acronym (U.S.) or `etc.` only a word that opens sentences tells an end from a name that goes on.
_OPENERS = frozenset(
    "a after although an as at because both but by during each for from he her his how if in it its many most no on one our "
    "several she since so some such that the their there these they this those to under unlike we what when where while who with you".split()
)
_MAY_END = frozenset({"etc", "inc", "corp", "ltd", "co", "jr", "sr", "al"})


def split(text: str) -> list[tuple[int, int]]:
    """Return start and end of every sentence of one paragraph, without the white space between them.

    English and CJK ends are known; abbreviations, initials, decimals, versions, file names and what stands in parentheses do not
    end a sentence, closing quotes and brackets after an end belong to it. A line break is white space.

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
    start = 0
    for match in _END.finditer(text):
        if any(begin < match.start() < end - 1 for begin, end in enclosed):
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
    next_word = re.match(r"\w*", rest)
    opens = bool(next_word) and opener.isupper() and next_word.group().lower() in _OPENERS  # type: ignore[union-attr]
    if _DOTTED.search(token) or word in _MAY_END:
        return opens
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and token.isupper() and token != "I"):
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

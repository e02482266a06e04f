"""Where a quote stands: its surroundings in the saved page, its heading, and a link that opens the page there."""

import re
from typing import NamedTuple
from urllib.parse import quote as percent_encode

from leadline.grounding.language import is_cjk
from leadline.records import Evidence, Page

AROUND, AROUND_CJK = 240, 100
"""Characters of the page shown before and after a quote: two or three sentences."""

_MARK = re.compile(r"^[ \t]*(?:#{1,6} |[-*] |(?:```|~~~)\w*$)", re.MULTILINE)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(\S.*)$", re.MULTILINE)
_STRAY = " \n,.;:)，。；：、）"
_BLANK = re.compile(r"\n\s*\n+")
_LONG = 60
_EDGE_WORDS, _EDGE_SIGNS = 5, 12


class Place(NamedTuple):
    """A quote between what stands before and after it; `heading` is the nearest one above."""

    before: str
    quote: str
    after: str
    heading: str = ""


def find_place(evidence: Evidence, page: Page | None) -> Place:
    """Return the surroundings of a quote; without the page, or where the page does not hold it there, the quote alone."""
    if page is None or page.text[evidence.start : evidence.end] != evidence.quote:
        return Place("", evidence.quote, "")
    around = AROUND_CJK if any(map(is_cjk, evidence.quote)) else AROUND
    before = _cut_start(page.text[: evidence.start], around)
    after = _cut_end(page.text[evidence.end :], around)
    headings = _HEADING.findall(page.text, 0, evidence.start)
    return Place(_tidy(before), evidence.quote, _tidy(after), headings[-1].strip() if headings else "")


def _cut_start(text: str, around: int) -> str:
    """Return the end of a text, from the start of a word on."""
    if len(text) <= around:
        return text
    kept = text[-around:]
    first = re.search(r"\s", kept[: around // 4])
    return f"… {kept[first.end() if first else 0 :].lstrip(_STRAY)}"


def _cut_end(text: str, around: int) -> str:
    """Return the start of a text, up to the end of a word."""
    if len(text) <= around:
        return text
    kept = text[:around]
    words = kept.rsplit(maxsplit=1)
    return f"{words[0] if len(words) == 2 and len(words[1]) < around // 4 else kept} …"


def _tidy(text: str) -> str:
    return _BLANK.sub("\n", _MARK.sub("", text))


def link(address: str, quote: str = "") -> str:
    """Return an address as a link target: "" if it is none of the web; with the quote as a text fragment, which browsers mark.

    Source: https://wicg.github.io/scroll-to-text-fragment/ (`,` `-` `&` are its syntax and must be encoded).
    """
    if not re.match(r"https?://[^\s/]", address, re.IGNORECASE):
        return ""
    plain = " ".join(re.sub(r"[`*]", "", quote).split())
    if not plain:
        return address
    sign = ":~:" if "#" in address else "#:~:"
    return f"{address}{sign}text={','.join(_encode(edge) for edge in _edges(plain))}"


def _edges(plain: str) -> list[str]:
    """Return a short quote whole, and the two ends of a long one: pages differ from their saved text in white space inside."""
    if len(plain) <= _LONG:
        return [plain]
    if is_cjk(plain[:1]) or " " not in plain:
        return [plain[:_EDGE_SIGNS], plain[-_EDGE_SIGNS:]]
    words = plain.split(" ")
    return [" ".join(words[:_EDGE_WORDS]), " ".join(words[-_EDGE_WORDS:])] if len(words) > 2 * _EDGE_WORDS else [plain]


def _encode(text: str) -> str:
    return percent_encode(text, safe="").replace("-", "%2D")

"""The tree of a page, and what of it a reader does not see."""

import re

from resiliparse.parse.html import ElementNode, HTMLTree

from leadline.errors import DocumentError

MOST_ATTRIBUTES = 1000
"""Attributes of a tag above which a page is not parsed: the parser compares each with all before (50,000 take 10 s)."""

_ATTRIBUTE = r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+"""
_ATTRIBUTES = rf"(?:{_ATTRIBUTE}){{0,{MOST_ATTRIBUTES}}}+(?!{_ATTRIBUTE})"
# Matches as far as tags are of ordinary size. All is possessive, so time is linear: 66 MB of manuals take 0.7 s.
_ORDINARY = re.compile(
    rf"""(?:
        [^<]++
        | <!-- (?: -?> | (?>.*?(?:--!?>|\Z)) )
        | <(?:script|style)(?=[\s/>]) {_ATTRIBUTES} (?>.*?(?:</(?=script|style)|\Z))
        | </?(?!(?:script|style)[\s/>])[a-z] {_ATTRIBUTES}
        | <(?!/?[a-z]|!--)
    )*+""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_OFF = r"-\s*(?:\d{4,}|[5-9]\d\d|\d{3,}\s*(?:em|rem|vw|vh|%))"  # `-9999px`, `-999em`: beyond the edge of any screen
_HIDING = re.compile(
    r"\bdisplay\s*:\s*none|\bvisibility\s*:\s*(?:hidden|collapse)"
    r"|(?:\bfont-size|\bopacity)\s*:\s*(?:0*+\.0++|0++)(?![.\d])"
    rf"|\b(?:left|right|top|bottom|text-indent|margin|margin-left|margin-top)\s*:\s*{_OFF}|\btranslate[xy]?\(\s*{_OFF}"
    r"|\bscale[xy]?\(\s*0*\.?0*\s*[,)]"
    r"|(?<![\w-])clip\s*:\s*rect\(\s*[01](?:px)?[\s,]|\bclip-path\s*:\s*(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0)"
    r"|(?<![\w-])color\s*:\s*transparent",
    re.IGNORECASE,
)
_CLIPPED = re.compile(r"\boverflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_NO_ROOM = re.compile(r"(?<!line-)(?<!min-)\b(?:width|height)\s*:\s*(?:0*\.?0+|1(?=px))(?![.\d])", re.IGNORECASE)


def parse_html(text: str) -> HTMLTree:
    """Return the tree of a page or fragment.

    Raises:
        DocumentError: a tag has more than `MOST_ATTRIBUTES` attributes.
    """
    match = _ORDINARY.match(text)
    if match is None or match.end() < len(text):
        raise DocumentError("unreadable", f"A tag has more than {MOST_ATTRIBUTES:,} attributes.")
    return HTMLTree.parse(text)


def remove_hidden(root: ElementNode) -> None:
    """Take out what its own style hides: not displayed, transparent, without size, clipped away, beyond the screen."""
    for element in root.query_selector_all("[style]").values():
        if _hides(element.getattr("style") or ""):
            element.decompose()


def _hides(style: str) -> bool:
    return bool(_HIDING.search(style) or (_CLIPPED.search(style) and _NO_ROOM.search(style)))

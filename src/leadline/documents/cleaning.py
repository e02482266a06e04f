"""Taking out of a page what is not to be read."""

import re

from resiliparse.parse.html import ElementNode

_UNREAD = (
    "script, style, template, noscript, svg, canvas, iframe, object, embed, audio, video, map, select, button, textarea, "
    "dialog, datalist, rp, rt, xmp, plaintext, noembed, noframes, annotation, "
    "[hidden], [aria-hidden='true'], td.linenos, td.lineno, .linenodiv, "
    "a.headerlink, a.anchorjs-link, a.footnote-reference, a.footnote, .sr-only, .visually-hidden, .screen-reader-text"
)
_FOOTNOTE_MARK = re.compile(r"\s*\[?(?:note )?[\d*†‡]{1,3}\]?\s*")
# Nested ten thousand deep these would take quadratic time.
_MOST_MARKS, _MOST_NOTICES = 2000, 100
_MOST_MARKUP = 1_000_000  # characters within `sup` elements that are looked at: each holds all that is nested in it
_NOTICES = (
    "[id*='cookie'], [class*='cookie'], [id*='Cookie'], [class*='Cookie'], [id*='consent'], [class*='consent'], "
    "[id*='onetrust'], [id*='gdpr'], [class*='gdpr'], .cc-window, .qc-cmp2-container, #usercentrics-root"
)
_NOTICE = re.compile(r"cookies?|consent|privacy|隐私|個人資料", re.IGNORECASE)
_LONGEST_NOTICE = 3000
_NOTICE_SHARE = 0.5  # of the page's text: what holds more is the page


def remove(root: ElementNode, selector: str) -> None:
    """Take all that a selector matches out of a tree."""
    for element in root.query_selector_all(selector).values():
        element.decompose()


def remove_unread(root: ElementNode) -> None:
    """Take out what is no text to read: scripts, forms, anchors, what is marked as hidden."""
    remove(root, _UNREAD)


def remove_footnote_marks(root: ElementNode) -> None:
    """A `[1]` of the page's own would be taken for a citation of the report."""
    seen = 0
    for element in root.query_selector_all("sup").values()[:_MOST_MARKS]:
        seen += len(element.html)
        if seen > _MOST_MARKUP:
            return
        if (element.query_selector("a") or element.closest("a")) and _FOOTNOTE_MARK.fullmatch(element.text or ""):
            element.decompose()


def remove_consent(root: ElementNode) -> None:
    """Take out notices about cookies that lie over a page."""
    whole = len(root.text or "")
    for element in root.query_selector_all(_NOTICES).values()[:_MOST_NOTICES]:
        text = element.text or ""
        if len(text) <= min(_LONGEST_NOTICE, _NOTICE_SHARE * whole) and _NOTICE.search(text):
            element.decompose()

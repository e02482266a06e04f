"""HTML to blocks: what a reader sees of the page's main part, without its navigation.

The parser is resiliparse's (a page of 50 KB in under 1 ms). Elements that are not to be read are taken out of its tree by
selector; the rest is serialised again, which guarantees well-formed tags, and read as a stream of block tags. Walking the
tree node by node from Python takes five times as long (1,169 pages: 1.8 s against 0.3).
"""

import re

from resiliparse.parse.html import ElementNode

from leadline.documents.blocks import remove_unseen, render_blocks
from leadline.documents.document import Document
from leadline.documents.html_blocks import BlockReader
from leadline.documents.html_facts import find_facts
from leadline.documents.html_tree import parse_html, remove_hidden
from leadline.documents.languages import choose_language

_UNREAD = (
    "script, style, template, noscript, svg, canvas, iframe, object, embed, audio, video, map, select, button, textarea, "
    "dialog, datalist, rp, rt, xmp, plaintext, noembed, noframes, annotation, "
    "[hidden], [aria-hidden='true'], td.linenos, td.lineno, .linenodiv, "
    "a.headerlink, a.anchorjs-link, a.footnote-reference, a.footnote, .sr-only, .visually-hidden, .screen-reader-text"
)
_NAVIGATION = (
    "nav, footer, [role='navigation'], [role='contentinfo'], [role='search'], "
    ".navheader, .navfooter, .toc, #toc, .list-of-tables, .list-of-figures, .list-of-examples, .contents.topic, "
    ".table-of-contents, .sphinxsidebar, .related, .breadcrumb, .breadcrumbs, .indexdiv, .genindextable, .edit-link, "
    ".mw-editsection, .skip-link, .skiplink"
)
_MAIN = "main, [role='main'], article"
_MAIN_SHARE = 0.4  # of the body's text: a `main` or `article` with less is a teaser, not the page
_ASIDE_SHARE = 0.3  # an `aside` with more than this is where the article really sits
# Nested ten thousand deep these would take quadratic time; selectors have no descendant combinator for the same reason.
_MOST_PARTS, _MOST_MARKS = 100, 2000
_MOST_MARKUP = 1_000_000  # characters within `sup` elements that are looked at: each holds all that is nested in it
_COMMENT = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?>", re.DOTALL)
_FOOTNOTE_MARK = re.compile(r"\s*\[?(?:note )?[\d*†‡]{1,3}\]?\s*")


def read_html(text: str) -> Document:
    """Return the readable part of a page.

    Args:
        text: the page, decoded.

    Raises:
        DocumentError: `unreadable`, when a tag is such as no page has.
    """
    tree = parse_html(text)
    facts = find_facts(tree)
    body = tree.body
    if body is None:
        return Document("", title=facts.title)
    _remove(body, _UNREAD)
    remove_hidden(body)
    _remove_footnote_marks(body)
    main = _choose_main(body)
    _remove(main, _NAVIGATION)
    _remove_asides(main)
    content = read_fragment(main.html)
    return Document(
        content,
        title=facts.title,
        authors=facts.authors,
        site=facts.site,
        date=facts.date,
        language=choose_language(facts.language, content),
    )


def read_fragment(markup: str) -> str:
    """Return well-formed HTML as light Markdown."""
    reader = BlockReader()
    reader.feed(_COMMENT.sub("", markup))
    return remove_unseen(render_blocks(reader.close()))


def _remove(root: ElementNode, selector: str) -> None:
    for element in root.query_selector_all(selector).values():
        element.decompose()


def _remove_footnote_marks(root: ElementNode) -> None:
    """A `[1]` of the page's own would be taken for a citation of the report."""
    seen = 0
    for element in root.query_selector_all("sup").values()[:_MOST_MARKS]:
        seen += len(element.html)
        if seen > _MOST_MARKUP:
            return
        if (element.query_selector("a") or element.closest("a")) and _FOOTNOTE_MARK.fullmatch(element.text or ""):
            element.decompose()


def _choose_main(body: ElementNode) -> ElementNode:
    candidates = body.query_selector_all(_MAIN).values()[:_MOST_PARTS]
    if not candidates:
        return body
    whole = _count(body)
    best = max(candidates, key=_count)
    return best if _count(best) >= _MAIN_SHARE * whole else body


def _remove_asides(root: ElementNode) -> None:
    whole = _count(root)
    for element in root.query_selector_all("aside").values()[:_MOST_PARTS]:
        if _count(element) < _ASIDE_SHARE * whole:
            element.decompose()


def _count(element: ElementNode) -> int:
    return len(element.text or "")

"""HTML to blocks: what a reader sees of the page's main part, without its navigation.

The parser is resiliparse's (a page of 50 KB in under 1 ms). Elements that are not to be read are taken out of its tree by
selector; the rest is serialised again, which guarantees well-formed tags, and read as a stream of block tags. Walking the
tree node by node from Python takes five times as long (1,169 pages: 1.8 s against 0.3).
"""

import re
from dataclasses import replace

from resiliparse.parse.html import ElementNode

from leadline.documents.blocks import remove_unseen, render_blocks
from leadline.documents.cleaning import remove, remove_footnote_marks, remove_unread
from leadline.documents.document import Document
from leadline.documents.html_blocks import BlockReader
from leadline.documents.html_facts import find_facts
from leadline.documents.html_tree import parse_html, remove_hidden

_NAVIGATION = (
    "nav, footer, [role='navigation'], [role='contentinfo'], [role='search'], "
    ".navheader, .navfooter, .toc, #toc, .list-of-tables, .list-of-figures, .list-of-examples, .contents.topic, "
    ".table-of-contents, .sphinxsidebar, .related, .breadcrumb, .breadcrumbs, .indexdiv, .genindextable, .edit-link, "
    ".mw-editsection, .skip-link, .skiplink"
)
_MAIN = "main, [role='main'], article"
_MAIN_SHARE = 0.4  # of the body's text: a `main` or `article` with less is a teaser, not the page
_ASIDE_SHARE = 0.3  # an `aside` with more than this is where the article really sits
# Nested ten thousand deep this would take quadratic time; selectors have no descendant combinator for the same reason.
_MOST_PARTS = 100
_COMMENT = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?>", re.DOTALL)


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
        return facts
    remove_unread(body)
    remove_hidden(body)
    remove_footnote_marks(body)
    return replace(facts, text=read_main(body))


def read_main(body: ElementNode) -> str:
    """Return the main part of a body that unread and hidden elements were taken out of, as light Markdown."""
    main = _choose_main(body)
    remove(main, _NAVIGATION)
    _remove_asides(main)
    return read_fragment(main.html)


def read_fragment(markup: str) -> str:
    """Return well-formed HTML as light Markdown."""
    reader = BlockReader()
    reader.feed(_COMMENT.sub("", markup))
    return remove_unseen(render_blocks(reader.close()))


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

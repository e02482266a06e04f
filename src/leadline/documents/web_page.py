"""A page of the web as a document: the article without what its site puts around it.

trafilatura finds an article best (token F1 .965 on news), resiliparse reads documentation best: of 1,169 pages of a manual
trafilatura leaves 22 nearly empty, resiliparse none. So each is asked first where it is better, and the other where the first
comes back with next to nothing.
"""

import re
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from resiliparse.parse.html import ElementNode, HTMLTree

from leadline.documents.blocks import remove_unseen
from leadline.documents.charset import decode_text
from leadline.documents.cleaning import remove_consent, remove_footnote_marks, remove_unread
from leadline.documents.document import Document
from leadline.documents.html import read_fragment, read_main
from leadline.documents.html_blocks import POWER
from leadline.documents.html_facts import find_facts
from leadline.documents.html_tree import parse_html, remove_hidden
from leadline.documents.languages import choose_language
from leadline.documents.opening import LARGEST, find_label, is_html, is_text, read_document
from leadline.errors import DocumentError

if TYPE_CHECKING:
    from lxml.etree import _Element

_GENERATORS = re.compile(
    r"sphinx|docutils|mkdocs|docusaurus|docbook|doxygen|javadoc|mdbook|antora|gitbook|vitepress|asciidoctor|texinfo|makeinfo|rustdoc",
    re.IGNORECASE,
)
_MANUAL_PARTS = ".sphinxsidebar, .rst-content, .md-content, .theme-doc-markdown, .navheader, .doxygen, .rustdoc"
_MANUAL_HOST = re.compile(r"^(?:docs?|developer|manual|wiki)\.|\.readthedocs\.io$|^docs\.rs$")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_NEARLY_EMPTY = 250  # characters
_LOST = 0.25  # of what the page's own main element holds
_LARGEST = 500_000  # characters of markup above which trafilatura, which takes 3 s a megabyte, is not asked
_DEEPEST = 200  # elements: what trafilatura walks by recursion
_TAGS = {
    "list": "ul", "item": "li", "row": "tr", "quote": "blockquote", "lb": "br", "hi": "span", "ref": "span", "del": "span",
    "graphic": "span", "code": "span",
}  # fmt: skip


def read_web_page(data: bytes, url: str, content_type: str = "") -> Document:
    """Return the article, or whatever else the address gave, as a document.

    Args:
        data: the body of the answer, uncompressed.
        url: where it came from, after redirects; its path names what is no HTML.
        content_type: the header; its charset is believed only as far as the bytes bear it out.

    Raises:
        DocumentError: `empty`, `binary`, `unreadable` or `too large`.
    """
    if len(data) > LARGEST:
        raise DocumentError("too large", f"The page is larger than {LARGEST // 1024**2} MB.")
    name = PurePosixPath(unquote(urlsplit(url).path)).name
    markup = decode_page(data, content_type)
    if markup is None:
        return read_document(data, name)
    tree = parse_html(markup)
    facts = find_facts(tree)
    content = _read_body(tree.body, _is_manual(tree, url)) if tree.body else ""
    if not any(character.isalnum() for character in content):
        raise DocumentError("empty", "The page holds no text.")
    site = facts.site or (urlsplit(url).hostname or "").removeprefix("www.")
    return replace(facts, text=content, site=site, language=choose_language(facts.language, content))


def prepare() -> None:
    """Import what finds articles: it takes half a second, and a library of files never needs it."""
    import trafilatura  # noqa: F401


def decode_page(data: bytes, content_type: str = "") -> str | None:
    """Return the HTML of a page as text without characters that are not seen, or None when the bytes are something else.

    Raises:
        DocumentError: `unreadable` when no encoding fits.
    """
    if not is_text(data):
        return None
    charset = _CHARSET.search(content_type)
    text = remove_unseen(decode_text(data, find_label(data) or (charset.group(1) if charset else "")))
    return text if is_html(text, is_declared="html" in content_type.lower()) else None


def _read_body(body: ElementNode, is_manual: bool) -> str:
    remove_unread(body)
    remove_hidden(body)
    remove_footnote_marks(body)
    remove_consent(body)
    markup = body.html
    whole = "" if is_manual else _read_article(markup)
    if len(whole) > _NEARLY_EMPTY and len(whole) >= _LOST * _count_main(body):
        return whole
    plain = read_main(body)
    if is_manual and len(plain) < _NEARLY_EMPTY:
        whole = _read_article(markup)
    return max(plain, whole, key=len)


def _is_manual(tree: HTMLTree, url: str) -> bool:
    """Whether a page is documentation: made by a tool for it, or at an address for it."""
    document = tree.document
    if document is None:
        return False
    for meta in document.query_selector_all("meta[name='generator']").values():
        if _GENERATORS.search(meta.getattr("content") or ""):
            return True
    return document.query_selector(_MANUAL_PARTS) is not None or bool(_MANUAL_HOST.search(urlsplit(url).netloc))


def _count_main(body: ElementNode) -> int:
    """Characters of the largest element that says it is the main part, 0 without one."""
    return max((len(e.text or "") for e in body.query_selector_all("article, main").values()[:20]), default=0)


def _read_article(markup: str) -> str:
    """What trafilatura takes for the article, as light Markdown; "" when it finds none."""
    if len(markup) > _LARGEST:
        return ""
    import trafilatura
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", remove_comments=True)
    root = html.document_fromstring(POWER.sub(r"^\1", f"<html>{markup}</html>").encode("utf-8", "replace"), parser=parser)
    if _measure_depth(root) > _DEEPEST:
        return ""
    found = trafilatura.bare_extraction(root, include_comments=False, include_tables=True, fast=True)
    if found is None or isinstance(found, dict) or found.body is None:
        return ""
    _rename(found.body)
    return read_fragment(etree.tostring(found.body, encoding="unicode", method="xml"))


def _measure_depth(root: "_Element") -> int:
    from lxml import etree

    depth = deepest = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest


def _rename(body: "_Element") -> None:
    """Give the elements of trafilatura's TEI their names in HTML."""
    for element in list(body.iter("*")):
        rend = str(element.get("rend") or "")
        tag = str(element.tag)
        if tag == "head":
            element.tag = rend if re.fullmatch("h[1-6]", rend) else "h2"
        elif tag == "list" and rend == "dl":
            element.tag = "dl"
        elif tag == "item" and rend.startswith(("dt", "dd")):
            element.tag = rend[:2]
        elif tag == "cell":
            element.tag = "th" if element.get("role") == "head" else "td"
        elif tag == "code" and _is_listing(element):
            element.tag = "pre"
        else:
            element.tag = _TAGS.get(tag, tag)


def _is_listing(code: "_Element") -> bool:
    """Whether code stands by itself; within a sentence it is a part of it. Listings come as code within code."""
    parent = code.getparent()
    if parent is not None and parent.tag in ("pre", "p", "li", "td", "th", "dd", "dt", "span"):
        return parent.tag != "pre" and "\n" in "".join(code.itertext()).strip()
    return True

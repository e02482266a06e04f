"""What a page says about itself: title, authors, site, date, language."""

import re

from resiliparse.parse.html import DocumentNode, ElementNode, HTMLTree

from leadline.documents.blocks import clean_line
from leadline.documents.dates import normalise_date
from leadline.documents.document import Document

_AUTHOR_NAMES = ("citation_author", "author", "dc.creator", "dcterms.creator", "article:author", "byl", "parsely-author")
_DATE_NAMES = (
    "citation_publication_date", "citation_date", "article:published_time", "dc.date.issued", "dcterms.issued", "dc.date",
    "dcterms.date", "dcterms.created", "date", "pubdate", "publishdate", "publish_date", "datepublished", "parsely-pub-date",
    "article:modified_time", "last-modified", "dcterms.modified",
)  # fmt: skip
_DATE_PLACES = ("time[pubdate], [itemprop='datePublished'], .pubdate", "time[datetime]")
_AUTHOR_PLACES = "[itemprop='author'], .author, a[rel='author']"
_SEPARATOR = re.compile(r"\s+(?:[-–—|·•»«:]|::)\s+|\s*[|｜]\s*|：")
_PREFIX = re.compile(r"^(?:written\s+)?by\s+|^作者[:：]?\s*", re.IGNORECASE)
_LD_DATE = re.compile(r'"datePublished"\s*:\s*"([^"]{4,40})"')
_SPLIT = re.compile(r"\s*[;；]\s*|\s+and\s+|\s*[、]\s*")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_MOST_PLACES = 50
_MOST_AUTHORS = 20
_LONGEST_AUTHOR = 80


def find_facts(tree: HTMLTree) -> Document:
    """Return what a page's head, and the usual places in its body, say about it: a document without a text."""
    metas = _read_metas(tree)
    site = _find_site(tree, metas)
    title, suffix = _find_title(tree, metas, site)
    return Document(
        "",
        title=title,
        authors=_find_authors(tree, metas),
        site=site or suffix,
        date=_find_date(tree, metas),
        language=_find_language(tree, metas),
        identifiers=_find_identifiers(metas),
    )


def _root(tree: HTMLTree) -> DocumentNode:
    document = tree.document
    assert document is not None, "a parsed tree has a document"
    return document


def _read_metas(tree: HTMLTree) -> dict[str, list[str]]:
    metas: dict[str, list[str]] = {}
    for meta in _root(tree).query_selector_all("meta[content]").values():
        name = meta.getattr("name") or meta.getattr("property") or meta.getattr("itemprop") or meta.getattr("http-equiv")
        content = clean_line(meta.getattr("content") or "")
        if name and content:
            metas.setdefault(name.lower(), []).append(content)
    return metas


def _text_of(element: ElementNode | None) -> str:
    return clean_line(element.text or "") if element else ""


def _first(metas: dict[str, list[str]], *names: str) -> str:
    return next((metas[name][0] for name in names if name in metas), "")


def _find_site(tree: HTMLTree, metas: dict[str, list[str]]) -> str:
    """The site's name, or of a manual in many pages the title of its first page."""
    if name := _first(metas, "og:site_name", "application-name", "citation_journal_title"):
        return name
    home = _root(tree).query_selector("link[rel='home'][title], link[rel='start'][title], a[accesskey='h'][title]")
    return clean_line(home.getattr("title") or "") if home else ""


def _find_title(tree: HTMLTree, metas: dict[str, list[str]], site: str) -> tuple[str, str]:
    """Return the title, and the site's name if the title ends in it."""
    whole = _text_of(_root(tree).query_selector("title")) or _first(metas, "og:title", "citation_title", "dc.title")
    headings = _root(tree).query_selector_all("h1") if tree.body else []
    heading = re.sub(r"\s*[¶§#]$", "", _text_of(headings[0])) if len(headings) else ""
    if not whole:
        return heading, ""
    if heading and whole.startswith(heading):
        return heading, _SEPARATOR.sub("", whole[len(heading) :], count=1).strip()
    for name in (site, heading):
        parts = _SEPARATOR.split(whole)
        if name and len(parts) > 1 and parts[-1].casefold() == name.casefold():
            return whole[: -len(parts[-1])].rstrip(" -–—|·•»«:｜："), parts[-1]
    return whole, ""


def _find_authors(tree: HTMLTree, metas: dict[str, list[str]]) -> tuple[str, ...]:
    for name in _AUTHOR_NAMES:
        named = [author for author in metas.get(name, ()) if not author.startswith(("http:", "https:"))]
        if found := _split_authors(named):
            return found
    return _split_authors(
        [_text_of(element) for element in _root(tree).query_selector_all(_AUTHOR_PLACES).values()[:_MOST_PLACES]]
    )


def _split_authors(values: list[str]) -> tuple[str, ...]:
    names = (_PREFIX.sub("", name).strip(" ,") for value in values for name in _SPLIT.split(value))
    return tuple(dict.fromkeys(name for name in names if 0 < len(name) <= _LONGEST_AUTHOR))[:_MOST_AUTHORS]


def _find_date(tree: HTMLTree, metas: dict[str, list[str]]) -> str:
    for name in _DATE_NAMES:
        if found := normalise_date(_first(metas, name)):
            return found
    for places in _DATE_PLACES:
        for element in _root(tree).query_selector_all(places).values()[:_MOST_PLACES]:
            if found := normalise_date(element.getattr("datetime") or element.getattr("content") or element.text or ""):
                return found
    for script in _root(tree).query_selector_all("script[type='application/ld+json']").values():
        if match := _LD_DATE.search(script.text or ""):
            return normalise_date(match.group(1))
    return ""


def _find_language(tree: HTMLTree, metas: dict[str, list[str]]) -> str:
    root = _root(tree).query_selector("html")
    declared = (root.getattr("lang") or root.getattr("xml:lang")) if root else ""
    return declared or _first(metas, "content-language", "og:locale", "dc.language")


def _find_identifiers(metas: dict[str, list[str]]) -> tuple[str, ...]:
    """The DOI and arXiv number that the head names, as `doi:…` and `arxiv:…`; those in the text are other documents'."""
    doi = _DOI.search(_first(metas, "citation_doi", "dc.identifier", "prism.doi", "bepress_citation_doi"))
    arxiv = _first(metas, "citation_arxiv_id")
    named = [f"doi:{doi.group()}" if doi else "", f"arxiv:{re.sub(r'v[0-9]+$', '', arxiv)}" if arxiv else ""]
    return tuple(name.lower() for name in named if name)

"""An EPUB (https://www.w3.org/TR/epub-33/) as a document: its chapters in the order of the spine."""

import posixpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from leadline.documents.archive import Archive
from leadline.documents.blocks import remove_unseen, squeeze
from leadline.documents.charset import decode_text
from leadline.documents.dates import normalise_date
from leadline.documents.document import Document
from leadline.documents.html import read_html
from leadline.errors import DocumentError

if TYPE_CHECKING:
    from lxml.etree import _Element

CONTAINER = "META-INF/container.xml"
_MOST_AUTHORS = 20


def read_epub(archive: Archive) -> Document:
    """Return the chapters of a book, each under a heading: its own, or else its title.

    Raises:
        DocumentError: `unreadable` when the book has no package document, or `too large`.
    """
    path, package = _read_package(archive)
    facts = _read_facts(package)
    texts = [text for name in _list_chapters(package, posixpath.dirname(path)) if (text := _read_chapter(archive, name))]
    return Document(
        "\n\n".join(texts),
        title=next(iter(facts.get("title", ())), ""),
        authors=tuple(facts.get("creator", ()))[:_MOST_AUTHORS],
        site=next(iter(facts.get("publisher", ())), ""),
        date=normalise_date(next(iter(facts.get("date", ())), "")),
        language=next(iter(facts.get("language", ())), ""),
    )


def _read_package(archive: Archive) -> tuple[str, "_Element"]:
    container = archive.read_xml(CONTAINER)
    paths = [str(e.get("full-path") or "") for e in container.iter("{*}rootfile")] if container is not None else []
    for path in paths:
        package = archive.read_xml(path)
        if package is not None:
            return path, package
    raise DocumentError("unreadable", "The book has no package document.")


def _read_facts(package: "_Element") -> dict[str, list[str]]:
    facts: dict[str, list[str]] = {}
    for metadata in package.iter("{*}metadata"):
        for element in metadata.iter("{http://purl.org/dc/elements/1.1/}*"):
            if text := remove_unseen(squeeze(element.text or "")):
                facts.setdefault(str(element.tag).rpartition("}")[2], []).append(text)
    return facts


def _list_chapters(package: "_Element", folder: str) -> list[str]:
    """Names of the members that the spine lists, without the table of contents."""
    items = {str(item.get("id")): item for item in package.iter("{*}item")}
    listed = [items.get(str(reference.get("idref"))) for reference in package.iter("{*}itemref")]
    chapters = [
        str(item.get("href") or "")
        for item in listed
        if item is not None and "nav" not in str(item.get("properties") or "").split()
    ]
    return list(dict.fromkeys(posixpath.normpath(posixpath.join(folder, unquote(href))) for href in chapters))


def _read_chapter(archive: Archive, name: str) -> str:
    data = archive.read(name)
    if not data:
        return ""
    chapter = read_html(decode_text(data, "utf-8"))
    if not chapter.text or chapter.text.startswith("#") or not chapter.title:
        return chapter.text
    return f"# {chapter.title}\n\n{chapter.text}"

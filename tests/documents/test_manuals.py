"""The same manual as HTML and as PDF or EPUB: the same sentences, on the pages that they are printed on."""

import gzip
import re
from functools import cache
from pathlib import Path

import pytest

from leadline.documents import Document, read_document
from leadline.grounding.passages import split_page
from leadline.records import Page

pytestmark = pytest.mark.corpus

REFERENCE = "usr/share/debian-reference"
POLICY = "usr/share/doc/debian-policy"
QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})


@cache
def read(path: Path) -> Document:
    data = path.read_bytes()
    return read_document(gzip.decompress(data) if path.suffix == ".gz" else data, path.name)


def find_sentences(document: Document) -> list[str]:
    """Prose and items without white space: Chinese text and Latin words have it or not, as each format likes."""
    passages = split_page(Page(id="x", address="x", text=document.text), 1)
    return [fold(passage.text) for passage in passages if passage.kind in ("prose", "item")]


def fold(text: str) -> str:
    return re.sub(r"[\s\"]+|--", "", text.translate(QUOTES)).replace("-", "")


@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_the_reference_as_pdf(debian_documents: Path, language: str) -> None:
    folder = debian_documents / REFERENCE
    text = fold(read(folder / f"debian-reference.{language}.pdf").text)
    for number in (1, 2, 3, 9, 10, 12):
        sentences = find_sentences(read(folder / f"ch{number:02}.{language}.html"))
        found = sum(sentence in text for sentence in sentences) / len(sentences)
        assert found >= 0.7, (number, found)


@pytest.mark.parametrize("name", ["policy.pdf.gz", "policy.epub"])
def test_the_policy_as_pdf_and_as_book(debian_documents: Path, name: str) -> None:
    folder = debian_documents / POLICY
    text = fold(read(folder / name).text)
    sentences = find_sentences(read(folder / "policy.html" / "ch-controlfields.html"))
    assert sum(sentence in text for sentence in sentences) / len(sentences) >= 0.7


def test_sentences_are_on_the_pages_that_they_are_printed_on(debian_documents: Path) -> None:
    document = read(debian_documents / REFERENCE / "debian-reference.en.pdf")
    page = Page(id="x", address="x", text=document.text, page_starts=document.pages)
    assert (document.title, document.authors) == ("Debian Reference", ("Osamu Aoki",))
    place = document.text.index("There are two methods of associating a file")
    assert page.find_page_number(place) == 41  # printed as 13, after 28 pages of contents
    assert "13 / 233" not in document.text

"""The same book as HTML, as text and as PDF gives the same cited sentences for the same question."""

import gzip
import re
import shutil
from pathlib import Path

import pytest
from tests.documents.test_chapters import cut_chapter

import leadline

pytestmark = pytest.mark.corpus


def fold(text: str, language: str) -> str:
    """White space says nothing where Chinese text was wrapped next to Latin."""
    return re.sub(r"\s+", "" if language == "zh-cn" else " ", text)


async def cite(question: str, folder: Path, language: str) -> dict[str, list[str]]:
    run = await leadline.research(question, sources=[folder], keep=False)
    assert run.report is not None
    return {s.todo.title: [fold(p.text, language) for p in s.points] for s in run.report.sections}


@pytest.mark.parametrize(
    ("language", "number", "question"),
    [
        ("en", 2, "How do I upgrade packages safely?"),
        ("en", 9, "How do I encrypt a disk?"),
        ("zh-cn", 2, "如何安全地升级软件包？"),
        ("zh-cn", 9, "如何加密磁盘？"),
    ],
)
async def test_html_and_text_cite_the_same_sentences(
    debian_documents: Path, tmp_path: Path, language: str, number: int, question: str
) -> None:
    folder = debian_documents / "usr/share/debian-reference"
    whole = gzip.decompress((folder / f"debian-reference.{language}.txt.gz").read_bytes()).decode()
    chapter = cut_chapter(whole.replace("\xa0", " "), language, number)
    for kind in ("html", "text"):
        (tmp_path / kind).mkdir()
    (tmp_path / "html" / "chapter.html").write_bytes((folder / f"ch{number:02}.{language}.html").read_bytes())
    (tmp_path / "text" / "chapter.txt").write_text(chapter, encoding="utf-8")
    as_html = await cite(question, tmp_path / "html", language)
    assert sum(map(len, as_html.values())) >= 3
    assert as_html == await cite(question, tmp_path / "text", language)


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("How do I upgrade packages safely?", 83),
        ("How do I encrypt a disk?", 197),
        ("How do I recover deleted files?", 194),
    ],
)
async def test_html_and_pdf_cite_the_same_places(debian_documents: Path, tmp_path: Path, question: str, page: int) -> None:
    """At least half of what the PDF is cited for is cited of the web pages too; `page` is where it says the most."""
    folder = debian_documents / "usr/share/debian-reference"
    for kind, pattern in (("html", "ch*.en.html"), ("pdf", "debian-reference.en.pdf")):
        (tmp_path / kind).mkdir()
        for path in folder.glob(pattern):
            shutil.copy(path, tmp_path / kind)
    html, pdf = [await list_quotes(question, tmp_path / kind) for kind in ("html", "pdf")]
    shared = html.keys() & pdf.keys()
    assert len(shared) >= len(pdf) / 2
    assert page in {pdf[quote] for quote in shared}


async def list_quotes(question: str, folder: Path) -> dict[str, int]:
    """Return what is cited, without the signs that formats write in ways of their own → the page of the document."""
    run = await leadline.research(question, sources=[folder], keep=False)
    assert run.report is not None
    points = [point for section in run.report.sections for point in section.points]
    return {squeeze(point.evidence[0].quote): point.evidence[0].page_number for point in points}


def squeeze(text: str) -> str:
    return re.sub(r"[\s\"“”‘’'`–—-]+", "", text)

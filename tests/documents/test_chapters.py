"""The same chapter as HTML and as text gives the same sentences."""

import gzip
import re
from pathlib import Path

import pytest

from leadline.documents import Document, read_document
from leadline.grounding.passages import split_page
from leadline.records import Page

pytestmark = pytest.mark.corpus


def cut_chapter(text: str, language: str, number: int) -> str:
    begin, end = ((rf"^Chapter {n}\. ", rf"^第 {n} 章 ")[language == "zh-cn"] for n in (number, number + 1))
    after = text[next(re.finditer(begin, text, flags=re.MULTILINE)).start() :]
    return re.split(rf"{end}|^(?:Appendix|附录) A\. ", after, flags=re.MULTILINE)[0]


def find_sentences(document: Document, language: str) -> list[str]:
    """Return prose and items; spaces say nothing where Chinese text was wrapped next to Latin."""
    passages = split_page(Page(id="x", address="x", text=document.text), 1)
    texts = [passage.text for passage in passages if passage.kind in ("prose", "item")]
    return [re.sub(r"\s+", "" if language == "zh-cn" else " ", text) for text in texts]


@pytest.mark.parametrize("language", ["en", "zh-cn"])
@pytest.mark.parametrize("number", [1, 2, 9, 12])
def test_html_and_text_give_the_same_sentences(debian_documents: Path, language: str, number: int) -> None:
    folder = debian_documents / "usr/share/debian-reference"
    whole = gzip.decompress((folder / f"debian-reference.{language}.txt.gz").read_bytes()).decode()
    chapter = cut_chapter(whole.replace("\xa0", " "), language, number)
    as_text = find_sentences(read_document(chapter.encode(), "chapter.txt"), language)
    as_html = find_sentences(read_document((folder / f"ch{number:02}.{language}.html").read_bytes(), "x.html"), language)
    assert len(as_html) > 200
    assert sum(sentence in as_text for sentence in as_html) / len(as_html) >= 0.98
    assert sum(sentence in as_html for sentence in as_text) / len(as_text) >= 0.97

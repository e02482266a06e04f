"""Word documents, books and JSON."""

import json

import pytest
from tests.documents.samples import make_docx, make_epub, make_zip

from leadline.documents import read_document
from leadline.errors import DocumentError


def paragraph(text: str, style: str = "", properties: str = "", run: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


NUMBERED = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
STYLES = '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'


def test_word_documents() -> None:
    cell = "<w:tc>{}</w:tc>"
    row = f"<w:tr>{cell.format(paragraph('name'))}{cell.format(paragraph('size'))}</w:tr>"
    body = (
        paragraph("Pumped stores", "Title")
        + paragraph("How it works", "berschrift2")
        + "<w:p><w:r><w:t>Water </w:t></w:r><w:del><w:r><w:delText>wine</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>is pumped up.</w:t></w:r></w:ins><w:r><w:footnoteReference w:id='2'/></w:r></w:p>"
        + paragraph("the lower basin", properties=NUMBERED)
        + paragraph("the upper basin", properties=NUMBERED)
        + f"<w:tbl>{row}{row.replace('name', 'basin').replace('size', '3 ha')}</w:tbl>"
        + paragraph("secret", run="<w:vanish/>")
    )
    core = (
        "<dc:title>Stores</dc:title><dc:creator>Ada Lovelace; Alan Turing</dc:creator>"
        "<dcterms:created>2021-03-04T10:00:00Z</dcterms:created>"
    )
    document = read_document(make_docx(body, core, STYLES), "report.docx")
    assert document.text == (
        "# Pumped stores\n\n## How it works\n\nWater is pumped up.\n\n"
        "- the lower basin\n- the upper basin\n\nname | size\nbasin | 3 ha"
    )
    assert (document.title, document.authors, document.date) == ("Stores", ("Ada Lovelace", "Alan Turing"), "2021-03-04")


def chapter(title: str, body: str) -> str:
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title></head><body>{body}</body></html>'


def test_books() -> None:
    chapters = {
        "z": chapter("x", "<h1>First</h1><p>Water is pumped up.</p>"),
        "a": chapter("Second", "<p>Water falls down.</p><p hidden='hidden'>secret</p>"),
    }
    metadata = (
        "<dc:title>泵</dc:title><dc:creator>Ada Lovelace</dc:creator><dc:date>2020-05</dc:date><dc:language>en</dc:language>"
    )
    document = read_document(make_epub(chapters, metadata), "book")
    assert document.text == "# First\n\nWater is pumped up.\n\n# Second\n\nWater falls down."
    assert (document.title, document.authors, document.date) == ("泵", ("Ada Lovelace",), "2020-05")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (make_zip({"a.txt": "text"}), "binary"),
        (make_zip({"word/document.xml": "<w:document"}), "unreadable"),
        (make_zip({"word/document.xml": ""}), "empty"),
        (make_zip({"word/document.xml": "<a>" * 5000}), "unreadable"),
        (make_zip({"word/document.xml": b"<a>" + b" " * (21 * 1024**2) + b"</a>"}), "too large"),
        (make_zip({"META-INF/container.xml": "<container/>"}), "unreadable"),
        (make_docx("")[:200], "binary"),
        (make_docx("<w:p><w:r><w:t>&bomb;</w:t></w:r></w:p>"), "unreadable"),
    ],
)
def test_archives_that_hold_no_document(data: bytes, kind: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_document(data, "x.docx")
    assert caught.value.kind == kind


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    xml = f"{bomb}<w:document {w}><w:body><w:p><w:r><w:t>Plain &b; words</w:t></w:r></w:p></w:body></w:document>"
    assert "aaaa" not in read_document(make_zip({"word/document.xml": xml}), "x").text


def test_json_with_texts() -> None:
    records = [
        {"id": 1, "title": "Pumps", "text": "Water is pumped up.\n\nIt falls."},
        {"id": 2, "meta": {"abstract": "Losses are small."}},
    ]
    expected = "# Pumps\n\nWater is pumped up.\n\nIt falls.\n\nLosses are small."
    assert read_document(json.dumps(records).encode(), "x").text == expected
    lines = "\n".join(map(json.dumps, records))
    assert read_document(lines.encode(), "x.jsonl").text == expected


def test_json_without_texts() -> None:
    document = read_document(b'{"name": "pump", "size": {"height": 3, "wide": null}, "tags": ["a", "b"]}', "x")
    assert document.text == "- name: pump\n- size.height: 3\n- tags: a\n- tags: b"
    assert document.title == "pump"


@pytest.mark.parametrize("text", ["[note] This is no JSON.", "{curly} words", '["a"', '{"a": 1} and more words'])
def test_what_only_looks_like_json_is_text(text: str) -> None:
    assert read_document(text.encode(), "x").text

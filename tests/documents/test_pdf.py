"""PDFs: the text without what stands there for the page's sake, and what the document says about itself."""

import sys
from pathlib import Path

import pytest
from tests.documents.samples import Text, make_pdf, set_paragraph

from leadline.documents import Document, read_document
from leadline.documents.pdf_process import PdfProcess
from leadline.errors import DocumentError
from leadline.grounding.passages import split_page
from leadline.grounding.verdict import judge
from leadline.library import Library
from leadline.pipeline.reference import describe
from leadline.records import Page, Query, Source

PROSE = (
    "The pump moves water from the lower basin to the upper basin at night. It takes four hours to fill the upper basin. "
    "In the morning the water falls back through the turbine and drives it. The losses of the whole cycle are near a fifth."
)


def read(pages: list[list[Text]], **facts: str) -> Document:
    return read_document(make_pdf(pages, facts), "misleading-name-2019.pdf")


def test_lines_become_paragraphs() -> None:
    page = [
        Text("1 Introduction", y=80, size=14, font="F2"),
        *set_paragraph(PROSE, 110),
        *set_paragraph("Second. " + PROSE, 190),
    ]
    assert read([page]).text == f"# 1 Introduction\n\n{PROSE}\n\nSecond. {PROSE}"


def test_a_paragraph_goes_on_over_the_page() -> None:
    lines = set_paragraph(f"{PROSE} {PROSE}", 700)
    head = [line for line in lines if line.y < 730]
    tail = [Text(line.text, line.x, line.y - 630) for line in lines if line.y >= 730]
    document = read([head, tail])
    assert document.text == f"{PROSE} {PROSE}"
    assert document.pages == (0, document.text.index(tail[0].text.split(" ", 1)[0], len(" ".join(line.text for line in head))))


def test_running_heads_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            Text("Journal of Pumps, vol. 3", y=30),
            *set_paragraph(f"On page {n} stands this. {PROSE}", 120),
            Text(f"- {n} -", x=290, y=815),
        ]
        for n in range(1, 6)
    ]
    text = read(pages).text
    assert "Journal of Pumps" not in text
    assert "- 3 -" not in text
    assert text.count("stands this") == 5


def test_divided_words_are_mended() -> None:
    lines = [
        Text("A pumped store keeps what the night has left over, and its tur-", y=100),
        Text("bine gives it back. A time-out is seldom, and when there is a time-", y=112),
        Text("out the gates close.", y=124),
    ]
    assert read([lines]).text == (
        "A pumped store keeps what the night has left over, and its turbine gives it back."
        " A time-out is seldom, and when there is a time-out the gates close."
    )


@pytest.mark.parametrize("title", ["References", "7 References", "REFERENCES", "Bibliography"])
def test_lists_of_references_are_left_out(title: str) -> None:
    page = [
        *set_paragraph(PROSE, 80),
        Text(title, y=200, size=14, font="F2"),
        Text("[1] A. Nobody. Pumps considered harmful. Journal of Pumps, 3:1, 1999.", y=230),
        Text("[2] B. Somebody. Turbines shown to be useful. Proceedings of Water, 2001.", y=242),
    ]
    after = [
        Text("[3] C. Else. More about it, 2004.", y=80),
        Text("A Appendix on losses", y=120, size=14, font="F2"),
        *set_paragraph(PROSE, 150),
    ]
    text = read([page, after]).text
    assert "Nobody" not in text
    assert "Else" not in text
    assert text.endswith(f"# A Appendix on losses\n\n{PROSE}")


def test_notes_at_the_foot_do_not_part_a_sentence() -> None:
    lines = set_paragraph(PROSE.replace("basin at", "basin2 at"), 600)
    note = Text("2 Some call it a reservoir and mean the same.", y=780, size=7)
    text = read([[*lines, note]]).text
    assert PROSE in text
    assert text.startswith("2 Some call it") or text.endswith("mean the same.")


def test_items_and_listings() -> None:
    page = [
        *set_paragraph(PROSE, 80),
        Text("\u2022 the lower basin", y=150),
        Text("\u2022 the upper basin", y=162),
        Text("pump --start", y=190, font="F3"),
        Text("pump --stop", y=202, font="F3"),
    ]
    assert read([page]).text.endswith("- the lower basin\n- the upper basin\n\n```\npump --start\npump --stop\n```")


def test_tables_of_contents_are_left_out() -> None:
    page = [Text(f"{n}.1 Chapter . . . . . . . . . . . . . {n}", y=100 + 12 * n) for n in range(1, 9)]
    assert read([page, set_paragraph(PROSE, 80)]).text == PROSE


def test_pages_without_text_keep_their_number() -> None:
    document = read([set_paragraph(PROSE, 80), [], set_paragraph("Third. " + PROSE, 80)])
    page = Page(id="x", address="x", text=document.text, page_starts=document.pages)
    assert page.find_page_number(0) == 1
    assert page.find_page_number(document.text.index("Third.")) == 3


def test_facts_of_the_metadata() -> None:
    document = read(
        [set_paragraph(PROSE, 80)],
        Title="Pumped stores",
        Author="Ada Lovelace; Alan Turing",
        CreationDate="D:20210304101112Z",
        Subject="doi:10.1000/XYZ.12",
    )
    assert document.title == "Pumped stores"
    assert document.authors == ("Ada Lovelace", "Alan Turing")
    assert document.date == "2021-03-04"
    assert document.identifiers == ("doi:10.1000/xyz.12",)


@pytest.mark.parametrize("junk", ["", "untitled", "Microsoft Word - paper_v3.doc", "paper.dvi", "2019_final_07"])
def test_facts_of_the_first_page(junk: str) -> None:
    page = [
        Text("arXiv:2401.00001v2 [physics.app-ph] 3 Jan 2024", y=40, size=8),
        Text("Pumped Stores of", y=90, size=18),
        Text("Water and Wind", y=112, size=18),
        Text("Ada Lovelace1, Alan M. Turing2 and Grace Hopper", y=140, size=11),
        Text("1University of Nowhere", y=156),
        *set_paragraph(PROSE, 200),
    ]
    document = read([page], Title=junk, CreationDate="D:20240909")
    assert document.title == "Pumped Stores of Water and Wind"
    assert document.authors == ("Ada Lovelace", "Alan M. Turing", "Grace Hopper")
    assert document.date == "2024-01-03"
    assert document.identifiers == ("arxiv:2401.00001",)


def test_several_dois_on_the_first_page_are_those_of_others() -> None:
    page = [*set_paragraph(PROSE, 80), Text("See 10.1000/aaa and 10.1000/bbb.", y=300)]
    assert read([page]).identifiers == ()


def shift(text: str, by: int) -> str:
    return "".join(chr((ord(c.lower()) - 97 + by) % 26 + 97) if c.isalpha() else c for c in text)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (make_pdf([[]], image=True), "scanned"),
        (make_pdf([[Text("p. 1")], [Text("p. 2")]], image=True), None),
        (make_pdf([set_paragraph(PROSE, 80)], locked=True), "encrypted"),
        (make_pdf([set_paragraph(shift(PROSE * 2, 3), 80)]), "broken encoding"),
        (make_pdf([set_paragraph(shift(PROSE * 2, 22), 80)]), "broken encoding"),
        (make_pdf([set_paragraph("(cid:12)(cid:7)(cid:99) " * 40, 80)]), "broken encoding"),
        (b"%PDF-1.7\nnothing of a PDF follows", "damaged"),
        (make_pdf([set_paragraph(PROSE, 80)])[:300], "damaged"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, why: str | None) -> None:
    with pytest.raises(DocumentError, match=why) as caught:
        read_document(data, "x.pdf")
    assert caught.value.kind == ("unreadable" if why else "empty")


def test_other_languages_are_no_broken_encoding() -> None:
    polish = "Zbiornik górny napełnia się w ciągu czterech godzin nocą. Rano woda spada przez turbinę i napędza ją. " * 4
    finnish = "Pumppu siirtää veden alemmasta altaasta ylempään altaaseen yöllä. Aamulla vesi putoaa turbiinin läpi. " * 4
    for text in (polish, finnish):
        ascii_only = text.encode("ascii", "ignore").decode()
        assert len(read([set_paragraph(ascii_only, 80)]).text) > 200


def test_a_text_about_the_format_is_no_pdf() -> None:
    assert "%PDF-1.7" in read_document(b"A file of this kind starts with %PDF-1.7 and ends otherwise.", "a.txt").text


def test_long_documents_say_which_part_was_read() -> None:
    document = read([[Text(f"Sentence number {n} stands on its own page here.", y=400)] for n in range(1, 503)])
    assert document.part == "pages 1–500 of 502"
    assert "number 500 " in document.text
    assert "number 501 " not in document.text


FAKE = """
import sys
from leadline.documents.pdf_reply import read_frame, write_frame
while data := read_frame(sys.stdin.buffer):
    if data == b"crash": sys.exit(1)
    if data == b"hang": sys.stdin.buffer.read()
    write_frame(sys.stdout.buffer, b'{"error": "damaged"}')
"""


def test_a_worker_that_crashes_or_hangs_costs_one_document() -> None:
    process = PdfProcess(longest=3.0, command=(sys.executable, "-c", FAKE))
    try:
        assert process.read(b"good") == {"error": "damaged"}
        with pytest.raises(DocumentError, match="damaged"):
            process.read(b"crash")
        with pytest.raises(DocumentError, match="longer than 3 s"):
            process.read(b"hang")
        assert process.read(b"good") == {"error": "damaged"}
    finally:
        process.close()


async def test_references_name_the_page(tmp_path: Path, home: Path) -> None:
    (tmp_path / "docs").mkdir()
    filler = [set_paragraph(f"Chapter {n} is about the history of mills and canals.", 80) for n in range(3)]
    (tmp_path / "docs" / "a.pdf").write_bytes(make_pdf([*filler, set_paragraph(PROSE, 80)], {"Title": "Pumped stores"}))
    library = await Library.open([str(tmp_path / "docs")], home)
    (hit,) = await library.search(Query(text="turbine losses", limit=5))
    page = await library.read(hit)
    assert isinstance(page, Page)
    (passage,) = (passage for passage in split_page(page, 1) if "turbine" in passage.text)
    evidence = judge(passage.text, page, passage)
    assert (evidence.verdict, evidence.page_number) == ("verbatim", 4)
    source = Source(page=page.id, address=page.address, title=page.title, page_numbers=(evidence.page_number,))
    assert describe(source) == "Pumped stores. a.pdf, p. 4"
    several = source.model_copy(update={"page_numbers": (2, 4), "part": "pages 1–500 of 502"})
    assert describe(several) == "Pumped stores. a.pdf, pp. 2, 4 (pages 1–500 of 502)"

"""Whatever became of a file on its way: a document or a DocumentError, in bounded time and memory."""

import contextlib
import gzip
import random
import time
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.documents.samples import Text, make_docx, make_epub, make_pdf, make_zip, set_paragraph

from leadline.documents import read_document
from leadline.documents.obstacles import find_obstacle
from leadline.documents.web_page import read_web_page
from leadline.errors import DocumentError

PROSE = "Water is pumped up at night and falls down again in the morning through the turbine of the station. " * 4
SAMPLES = {
    "pdf": make_pdf([set_paragraph(PROSE, 80), [Text("References", y=60, size=14)]], {"Title": "Stores"}),
    "docx": make_docx(
        f"<w:p><w:r><w:t>{PROSE}</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>", "<dc:title>x</dc:title>"
    ),
    "epub": make_epub({"a": f"<html><body><h1>T</h1><p>{PROSE}</p></body></html>"}, "<dc:title>x</dc:title>"),
    "html": f"<html><head><meta charset=gbk><title>T</title></head><body><article><p>{PROSE}</p></article>".encode(),
    "json": b'{"title": "x", "text": "Water is pumped up.", "list": [1, {"a": [null, true]}]}',
}


@pytest.mark.parametrize("kind", SAMPLES)
@given(place=st.integers(0, 5000), cut=st.booleans(), put=st.binary(max_size=8), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_mutated_documents(kind: str, place: int, cut: bool, put: bytes, seed: int) -> None:
    data = SAMPLES[kind]
    at = place % len(data)
    mutated = bytearray(data[:at] if cut else data[:at] + put + data[at + len(put) :])
    rng = random.Random(seed)
    for _ in range(rng.randrange(6)):
        if mutated:
            mutated[rng.randrange(len(mutated))] = rng.randrange(256)
    with contextlib.suppress(DocumentError):
        read_document(bytes(mutated), "a")
    with contextlib.suppress(DocumentError):
        assert "\u202e" not in read_web_page(bytes(mutated), "https://e.example/a", "text/html").text


@given(markup=st.text(max_size=400), url=st.text(max_size=40), header=st.text(max_size=30))
@settings(max_examples=80, deadline=None)
def test_any_page(markup: str, url: str, header: str) -> None:
    find_obstacle(markup, url, {header: header})
    with contextlib.suppress(DocumentError):
        read_web_page(markup.encode("utf-8", "surrogatepass"), url, header)


HUGE = 60 * 1024**2
DRAWN = zlib.compress(b"BT /F1 9 Tf (water) Tj ET\n" * 400_000, 9)


@pytest.mark.parametrize(
    "data",
    [
        make_zip({"word/document.xml": bytes(HUGE)}),
        make_zip({"word/document.xml": b"<w:a>" * 2_000_000}),
        make_zip({"META-INF/container.xml": '<c><rootfile full-path="a"/></c>', "a": b"<package>" + b"<item/>" * 1_000_000}),
        make_docx("<w:p/>" * 300_000),
        make_docx("<w:tbl><w:tr><w:tc>" * 60 + "</w:tc></w:tr></w:tbl>" * 60),
        make_epub({f"c{n}": "<p>x</p>" for n in range(3000)}),
        gzip.compress(bytes(HUGE)),
        b'{"a":' * 100_000,
        b"[" * 1_000_000,
        b'[{"text": "a"},' * 100_000,
        b"<html><body>" + b"<div>" * 100_000 + b"x",
        b"<html><body>" + b"<p class=cookie>cookie " * 50_000,
        b"<html><head>" + b'<meta http-equiv=refresh content="0;url=a">' * 20_000,
        b"%PDF-1.4\n" + b"1 0 obj <<" * 200_000,
        SAMPLES["pdf"].replace(b"/Count 2", b"/Count 99999999"),
    ],
    ids=range(15),
)
def test_hostile_documents_take_bounded_time(data: bytes) -> None:
    start = time.process_time()
    with contextlib.suppress(DocumentError):
        read_document(data, "a")
    with contextlib.suppress(DocumentError):
        read_web_page(data, "https://e.example/a", "text/html")
    with contextlib.suppress(DocumentError):
        find_obstacle(data[:500_000].decode("latin-1"), "https://e.example/a")
    assert time.process_time() - start < 10


def test_a_pdf_that_unpacks_to_very_much_is_given_up() -> None:
    body = SAMPLES["pdf"]
    start = body.index(b"stream\nBT")
    end = body.index(b"endstream", start)
    head = body.rindex(b"<< /Length", 0, start)
    packed = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\n" % (len(DRAWN), DRAWN)
    began = time.monotonic()
    with contextlib.suppress(DocumentError):
        read_document(body[:head] + packed + body[end:], "a.pdf")
    assert time.monotonic() - began < 70

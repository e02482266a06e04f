"""Whatever the bytes: a document or a DocumentError."""

import contextlib
import gzip
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.documents import read_document
from leadline.errors import DocumentError

NAMES = ["a.html", "a.md", "a.rst", "a.txt", "METADATA", "a.gz", ""]
PIECES = [
    "<p>", "</p>", "<table>", "<tr>", "<td>", "</table>", "<ul>", "<li>", "</ul>", "<dl>", "<dt>", "<dd>", "<pre>", "</pre>",
    "<h1>", "<a href=x>", "</a>", "<!--", "-->", "<br>", "&amp;", "word ", "句子。", "\n", "    ", "* ", "- ", ".. note::",
    "::", "====", "----", "+--+", "| a |", "```", "#", "|", ":x: y", "`a`_", "1. ", "[1]: x", "\t", "\u202e", "<html>",
    "</div>", ">>> ", "---\n",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@given(data=st.binary(max_size=2000))
@settings(max_examples=60, deadline=None)
def test_random_bytes(name: str, data: bytes) -> None:
    with contextlib.suppress(DocumentError):
        assert read_document(data, name).text


@pytest.mark.parametrize("name", NAMES)
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60))
@settings(max_examples=120, deadline=None)
def test_random_markup(name: str, pieces: list[str]) -> None:
    with contextlib.suppress(DocumentError):
        document = read_document("".join(pieces).encode(), name)
        assert "\u202e" not in document.text
        assert "\n\n\n" not in document.text or "```" in document.text


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", b"<html>" + b"<ul><li>x" * 20_000),
        ("a.html", b"<html>" + b"<aside>x" * 20_000),
        ("a.html", b"<html>" + b"<p hidden><b style='display:none'>" * 20_000),
        ("a.html", b"<html>" + b"<!--" * 200_000),
        ("a.html", b'<html><p title="' * 50_000),
        ("a.md", b"[" * 300_000),
        ("a.rst", b"* " * 100_000),
        ("a.rst", b"`" * 300_000),
        ("a.txt", b"a\n" * 200_000),
        ("a.html", b"<!-- a comment -->\n" * 200 + b"<p>x"),
        ("a.html", b"<html><p " + b" ".join(b"b%d" % number for number in range(60_000)) + b">x"),
        ("a.html", b"<html><p style='opacity:" + b"0" * 200_000 + b"1'>x"),
        ("a.html", b"<html>" + b"a<sup>" * 50_000),
        ("a.md", b"<!-- a comment -->\n" * 200 + b"<p>x"),
        ("a.md", (b"[" * 40_000 + b"\n\n") * 50),
        ("a.txt", b"a" + b" " * 200_000 + b"b"),
        ("a.txt", (b"a" + b" " * 2_000 + b"b\n") * 200),
        ("a.txt", b"[1] note\na" + b" " * 200_000 + b"b"),
        ("a.txt", b"~" * 200_000 + b" x\n"),
        ("a.txt", b"a = b;\n" * 30_000),
        ("a.txt", b"a = b;\n\n" * 30_000),
        ("a.txt", b"Head\n----\n" * 30_000),
        ("a.txt", b"+--+\n----\n" * 30_000),
        ("a.rst", b":a" * 100_000),
        ("a.rst", b"a." * 100_000),
        ("a.rst", b"a `b" + b" " * 200_000 + b"x` b"),
        ("a.rst", b"\n".join(b".. |a%d| replace:: b" % n for n in range(5_000)) + b"\n\n" + b"x y\n\n" * 20_000),
        ("a.gz", gzip.compress(b"", mtime=0) * 200_000),
        ("a.txt", b"+" + b"-+" * 5_000 + b"\n" + (b"|x" * 5_000 + b"|\n") * 20),
    ],
)
def test_hostile_documents_take_bounded_time(name: str, data: bytes) -> None:
    start = time.process_time()
    with contextlib.suppress(DocumentError):
        read_document(data, name)
    assert time.process_time() - start < 5

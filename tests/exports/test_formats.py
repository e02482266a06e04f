"""Every format: each citation leads to its evidence, and no text breaks the file."""

import io
import json
import re
import resource
import zipfile
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.reports import PAGES, Sample, make_disputed_sample, make_sample

from leadline.errors import RunFailed, UsageError
from leadline.exports.files import write_file
from leadline.exports.formats import FORMATS, find_format
from leadline.exports.material import Material
from leadline.records import Page
from leadline.verification.claims import read_claims

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


def _material(sample: Sample) -> Material:
    assert sample.run.report is not None
    return Material(sample.run, sample.run.report, (), (), sample.pages)


def _make(suffix: str, sample: Sample) -> bytes:
    return find_format(f"x{suffix}").make(_material(sample))


def _hostile(text: str) -> Sample:
    """A run in which every text that somebody else has written is the same."""
    line = " ".join(text.split())
    sentence = f"Rows {line} end."
    page = PAGES[0].model_copy(update={"title": text, "site": text, "authors": (text, "B"), "text": f"{sentence}\n\n{text}\n"})
    return make_sample((page, PAGES[1]), ((f"T {text}", (sentence,)), ("Full", ("It ends.",))), title=f"T {text}")


def _check_markdown(content: bytes, sample: Sample) -> None:
    cited = [claim for claim in read_claims(content.decode()) if claim.cites]
    assert all(address for claim in cited for address in claim.cites)


def _check_html(content: bytes, sample: Sample) -> None:
    text = content.decode()
    anchors = re.findall(r'\sid="([^"]+)"', text)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(anchors)
    assert text.count('class="evidence"') == sum(len(point.evidence) for point in sample.run.points)


def _check_json(content: bytes, sample: Sample) -> None:
    data = json.loads(content)
    numbers = {reference["number"] for reference in data["references"]}
    assert {evidence["reference"] for point in data["points"] for evidence in point["evidence"]} <= numbers


def _check_csl(content: bytes, sample: Sample) -> None:
    assert sample.run.report is not None
    items = json.loads(content)
    assert [item["id"] for item in items] == [f"leadline-k3v9x2mq-{source.number}" for source in sample.run.report.references]


def _check_bibtex(content: bytes, sample: Sample) -> None:
    assert sample.run.report is not None
    text = content.decode()
    assert text.count("@misc{leadline-k3v9x2mq-") == len(sample.run.report.references)
    bare = re.sub(r"\\.", "", text)
    assert bare.count("{") == bare.count("}")


def _check_docx(content: bytes, sample: Sample) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        tree = ElementTree.fromstring(archive.read("word/document.xml"))
    names = [mark.get(f"{W}name") for mark in tree.iter(f"{W}bookmarkStart")]
    links = {link.get(f"{W}anchor") for link in tree.iter(f"{W}hyperlink")} - {None}
    assert links <= set(names)
    assert len(names) == len(set(names))
    assert bool(links) == bool(sample.run.points)


def _check_bundle(content: bytes, sample: Sample) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        _check_markdown(archive.read("report.md"), sample)
        _check_html(archive.read("report.html"), sample)
    for point in sample.run.points:
        assert all(f"pages/{evidence.page}.json" in names for evidence in point.evidence)


CHECKS = {
    ".md": _check_markdown,
    ".html": _check_html,
    ".json": _check_json,
    ".csl.json": _check_csl,
    ".bib": _check_bibtex,
    ".docx": _check_docx,
    ".zip": _check_bundle,
}


@pytest.mark.parametrize("suffix", CHECKS)
def test_every_citation_resolves(suffix: str) -> None:
    sample = make_sample()
    CHECKS[suffix](_make(suffix, sample), sample)


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
@pytest.mark.parametrize("suffix", CHECKS)
def test_every_citation_resolves_where_sources_differ_and_points_are_marked(suffix: str, language: str) -> None:
    sample = make_disputed_sample(language)
    CHECKS[suffix](_make(suffix, sample), sample)


@pytest.mark.parametrize("suffix", [suffix for suffix in CHECKS if suffix != ".zip"])
def test_a_run_whose_saved_page_is_gone_is_exported_all_the_same(suffix: str) -> None:
    run, pages = make_sample()
    sample = Sample(run, {PAGES[0].id: pages[PAGES[0].id]})
    content = _make(suffix, sample)
    CHECKS[suffix](content, sample)
    if suffix == ".html":
        gone = [evidence for point in run.points for evidence in point.evidence if evidence.page != PAGES[0].id]
        assert content.decode().count("the saved copy is gone") == len(gone) > 0


@pytest.mark.parametrize("suffix", CHECKS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=WORDS)
def test_every_citation_resolves_whatever_the_texts_are(suffix: str, text: str) -> None:
    sample = _hostile(text)
    CHECKS[suffix](_make(suffix, sample), sample)


def test_the_checks_cover_every_format_but_pdf_that_has_its_own() -> None:
    assert {known.suffix for known in FORMATS} == {*CHECKS, ".pdf"}


@pytest.mark.parametrize(
    ("name", "suffix"), [("a.csl.json", ".csl.json"), ("a.JSON", ".json"), ("报告.html", ".html"), ("a.b.zip", ".zip")]
)
def test_the_end_of_a_name_chooses(name: str, suffix: str) -> None:
    assert find_format(name).suffix == suffix


@pytest.mark.parametrize("name", ["report.txt", "report.csl", "report", "md", ""])
def test_an_unknown_end_is_refused_and_the_allowed_are_named(name: str) -> None:
    with pytest.raises(UsageError, match=r"allowed are \.md, \.html, \.pdf, \.docx, \.json, \.csl\.json, \.bib, \.zip"):
        find_format(name)


def test_a_bibliography_says_what_is_known() -> None:
    sample = make_sample()
    (first, second) = json.loads(_make(".csl.json", sample))
    assert first["author"] == [{"literal": "Ada Writer"}, {"literal": "Bo Second"}]
    assert (first["issued"], first["type"]) == ({"date-parts": [[2022, 10, 12]]}, "webpage")
    assert (second["type"], "URL" in second, second["archive_location"]) == ("document", False, "manual/full.html")
    text = _make(".bib", sample).decode()
    assert "author = {{Ada Writer} and {Bo Second}}" in text
    assert "url = {https://docs.example/vacuum}" in text


def test_word_keeps_what_xml_cannot_hold_out_and_has_chinese_fonts() -> None:
    page = Page(id="c" * 64, address="一.html", title="维\x00护", text="清理命令回收死行所占的空间。\n")
    sample = make_sample((page,), (("清\x08理", ("清理命令回收死行所占的空间。",)),), title="如何回收？\ufffe", language="zh")
    with zipfile.ZipFile(io.BytesIO(_make(".docx", sample))) as archive:
        assert "清理命令回收死行所占的空间" in archive.read("word/document.xml").decode()
        assert 'w:eastAsia="SimSun"' in archive.read("word/styles.xml").decode()


def test_word_has_its_marks_before_the_full_stop_as_markdown_has() -> None:
    sample = make_sample()
    with zipfile.ZipFile(io.BytesIO(_make(".docx", sample))) as archive:
        tree = ElementTree.fromstring(archive.read("word/document.xml"))
    lines = ["".join(part.text or "" for part in paragraph.iter(f"{W}t")) for paragraph in tree.iter(f"{W}p")]
    for point in sample.run.points:
        assert any(re.fullmatch(rf"{re.escape(point.text[:-1])}( \[\d\])+( \(.*\))?\.", line) for line in lines)


def _unpack(pdf: bytes) -> bytes:
    """Return the streams of a PDF, in which its links and anchors are."""
    return b"".join(zlib.decompress(found) for found in re.findall(rb"stream\n(x\xda.*?)\nendstream", pdf, re.DOTALL))


def test_a_pdf_has_its_links_and_asks_for_nothing(pango: None, caplog: pytest.LogCaptureFixture) -> None:
    page = Page(id="c" * 64, address="https://e.example/一", title="维护", text="清理命令回收死行所占的空间。\n")
    sample = make_sample((page,), (("清理", ("清理命令回收死行所占的空间。",)),), title="如何回收？", language="zh")
    content = _make(".pdf", sample)
    assert content.startswith(b"%PDF-")
    assert b"(e1-1-1)" in _unpack(content)
    assert not [record for record in caplog.records if record.levelname == "ERROR" or "No anchor" in record.getMessage()]


def test_a_pdf_with_letters_that_no_font_has_is_refused(pango: None) -> None:
    page = Page(id="c" * 64, address="a", title="Rare", text="A rare letter is \U0003134f here.\n")
    sample = make_sample((page,), (("Rare", ("A rare letter is \U0003134f here.",)),))
    with pytest.raises(UsageError, match="fonts-noto-cjk"):
        _make(".pdf", sample)


def test_a_disk_that_is_full_is_a_failure_and_leaves_no_trace(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk."""
    path = tmp_path / "report.html"
    write_file(path, b"before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        with pytest.raises(RunFailed, match="There is no room"):
            write_file(path, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]

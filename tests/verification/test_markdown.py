"""Any Markdown report against the pages that it cites."""

from pathlib import Path

import pytest

from leadline.records import Hit, NotRead
from leadline.testing import Corpus
from leadline.verification import verify_markdown
from leadline.verification.reading import ChosenReader, FileReader

TEXTS = {
    "https://e.example/vacuum": "# VACUUM\n\nVACUUM reclaims the space of 20 dead rows.\n\nIt never locks the table.",
    "https://e.example/empty": "",
}


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("VACUUM reclaims the space of 20 dead rows", "verbatim"),
        ("VACUUM reclaims the space of 30 dead rows", "contradicted"),
        ("VACUUM never reclaims the space of 20 dead rows", "contradicted"),
        ("Zebras live in the savanna", "unsupported"),
    ],
)
async def test_a_sentence_against_its_page(sentence: str, verdict: str) -> None:
    found = await verify_markdown(f"{sentence} [1].\n\n[1]: https://e.example/vacuum\n", Corpus(TEXTS))
    (finding,) = found.findings
    assert finding.verdict == verdict
    assert finding.holds == (verdict == "verbatim")
    assert finding.line == 1


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("The new engine runs more slowly than the old one", False),
        ("The new engine is much faster than the old one on most of the roads", True),
        ("The new engine of Beta is much faster than the old one", False),
        ("The old engine is much faster than the new one", False),
        ("The new engine of Beta is much faster than the old one (see also [2])", True),
    ],
)
async def test_a_partial_citation_holds_where_nothing_differs(sentence: str, holds: bool) -> None:
    corpus = Corpus(
        {"1.md": "The new engine is much faster than the old one.", "2.md": "The new engine is faster than the old one."}
    )
    mark = "" if "[2]" in sentence else " [1]"
    found = await verify_markdown(f"{sentence}{mark}.\n\n[1]: 1.md\n[2]: 2.md\n", corpus)
    (finding,) = found.findings
    assert finding.holds is holds, finding


async def test_what_a_page_contradicts_is_not_held_by_another_of_its_sentences() -> None:
    page = "The new engine runs much more slowly than the old one.\n\nThe new engine is quieter than the old one was in 2019."
    found = await verify_markdown(
        "The new engine runs much faster than the old one [1].\n\n[1]: 1.md\n", Corpus({"1.md": page})
    )
    assert [(finding.verdict, finding.holds) for finding in found.findings] == [("contradicted", False)]


async def test_what_cannot_be_read_is_unreachable() -> None:
    text = "A [1]. B [2]. C [7].\n\n[1]: https://e.example/empty\n[2]: https://e.example/gone\n"
    found = await verify_markdown(text, Corpus(TEXTS))
    assert [finding.verdict for finding in found.findings] == ["unreachable"] * 3
    assert found.findings[2].reason == "[7] is in no list of references"
    assert found.score == 0


async def test_a_page_is_read_once_and_what_is_not_cited_is_counted() -> None:
    read: list[str] = []

    class Counting(Corpus):
        async def read(self, hit: Hit) -> object:  # type: ignore[override]
            read.append(hit.address)
            return await super().read(hit)

    text = "It never locks the table [1]. It never locks the table [1]. So be it.\n\n[1]: https://e.example/vacuum\n"
    found = await verify_markdown(text, Counting(TEXTS))  # type: ignore[arg-type]
    assert read == ["https://e.example/vacuum"]
    assert (found.score, found.uncited) == (1.0, 1)


async def test_files_beside_the_report_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "a b.md").write_text("VACUUM reclaims space.", encoding="utf-8")
    (tmp_path / "secret.md").write_text("VACUUM reclaims space.", encoding="utf-8")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    reader = ChosenReader(Corpus({}), [FileReader(folder)])
    said = (
        "a%20b.md",
        "../secret.md",
        "link.md",
        str(tmp_path / "secret.md"),
        "x\x00y",
        "https://e.example/",
        "HTTPS://e.example/",
    )
    pages = [await reader.read(Hit(backend="t", address=address)) for address in said]
    assert [type(page).__name__ for page in pages] == ["Page", *["NotRead"] * 6]


async def test_a_file_that_is_too_large_is_not_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(1 << 40)  # a hole: read whole, it would fill the memory
    found = await FileReader(tmp_path).read(Hit(backend="t", address="large.txt"))
    assert isinstance(found, NotRead)
    assert "larger than 20 MB" in found.reason


async def test_a_folder_name_before_the_path_may_be_left_out() -> None:
    reader = ChosenReader(Corpus({}), [Corpus({"vacuum.html": "VACUUM reclaims space."})])
    assert (await reader.read(Hit(backend="t", address="manual/vacuum.html"))).address == "vacuum.html"

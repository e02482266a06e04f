"""What a Markdown text cites, in the ways that people and programs write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports import make_sample

from leadline.pipeline.rendering import to_markdown
from leadline.verification.claims import read_claims

LIST = "\n\n## References\n\n[1] One. https://e.example/1\n[2] Two. <https://e.example/2>\n[3] Three. manual/three.html\n"
A, B, C = "https://e.example/1", "https://e.example/2", "manual/three.html"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("It holds [1].", [("It holds.", (A,))]),
        ("It holds. [1] It falls [2].", [("It holds.", (A,)), ("It falls.", (B,))]),
        ("It holds [1, 3].", [("It holds.", (A, C))]),
        ("It holds [1-3].", [("It holds.", (A, B, C))]),
        ("It holds [1][2].", [("It holds.", (A, B))]),
        ("It holds [1] (see also [2, 3]).", [("It holds.", (A, B, C))]),
        ("它成立【1】。它倒下［2］。", [("它成立。", (A,)), ("它倒下。", (B,))]),
        ("它成立 [1]（另见 [2]）。", [("它成立。", (A, B))]),
        ("> **Sources differ:** It holds [1] (forum, 2016). It falls [2].", [("It holds.", (A,)), ("It falls.", (B,))]),
        ("- **结论：**它成立 [1]。", [("它成立。", (A,))]),
        ("It holds [1] (only in part).", [("It holds.", (A,))]),
        ("**It** holds [1]. **Now:** no.", [("It holds.", (A,)), ("Now: no.", ())]),
        ("- It holds [1].\n- It falls.", [("It holds.", (A,)), ("It falls.", ())]),
        ("| a | b |\n|---|---|\n| It holds [1] | x |", [("a", ()), ("b", ()), ("It holds", (A,)), ("x", ())]),
        ("It [holds](https://f.example/a) well.", [("It holds well.", ("https://f.example/a",))]),
        ("It holds ([source](https://f.example/a)).", [("It holds.", ("https://f.example/a",))]),
        ("It holds <https://f.example/a>.", [("It holds.", ("https://f.example/a",))]),
        ("It holds: https://f.example/a.", [("It holds:.", ("https://f.example/a",))]),
        ("It holds ([here](other.html)), [jump](#a).", [("It holds, jump.", ("other.html",))]),
        ("It holds [9].", [("It holds.", ("",))]),
        ("In [2024] `a[1]` holds.", [("In [2024] a[1] holds.", ())]),
        ("# It holds [1].\n\n```\nIt holds [1].\n```", []),
    ],
)
def test_sentences_and_what_they_cite(body: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(claim.text, claim.cites) for claim in read_claims(body + LIST)] == found


@pytest.mark.parametrize(
    ("body", "aside"),
    [
        ("It holds [1] (see also [2, 3]).", {"[2]", "[3]"}),
        ("它成立 [1]（另见 [2]）。", {"[2]"}),
        ("It holds [1, 2] (only in part).", {"[1]", "[2]"}),
        ("它成立 [1]（仅部分有依据）。", {"[1]"}),
        ("It holds (see [1]).", set()),
    ],
)
def test_marks_that_claim_less(body: str, aside: set[str]) -> None:
    (claim,) = read_claims(body + LIST)
    assert claim.aside == aside


@pytest.mark.parametrize(
    "entry",
    [
        "[^1]: One. https://e.example/1",
        "[1]: https://e.example/1 'One'",
        "## 参考文献\n\n1. One, https://e.example/1.",
        "## Sources\n\n- [1] [One](https://e.example/1)",
        "**References**\n\n[1] One <https://e.example/1>",
    ],
)
def test_lists_of_references(entry: str) -> None:
    mark = "[^1]" if "[^1]" in entry else "[1]"
    (claim,) = [claim for claim in read_claims(f"It holds {mark}.\n\n{entry}\n") if claim.cites]
    assert (claim.text, claim.cites, claim.line) == ("It holds.", (A,), 1)


def test_every_point_of_a_report_is_found_with_its_sources() -> None:
    run, _ = make_sample()
    assert run.report is not None
    addresses = {source.page: source.address for source in run.report.references}
    claims = {claim.text: set(claim.cites) for claim in read_claims(to_markdown(run.report))}
    for point in run.points:
        assert claims[point.text] == {addresses[evidence.page] for evidence in point.evidence}


@given(st.text(alphabet=st.sampled_from("[]()1234^,-【】<>`*#| \nab.:/https。\\"), max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    for claim in read_claims(text):
        assert len(claim.cites) == len(claim.marks)
        assert claim.text

import pytest

from leadline.grounding.passages import split_page
from leadline.grounding.verdict import judge
from leadline.records import Evidence, Page

TEXT = """# Vacuum

VACUUM reclaims storage occupied by dead tuples. In normal operation, tuples that are deleted are not physically removed from \
their table. The default threshold is 50 rows plus 20 % of the table.

旧版本的行由 VACUUM 清理，并不会立即从磁盘上删除。"""


def check(text: str, near: str) -> Evidence:
    page = Page(id="p", address="a", text=TEXT)
    return judge(text, page, next(p for p in split_page(page, 1) if near in p.text))


@pytest.mark.parametrize(
    ("text", "near", "verdict"),
    [
        ("VACUUM reclaims storage occupied by dead tuples.", "VACUUM", "verbatim"),
        ("VACUUM reclaims  storage\noccupied by dead tuples.", "default", "verbatim"),
        ("旧版本的行由 VACUUM 清理,并不会立即从磁盘上删除。", "旧版本", "verbatim"),
        ("Storage occupied by dead tuples is reclaimed by VACUUM.", "VACUUM", "supported"),
        ("The default threshold is 50 rows plus 10 % of the table.", "default", "contradicted"),
        ("In normal operation, deleted tuples are physically removed from their table.", "normal", "contradicted"),
        ("VACUUM reclaims storage and rebuilds every index.", "VACUUM", "partial"),
        ("Replication slots keep old segments of the log.", "VACUUM", "unsupported"),
    ],
)
def test_verdicts(text: str, near: str, verdict: str) -> None:
    assert check(text, near).verdict == verdict


def test_the_quote_is_the_place_on_the_page() -> None:
    evidence = check("VACUUM reclaims storage occupied by dead tuples.", "VACUUM")
    assert evidence.quote == TEXT[evidence.start : evidence.end] == "VACUUM reclaims storage occupied by dead tuples."
    assert (evidence.method, evidence.score) == ("exact", 1.0)


def test_a_paraphrase_is_checked_by_words_and_says_how_many_it_found() -> None:
    evidence = check("VACUUM reclaims storage and rebuilds every index.", "VACUUM")
    assert evidence.method == "words"
    assert 0.35 <= evidence.score < 0.7

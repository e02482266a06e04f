import pytest

from leadline.grounding.passages import split_page
from leadline.grounding.verdict import follows, judge, judge_quote
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


ENGLISH = """VACUUM reclaims storage occupied by dead tuples. The autovacuum daemon runs every 20 minutes.
VACUUM makes reading faster. Nothing is locked.

Other tables of the server are read by many clients at the same time."""


@pytest.mark.parametrize(
    ("text", "quote", "verdict"),
    [
        ("VACUUM 会回收死元组占用的存储空间。", "VACUUM reclaims storage occupied by dead tuples.", "supported"),
        ("自动清理守护进程每 20 分钟运行一次。", "The autovacuum daemon runs every 20 minutes.", "supported"),
        ("自动清理守护进程每 30 分钟运行一次。", "The autovacuum daemon runs every 20 minutes.", "unsupported"),
        ("自动清理守护进程每 20 小时运行一次。", "The autovacuum daemon runs every 20 minutes.", "unsupported"),
        ("VACUUM 不会回收死元组占用的存储空间。", "VACUUM reclaims storage occupied by dead tuples.", "contradicted"),
        ("ANALYZE 会回收死元组占用的存储空间。", "VACUUM reclaims storage occupied by dead tuples.", "partial"),
        ("死元组占用的存储空间会被回收。", "VACUUM reclaims storage occupied by dead tuples.", "partial"),
        ("VACUUM 使读取更快。", "VACUUM makes reading faster.", "supported"),
        ("VACUUM 使读取慢得多。", "VACUUM makes reading faster.", "contradicted"),
    ],
)
def test_a_quote_in_another_script_is_compared_by_what_both_write_alike(text: str, quote: str, verdict: str) -> None:
    page = Page(id="p", address="a", text=ENGLISH)
    evidence = judge_quote(text, quote, page, split_page(page, 1)[0])
    assert evidence is not None
    assert (evidence.verdict, evidence.method, evidence.quote) == (verdict, "quote", quote)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("VACUUM reclaims storage … dead tuples", "VACUUM reclaims storage occupied by dead tuples."),
        ("“the autovacuum daemon runs”", "The autovacuum daemon runs every 20 minutes."),
        ("VACUUM reclaims … many clients", "VACUUM reclaims storage occupied by dead tuples."),
        ("VACUUM frees storage", ""),
        ("…", ""),
    ],
)
def test_a_quote_is_found_with_gaps_and_shown_as_whole_sentences(quote: str, found: str) -> None:
    page = Page(id="p", address="a", text=ENGLISH)
    evidence = judge_quote("VACUUM reclaims the storage of dead tuples.", quote, page, split_page(page, 1)[0])
    assert (evidence.quote if evidence else "")[: len(found) or 1] == found


def test_words_of_a_neighbour_do_not_support_another_subject() -> None:
    page = Page(id="p", address="a", text="The planner reads the statistics. The checkpointer writes all dirty pages to disk.")
    near = split_page(page, 1)[1]
    assert judge("The planner writes all dirty pages to disk.", page, near).verdict == "partial"


def test_a_part_of_a_number_or_word_is_not_verbatim() -> None:
    page = Page(id="p", address="a", text="Sales grew 15 % in spring, as the report of the board says.")
    near = split_page(page, 1)[0]
    assert judge("5 % in spring", page, near).verdict not in ("verbatim", "supported")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Vacuum frees storage, and autovacuum runs every 20 minutes.", True),
        ("Autovacuum runs every 30 minutes.", False),
        ("VACUUM never reclaims storage of dead tuples.", False),
        ("The weather in spring was mild and sunny.", False),
    ],
)
def test_a_sentence_of_the_overview_follows_from_points(text: str, answer: bool) -> None:
    points = ["VACUUM reclaims storage occupied by dead tuples.", "The autovacuum daemon runs every 20 minutes."]
    assert follows(text, points) is answer


@pytest.mark.parametrize(
    "text",
    [
        "VACUUM reclaims storage of dead tuples and rebuilds every index.",
        "VACUUM reclaims storage of dead tuples; indexes get sorted afterwards.",
        "VACUUM reclaims storage of dead tuples, but costs much bandwidth.",
    ],
)
def test_two_claims_under_one_quote_are_partial(text: str) -> None:
    page = Page(id="p", address="a", text=ENGLISH)
    evidence = judge_quote(text, "VACUUM reclaims storage occupied by dead tuples.", page, split_page(page, 1)[0])
    assert evidence is not None
    assert evidence.verdict == "partial"


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("For base 0, digits are read as in code: 2, 8 or 16.", "For base 8, digits are read as in code: 2, 8 or 16."),
        ("模拟的运行级别 2 到 4 全部链接到同一个目标。", "模拟的运行级别 4 到 4 全部链接到同一个目标。"),
        (
            "It points to what a_tuple[0] does, for tuples are immutable.",
            "It points to what pep[0] does, for tuples are immutable.",
        ),
        (
            "The table is included in the dump that pg_extension_dump writes.",
            "The table is included in the dump that pg_dump writes.",
        ),
        ('"-R" 选项可以实现原始的字符输出。', "某些著名的由系统可以实现原始的字符输出。"),
        ("风电提供了全国四分之一的电力。", "核电提供了全国四分之一的电力。"),
        ("该公司在柏林成立于 1983 年。", "该公司在慕尼黑成立于 1983 年。"),
        ("If no rows are given, the call just ends.", "If no rows are not given, the call just ends."),
        ("新版本发布后的几个月，大家都应该更新。", "新版本发布后的几年，大家都应该更新。"),
    ],
)
def test_one_thing_changed_is_no_support_even_with_the_right_quote(source: str, changed: str) -> None:
    page = Page(id="p", address="a", text=source)
    for evidence in (judge(changed, page, split_page(page, 1)[0]), judge_quote(changed, source, page, split_page(page, 1)[0])):
        assert evidence is not None
        assert evidence.verdict not in ("verbatim", "supported"), evidence


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("The treaty entered into force on 1 July 1968.", "In force since July 1, 1968, the treaty entered into its own."),
        ("Debian 默认使用用户私人组。", "Debian 缺省使用用户私人组。"),
        (
            "通常使用符号链接比使用硬链接更合适，除非有理由使用硬链接。",
            "一般使用符号链接比使用硬链接更合适，除非有理由使用硬链接。",
        ),
        ("At least 30 people were injured in the accident.", "30 or more people were injured in the accident."),
    ],
)
def test_other_words_are_support_with_the_right_quote(source: str, said: str) -> None:
    page = Page(id="p", address="a", text=source)
    evidence = judge_quote(said, source, page, split_page(page, 1)[0])
    assert evidence is not None
    assert evidence.verdict == "supported"

import pytest

from leadline.pipeline.phrases import phrases
from leadline.pipeline.reference import cite, describe
from leadline.records import Evidence, Source


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("清理死元组。", "清理死元组. gb.txt"),
        ("A title.", "A title. gb.txt"),
        ("What is a dead row?", "What is a dead row? gb.txt"),
        ("什么是死元组？", "什么是死元组？ gb.txt"),
        ("Plain", "Plain. gb.txt"),
        ("Ends in \\", "Ends in \\\\. gb.txt"),
        ("", "gb.txt"),
    ],
)
def test_a_part_of_a_reference_ends_in_one_sign(title: str, said: str) -> None:
    assert describe(Source(page="p", address="gb.txt", title=title)) == said


def test_an_address_that_is_none_is_no_link() -> None:
    assert describe(Source(page="p", address="https://a.b/c")) == "<https://a.b/c>"
    assert describe(Source(page="p", address="https://a.b/> <img src=x>")) == "https://a.b/> &lt;img src=x>"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("千万不要共享密码.", "千万不要共享密码 [1]。"),
        ("Never share it.", "Never share it [1]."),
    ],
)
def test_a_chinese_sentence_ends_with_its_own_full_stop(text: str, said: str) -> None:
    evidence = Evidence(page="p", start=0, end=len(text), quote=text, verdict="verbatim", method="exact")
    assert cite(text, [evidence], {"p": 1}, phrases("zh")) == said

import pytest

from leadline.grounding.citations import clean_statement, take_citations

MARKS = [
    ("【1】", "1"), ("［1］", "1"), ("[1, 2]", "1 2"), ("[1，2]", "1 2"), ("[1、2]", "1 2"), ("[1-3]", "1 2 3"),
    ("[1]–[3]", "1 2 3"), ("[^1]", "1"), ("[来源1]", "1"), ("[source 2]", "2"), ("[cite: 3]", "3"), ("[citation:3]", "3"),
    (r"\[1\]", "1"), ("[[1]]", "1"), ("[1](https://e.com/a)", "1"), ("【1†来源】", "1"), ("[3.2]", "3.2"), ("[2][1]", "2 1"),
    ("[1-9]", "1 2 3"), ("[9]", ""), ("[0]", ""), ("[-1]", ""), ("[2,7]", "2"),
]  # fmt: skip


@pytest.mark.parametrize(("mark", "labels"), MARKS)
@pytest.mark.parametrize("sentence", ["结论{}。", "It holds {}.", "It holds {}, and more.", "结论 {}"])
def test_a_mark_of_any_style_becomes_labels_and_goes(mark: str, labels: str, sentence: str) -> None:
    said, found = take_citations(sentence.format(mark), 3)
    assert found == tuple(labels.split())
    assert said == sentence.replace(" {}", "{}").format("")


@pytest.mark.parametrize(
    "text", ["【附件一】", "[2024]", "[1950-2020]", "arr[0]", "print(a[1])", "[x]", "`a[1]`", "``b [1]``", "f(x)[2]"]
)
def test_what_is_no_mark_stays(text: str) -> None:
    assert take_citations(f"As {text} shows.", 3) == (f"As {text} shows.", ())


def test_a_mark_that_touches_its_word_is_one_at_the_end_of_a_clause() -> None:
    assert take_citations("It holds[1]. So arr[1] is.", 3) == ("It holds. So arr[1] is.", ("1",))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("F（https://example.com/made-up）。", "F。"),
        ("G [报告](https://not-fetched.example/x) 说", "G 报告 说"),
        ("![i](https://evil.example/p.png)Seen.", "Seen."),
        ("Text.\n## 参考文献\n[1] a\n[2] b", "Text."),
        ("Text.\n**References:**\n1. x", "Text."),
        ("来源：[1] 某网", ""),
        ("### 参考资料", ""),
        ("## 参考文献综述方法", "## 参考文献综述方法"),
        ('增长 5%\n\n[1]: https://evil.example/ "t"', "增长 5%"),
        ("[^1]: note", ""),
        ("a <b>x</b> <!-- y", "a x"),
        ("<script>alert(1)</script>b", "b"),
        ("```md\nText.\n```", "Text."),
        ("Use `a<b>` and `https://x.example`.", "Use `a<b>` and `https://x.example`."),
        ("See https://known.example/docs。", "See https://known.example/docs。"),
        ("5 < 6 and x > y", "5 < 6 and x > y"),
    ],
)
def test_what_a_model_writes_beside_what_it_says_goes(text: str, left: str) -> None:
    assert clean_statement(text, ["as https://known.example/docs says"]) == left

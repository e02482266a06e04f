import pytest

from leadline.grounding.claims import is_negated, numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,025 hp", {"1025"}),
        ("3.50 and 12 %", {"3.5", "12%"}),
        ("on 2023-10-12", {"2023", "10", "12"}),
        ("utf8 and v3 hold none", set()),
        ("共 ３０ 个", {"30"}),
    ],
)
def test_numbers(text: str, expected: set[str]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It doesn't lock.", True),
        ("It cannot be undone.", True),
        ("It is not only fast.", False),
        ("It notes all.", False),
        ("不能删除", True),
        ("不同的版本", False),
        ("没有备份", True),
    ],
)
def test_negation(text: str, answer: bool) -> None:
    assert is_negated(text) is answer

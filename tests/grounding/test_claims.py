import pytest

from leadline.grounding.claims import differ_in_negation, is_negated


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


@pytest.mark.parametrize(
    ("text", "window", "differ"),
    [
        ("It locks the table.", "It does not lock the table.", True),
        ("It never locks the table.", "It locks the table.", True),
        ("No lock is held on the table.", "It does not lock the table.", False),
        ("It frees nothing at once.", "Nothing is freed at once.", False),
        ("它会删除旧行。", "它不会删除旧行。", True),
        ("它不会删除旧行。", "旧行不会删除。", False),
    ],
)
def test_what_is_denied_on_one_side_only(text: str, window: str, differ: bool) -> None:
    assert differ_in_negation(text, window) is differ
    assert differ_in_negation(window, text) is differ


def test_a_clause_that_is_left_out_may_be_negated() -> None:
    assert not differ_in_negation("It reads the table.", "It reads the table, but does not lock the index.")

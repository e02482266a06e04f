import pytest

from leadline.grounding.claims import differ_in_negation, find_other_names, is_negated


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
        ("If no rows are given, it ends.", "If no rows are not given, it ends.", True),
        ("请勿假定情况也是如此。", "请勿假定情况也不是如此。", True),
    ],
)
def test_what_is_denied_on_one_side_only(text: str, window: str, differ: bool) -> None:
    assert differ_in_negation(text, window) is differ
    assert differ_in_negation(window, text) is differ


@pytest.mark.parametrize(
    ("text", "window", "differ"),
    [
        ("It is written by pg_dump.", "It is written by pg_config_dump.", True),
        ("It is written by pg_dump.", "It is written by pg-dump.", False),
        ("It calls bytes.decode first.", "It calls bytes.encode to decode them.", True),
        ("It began on July 1, 1968.", "It began on 1 July 1968.", False),
    ],
)
def test_a_name_is_one_whole_thing(text: str, window: str, differ: bool) -> None:
    assert bool(find_other_names(text, window)) is differ


def test_a_clause_that_is_left_out_may_be_negated() -> None:
    assert not differ_in_negation("It reads the table.", "It reads the table, but does not lock the index.")

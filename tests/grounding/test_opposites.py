import pytest

from leadline.grounding.agreement import same
from leadline.grounding.opposites import are_opposed
from leadline.grounding.passages import split_page
from leadline.grounding.verdict import judge
from leadline.records import Page

OPPOSED = [
    (
        "Running vacuum increases the disk space that is used by a table.",
        "Running vacuum decreases the disk space that is used by a table.",
    ),
    ("The drug is safe for pregnant women.", "The drug is dangerous for pregnant women."),
    ("Autovacuum is enabled on new clusters.", "Autovacuum is disabled on new clusters."),
    ("自动清理默认处于启用的状态。", "自动清理默认处于停用的状态。"),
]


@pytest.mark.parametrize(("one", "other"), OPPOSED)
def test_opposites_are_neither_the_same_nor_support(one: str, other: str) -> None:
    assert are_opposed(one, other)
    assert are_opposed(other, one)
    assert not same(one, other)
    page = Page(id="p", address="a", text=other)
    assert judge(one, page, split_page(page, 1)[0]).verdict == "contradicted"


def test_another_subject_is_not_support() -> None:
    page = Page(id="p", address="a", text="Beta server accepts connections from all clients on the same port.")
    one = "Alpha server accepts connections from all clients on the same port."
    assert not same(one, page.text)
    assert judge(one, page, split_page(page, 1)[0]).verdict == "partial"


def test_another_name_is_no_support_at_all() -> None:
    page = Page(id="p", address="a", text="is_set(): Return True if the event is set.")
    assert judge("cancelled(): Return True if the task is cancelled.", page, split_page(page, 1)[0]).verdict == "unsupported"


def test_who_did_what_to_whom_counts() -> None:
    page = Page(id="p", address="a", text="The new cluster replaced the old primary during the upgrade.")
    swapped = "The old primary replaced the new cluster during the upgrade."
    assert judge(swapped, page, split_page(page, 1)[0]).verdict == "partial"


@pytest.mark.parametrize(
    ("one", "other", "opposed"),
    [
        ("It is much faster.", "It runs more slowly.", True),
        ("It is less quick.", "It is faster.", True),
        ("It is less slow.", "It is faster.", False),
        ("It runs more slowly.", "It runs less quickly.", False),
        ("An easier way", "A harder way", True),
        ("Bigger files", "Smaller files", True),
        ("The value is valid.", "The value is invalid.", True),
        ("It includes all.", "It excludes some.", True),
        ("A non-blocking call", "A blocking call", True),
        ("The drug is harmless.", "The drug is harmful.", True),
        ("At least 30 people were hurt.", "30 or more people were hurt.", False),
        ("它的速度更快。", "它的速度更慢。", True),
        ("它比旧的快得多。", "它比旧的慢得多。", True),
        ("内存的大小", "内存很大", False),
    ],
)
def test_directions_are_kinds_of_words(one: str, other: str, opposed: bool) -> None:
    assert are_opposed(one, other) is opposed
    assert are_opposed(other, one) is opposed


def test_both_sides_of_a_pair_tell_nothing() -> None:
    assert not are_opposed("It increases reads and decreases writes.", "It decreases writes.")

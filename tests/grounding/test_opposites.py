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


def test_both_sides_of_a_pair_tell_nothing() -> None:
    assert not are_opposed("It increases reads and decreases writes.", "It decreases writes.")

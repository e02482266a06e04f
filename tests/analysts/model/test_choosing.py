import pytest

from leadline.analysts.model.asking import count_tokens
from leadline.analysts.model.choosing import choose, show
from leadline.grounding.passages import split_page
from leadline.records import Page, Passage


def pages(*texts: str) -> list[Passage]:
    return [p for n, text in enumerate(texts, 1) for p in split_page(Page(id=str(n), address=str(n), text=text), n)]


def filler(number: int) -> str:
    return f"## Part {number}\n\nNothing of interest number {number} stands here, and it goes on for a while. It has an end."


def test_what_was_asked_for_is_shown_wherever_it_stands() -> None:
    needle = "The melting point is 1,538 degrees."
    passages = pages(*["\n\n".join([*map(filler, range(40)), needle] if n == 3 else map(filler, range(40))) for n in range(8)])
    shown = show(choose(passages, "melting point", 1200))
    assert needle in shown
    assert count_tokens(shown) < 1500


def test_every_source_has_its_share() -> None:
    passages = pages(*["\n\n".join(f"Dead rows of table {n} are freed {k} times a day." for k in range(60)) for n in range(5)])
    chosen = choose(passages, "dead rows", 1500)
    assert {extract.source for extract in chosen} == {"1", "2", "3", "4", "5"}


def test_without_a_common_word_pages_are_read_from_the_top() -> None:
    chosen = choose(pages("First. Second.\n\n" + "More. " * 400), "清理 死行", 300)
    assert chosen[0].passages[0].text == "First."


def test_an_extract_stands_for_up_to_three_neighbours_and_what_is_left_out_is_marked() -> None:
    text = "One dead row. Two dead rows. Three dead rows. Four dead rows.\n\n" + "Nothing at all. " * 9 + "\n\nFive dead rows."
    chosen = choose(pages(text), "dead rows", 52)
    assert [passage.text for passage in chosen[0].passages] == ["One dead row.", "Two dead rows.", "Three dead rows."]
    assert "[…]" in show(chosen)


@pytest.mark.parametrize("budget", [0, 50, 500, 3000])
def test_the_budget_holds(budget: int) -> None:
    passages = pages(*["\n\n".join(map(filler, range(40))) for _ in range(8)])
    assert sum(extract.cost for extract in choose(passages, "interest", budget)) <= budget


def test_a_source_is_shown_under_its_title() -> None:
    shown = show(choose(pages("# VACUUM\n\n## Parameters\n\nFREEZE selects aggressive freezing."), "freezing", 300))
    assert shown.splitlines()[1:4] == ["# VACUUM", "# Parameters", "[1.3] FREEZE selects aggressive freezing."]

import pytest

from leadline.grounding.folding import find, fold


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ('so "good" it is', "It is so “good”  it\nis."),
        ("an example of it", "an exam-\nple of it"),
        ("安装软件包", "请安装\n软件包。"),
        ("值为１００％", "值为100%"),
        ("a bold word", "a **bold** word"),
    ],
)
def test_finds_what_reads_the_same(quote: str, text: str) -> None:
    place = find(quote, text)
    assert place is not None
    assert fold(text[slice(*place)]) == fold(quote) or "-\n" in text


def test_two_numbers_are_not_one() -> None:
    assert find("125", "1 25") is None


def test_nothing_is_not_found_everywhere() -> None:
    assert find(" ", "text") is None

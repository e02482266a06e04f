import pytest

from leadline.grounding.quantities import Date, Quantity, find_missing, numbers

NUMBERS = [
    ("1,025 hp", Quantity("1025", "hp")),
    ("3.50 and more", Quantity("3.5")),
    ("12 %", Quantity("12", "%")),
    ("12 percent", Quantity("12", "%")),
    ("百分之十二", Quantity("12", "%")),
    ("十二个百分点", Quantity("12", "pp")),
    ("1.2 亿", Quantity("120000000")),
    ("120 million", Quantity("120000000")),
    ("50亿元", Quantity("5000000000", "¥")),
    ("$5 billion", Quantity("5000000000", "$")),
    ("共 ３０ 个", Quantity("30")),
    ("有30个", Quantity("30")),
    ("20-minute", Quantity("20", "minute")),
    ("the 1990s", Quantity("1990", "decade")),
    ("version 3.11.2", Quantity("3.11.2")),
    ("two million", Quantity("2000000")),
    ("三个月", Quantity("3", "month")),
    ("on 2023-10-12", Date(2023, 10, 12)),
    ("October 12, 2023", Date(2023, 10, 12)),
    ("the 12th of Oct. 2023", Date(2023, 10, 12)),
    ("2023年10月12日", Date(2023, 10, 12)),
    ("in Sept 2023", Date(2023, 9)),
    ("5月3日", Date(0, 5, 3)),
]


@pytest.mark.parametrize(("text", "expected"), NUMBERS)
def test_a_number_as_it_counts(text: str, expected: Quantity | Date) -> None:
    assert numbers(text) == {expected}


@pytest.mark.parametrize("text", ["utf8 and v3 hold none", "一个例子", "that one", "十分重要", "he may go"])
def test_what_is_no_number(text: str) -> None:
    assert numbers(text) == set()


def test_the_unit_of_a_range_is_that_of_both_ends() -> None:
    assert numbers("10-20 minutes") == numbers("between 10 minutes and 20 minutes")


@pytest.mark.parametrize(
    ("text", "window", "missing"),
    [
        ("about 120 million users", "约 1.2 亿用户", False),
        ("20 hours", "20 minutes", True),
        ("20 rows", "20 minutes and 20 rows", False),
        ("in 2023", "on 12 October 2023", False),
        ("on 13 October 2023", "on 12 October 2023", True),
        ("in October 2023", "in 2023", True),
        ("2023 年", "in 2023", False),
        ("grew 12 percentage points", "grew 12 %", True),
        ("$5", "5 euros", True),
        ("几个月之后", "几年之后", True),
        ("数小时", "几个小时", False),
    ],
)
def test_what_a_window_does_not_hold(text: str, window: str, missing: bool) -> None:
    assert bool(find_missing(text, window)) is missing

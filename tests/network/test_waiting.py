import pytest

from leadline.network.waiting import read_wait


@pytest.mark.parametrize(("value", "seconds"), [("", None), ("soon", None), ("٣", None), ("3", 3.0), (" 2.5 ", 2.5)])
def test_a_time_to_wait_is_read(value: str, seconds: float | None) -> None:
    assert read_wait({"retry-after": value}) == seconds


def test_a_date_that_has_passed_is_no_wait() -> None:
    assert read_wait({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


def test_a_date_of_no_zone_is_one_of_utc() -> None:
    assert (read_wait({"retry-after": "Wed, 21 Oct 2099 07:28:00 -0000"}) or 0) > 1e9

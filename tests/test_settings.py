"""What the environment decides."""

from pathlib import Path

import pytest

from leadline.errors import UsageError
from leadline.settings import Settings, load_settings


def test_an_empty_value_counts_as_unset() -> None:
    found = load_settings({"LEADLINE_HOME": "/data", "LEADLINE_DATABASE_URL": "", "LEADLINE_KEEP_DAYS": "", "VISUAL": ""})
    assert found == Settings(home=Path("/data").absolute())


def test_all_values() -> None:
    url = "postgresql://u@127.0.0.1/db"
    found = load_settings(
        {"LEADLINE_HOME": "/data", "LEADLINE_DATABASE_URL": url, "LEADLINE_KEEP_DAYS": "30", "EDITOR": "ed", "VISUAL": "vi"}
    )
    assert found == Settings(Path("/data").absolute(), url, keep_days=30, editor="vi")


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "soon"])
def test_days_that_are_none(value: str) -> None:
    with pytest.raises(UsageError, match="LEADLINE_KEEP_DAYS"):
        load_settings({"LEADLINE_KEEP_DAYS": value})

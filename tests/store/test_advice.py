"""Commands that messages of the store advise are there."""

import re
import sqlite3
from pathlib import Path

import click
import pytest

from leadline.cli.commands import leadline
from leadline.errors import StoreError
from leadline.store.rows import missing
from leadline.store.sqlite import SqliteConnection


def check_advice(message: str) -> None:
    (command,) = re.findall(r"`leadline (\w+ \w+)", message)
    group, name = command.split()
    found = leadline.commands[group]
    assert isinstance(found, click.Group)
    assert name in found.commands


@pytest.mark.parametrize("kind", ["run", "note"])
def test_what_shows_the_names_there_are(kind: str) -> None:
    check_advice(str(missing(kind, "x")))


def test_how_to_go_on_after_a_full_disk(tmp_path: Path) -> None:
    connection = SqliteConnection(str(tmp_path / "store.db"), busy=1)
    connection.execute("CREATE TABLE t (x)")
    connection.execute("PRAGMA max_page_count = 3")
    with pytest.raises(StoreError, match="is full") as caught:
        connection.execute("INSERT INTO t SELECT hex(randomblob(1000000))")
    connection.close()
    assert isinstance(caught.value.__cause__, sqlite3.Error)
    check_advice(str(caught.value))

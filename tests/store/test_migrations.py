"""Upgrading the schema of a store that holds rows."""

from pathlib import Path

import pytest

from leadline.errors import StoreError
from leadline.store.database import Database, Driver
from leadline.store.migrations import upgrade
from leadline.store.sqlite import SqliteDriver

FIRST = "-- one table\nCREATE TABLE things (\n    name TEXT NOT NULL\n);\n\nINSERT INTO things (name) VALUES ('old');\n"
SECOND = "ALTER TABLE things ADD COLUMN colour TEXT;\nUPDATE things SET colour = 'red; green';\n"


@pytest.fixture
def driver(target: str | Path) -> Driver:
    if isinstance(target, str):
        from leadline.store.postgres import PostgresDriver

        return PostgresDriver(target, 1.0)
    target.mkdir()
    return SqliteDriver(target / "leadline.db", 1.0)


async def things(database: Database) -> list[tuple[object, ...]]:
    return await database.read(lambda connection: connection.execute("SELECT * FROM things"))


async def test_an_older_schema_is_upgraded_and_keeps_its_rows(driver: Driver) -> None:
    database = Database(driver)
    await upgrade(database, {1: FIRST})
    await upgrade(database, {1: FIRST, 2: SECOND})
    await upgrade(database, {1: FIRST, 2: SECOND})
    assert await things(database) == [("old", "red; green")]
    await database.close()


async def test_an_upgrade_that_fails_changes_nothing(driver: Driver) -> None:
    database = Database(driver)
    await upgrade(database, {1: FIRST})
    with pytest.raises(StoreError):
        await upgrade(database, {1: FIRST, 2: SECOND + "DROP TABLE nothing;\n"})
    assert await things(database) == [("old",)]
    await upgrade(database, {1: FIRST, 2: SECOND})
    assert await things(database) == [("old", "red; green")]
    await database.close()


async def test_an_older_release_refuses_a_newer_schema(driver: Driver) -> None:
    database = Database(driver)
    await upgrade(database, {1: FIRST, 2: SECOND})
    with pytest.raises(StoreError, match=r"has schema 2, .* knows up to 1"):
        await upgrade(database, {1: FIRST})
    await database.close()

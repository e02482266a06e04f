"""Numbered migrations: `schema/NNNN_name.sql`, applied in order, each once, all in one transaction under a lock."""

from collections.abc import Iterator, Mapping
from importlib.resources import files

from leadline.errors import StoreError
from leadline.store.database import Connection, Database


async def upgrade(database: Database, scripts: Mapping[int, str] | None = None) -> None:
    """Bring the schema up to date; nothing is locked if it is.

    Args:
        database: may be empty.
        scripts: the SQL of each version, by number; None for those of this release.

    Raises:
        StoreError: the schema is newer than the scripts.
    """
    place = database.driver.place
    scripts = scripts or dict(_scripts())
    current = await database.read(lambda connection: _version(connection, database.driver.find_schema))
    _check(place, current, max(scripts))
    if current < max(scripts):
        await database.write("schema", lambda connection: _apply(connection, database, scripts))


def _scripts() -> Iterator[tuple[int, str]]:
    for entry in sorted(files("leadline.store").joinpath("schema").iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".sql"):
            yield int(entry.name.split("_")[0]), entry.read_text(encoding="utf-8")


def _version(connection: Connection, find_schema: str) -> int:
    if not connection.execute(find_schema)[0][0]:
        return 0
    version: int = connection.execute("SELECT version FROM schema_version")[0][0]
    return version


def _check(place: str, current: int, known: int) -> None:
    if current > known:
        raise StoreError(
            f"The store {place} has schema {current}, made by a newer Leadline; this one knows up to {known}: upgrade Leadline."
        )


def _apply(connection: Connection, database: Database, scripts: Mapping[int, str]) -> None:
    for statement in database.driver.prepare:
        connection.execute(statement)
    current = _version(connection, database.driver.find_schema)  # again: another process may have been here meanwhile
    _check(database.driver.place, current, max(scripts))
    if current == 0:
        connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        connection.execute("INSERT INTO schema_version (version) VALUES (0)")
    for number in sorted(number for number in scripts if number > current):
        for statement in _statements(scripts[number]):
            connection.execute(statement)
        connection.execute("UPDATE schema_version SET version = ?", number)


def _statements(script: str) -> Iterator[str]:
    """Split a script: a statement ends with `;` at the end of a line; lines of comment are left out."""
    lines = (line for line in script.splitlines() if not line.startswith("--"))
    return (statement for part in "\n".join(lines).split(";\n") if (statement := part.strip(" \n;")))

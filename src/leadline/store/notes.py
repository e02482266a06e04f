"""Notes as rows of a database."""

import datetime as dt
from collections.abc import Sequence
from functools import partial

from leadline.errors import StoreError
from leadline.records import Note
from leadline.store.database import Connection, Database, Row
from leadline.store.rows import check_name, index_words, is_name, lost_note, missing, search_terms, stamp, to_record


class DatabaseNotes:
    """See `leadline.ports.Notes`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, note: Note) -> Note:
        """Save a new note; one with the same id is left as it is and returned.

        Raises:
            UsageError: the id would not be safe as a file name.
        """
        check_name("note", note.id)
        return await self._database.write(f"note {note.id}", partial(_create, note=note))

    async def read(self, note: str) -> Note:
        """Return a note. Raises NotFound, or StoreError if its row is damaged."""
        found = await self._database.read(partial(_read, note=note)) if is_name(note) else None
        if found is None:
            raise missing("note", note)
        return found

    async def update(self, note: str, *, title: str, body: str, updated: dt.datetime) -> Note:
        """Replace title and body. Raises NotFound, or StoreError if the row is damaged."""
        change = {"title": title, "body": body, "updated": updated}
        found = (
            await self._database.write(f"note {note}", partial(_update, note=note, change=change)) if is_name(note) else None
        )
        if found is None:
            raise missing("note", note)
        return found

    async def delete(self, note: str) -> None:
        """Remove a note. Raises NotFound."""
        if not (is_name(note) and await self._database.write(f"note {note}", partial(_delete, note=note))):
            raise missing("note", note)

    async def list(self, run: str | None = None, limit: int = 100) -> Sequence[Note]:
        """Return notes, newest first, of one run or of all; one that cannot be read stands there with the reason."""
        return await self._select("1 = 1" if run is None else "run = ?", () if run is None else (run,), limit)

    async def search(self, query: str, limit: int = 20) -> Sequence[Note]:
        """Return the notes that hold every word of the query, newest first.

        Raises:
            UsageError: the query holds no word, or is too long.
        """
        terms = search_terms(query)
        return await self._select(" AND ".join(["words LIKE ?"] * len(terms)), [f"%{term}%" for term in terms], limit)

    async def _select(self, condition: str, values: Sequence[str], limit: int) -> Sequence[Note]:
        sql = f"SELECT id, run, created, body FROM notes WHERE {condition} ORDER BY created DESC, id DESC LIMIT ?"
        rows = await self._database.read(lambda connection: connection.execute(sql, *values, limit))
        return [_to_listed(row) for row in rows]


def _create(connection: Connection, note: Note) -> Note:
    connection.execute(
        "INSERT INTO notes (id, run, created, words, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        *(note.id, note.run, stamp(note.created), index_words(note), note.model_dump_json()),
    )
    return _read(connection, note.id) or note


def _read(connection: Connection, note: str) -> Note | None:
    rows = connection.execute("SELECT body FROM notes WHERE id = ?", note)
    return to_record(Note, rows[0][0], f"note {note}") if rows else None


def _update(connection: Connection, note: str, change: dict[str, object]) -> Note | None:
    found = _read(connection, note)
    if found is None:
        return None
    changed = found.model_copy(update=change)
    sql = "UPDATE notes SET words = ?, body = ? WHERE id = ?"
    connection.execute(sql, index_words(changed), changed.model_dump_json(), note)
    return changed


def _delete(connection: Connection, note: str) -> bool:
    return bool(connection.execute("DELETE FROM notes WHERE id = ? RETURNING id", note))


def _to_listed(row: Row) -> Note:
    note, run, created, body = row
    try:
        return to_record(Note, body, f"note {note}")
    except StoreError as error:
        return lost_note(note, run, created, str(error))

"""SQLite by the standard library: one file, WAL, one connection that writes and one that reads."""

import sqlite3
from pathlib import Path

from leadline.errors import StoreError
from leadline.store.database import Connection, Interruption, Row

_CACHED_STATEMENTS = 64


class SqliteDriver:
    """Opens a file in an existing folder."""

    begin = "BEGIN IMMEDIATE"
    prepare: tuple[str, ...] = ()
    find_schema = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'schema_version'"
    readers = 1
    writers = 1
    together = 64

    def __init__(self, path: Path, patience: float) -> None:
        self.place = str(path)
        self.patience = self.first_patience = patience

    def connect(self) -> Connection:
        """Open the file, and make it if it is not there."""
        return SqliteConnection(self.place, busy=min(self.patience, 5.0))


class SqliteConnection:
    """One connection to one file."""

    def __init__(self, path: str, busy: float) -> None:
        self._path = path
        try:
            self._raw = sqlite3.connect(
                path, timeout=busy, isolation_level=None, check_same_thread=False, cached_statements=_CACHED_STATEMENTS
            )
        except sqlite3.Error as error:
            raise _translate(error, path) from error
        try:
            self.execute("PRAGMA journal_mode = WAL")
            self.execute("PRAGMA synchronous = NORMAL")  # survives kill -9 as FULL does; a power cut may undo the last commits
        except StoreError:
            self.close()
            raise

    def execute(self, sql: str, *values: object) -> list[Row]:
        """See `Connection.execute`."""
        try:
            return self._raw.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _translate(error, self._path) from error

    def close(self) -> None:
        """Close the connection and give up an open transaction."""
        self._raw.close()


def _translate(error: sqlite3.Error, path: str) -> StoreError:
    """Return the sentence for an error; codes: https://www.sqlite.org/rescode.html."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Interruption(f"Another process keeps the store {path} locked: end it, or wait for it, and try again.")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(
            f"The disk that holds {path} is full: free some space, then `leadline runs resume RUN`; what is saved is safe."
        )
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StoreError(f"The store {path} is damaged ({error}): restore it from a backup, or move it away to start anew.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return StoreError(f"The store {path} cannot be written ({error}): make its folder writable, or choose another one.")
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(
            f"The disk that holds {path} fails ({error}): check its space and health, then `leadline runs resume RUN`."
        )
    return StoreError(f"SQLite refuses to use the store {path} ({error}): report this with the version of Leadline.")

"""The index of a library: one SQLite file, brought up to date with the folders before it is used."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

from leadline.documents import Document, read_document
from leadline.documents.opening import LARGEST
from leadline.errors import DocumentError, StoreError
from leadline.grounding.tokens import index_text
from leadline.library.roots import Root
from leadline.library.walking import File, find_suffix, is_no_document, walk_roots
from leadline.library.windows import cut_windows

T = TypeVar("T")

FORMAT = 4
"""Version of the schema and of the reading of documents: an index of another version is built anew."""

_LONGEST_SUFFIX = 12
_AGAIN = -1  # stands as the size of a file that could not be opened, and is tried again: permissions change without a trace
_BATCH = 64  # documents whose rows are held before they are written: bounds memory


@dataclass(frozen=True, slots=True)
class Entry:
    """A file as the index has it: the number of its document, or None and why there is none."""

    root: int
    relative: str
    document: int | None
    failure: str


class Index:
    """The index file of some roots.

    Args:
        roots: files and folders; their paths, not their labels, decide which index file is theirs.
        home: the data folder; index files are in `libraries/` below it.
    """

    def __init__(self, roots: Sequence[Root], home: Path) -> None:
        self._roots = tuple(roots)
        paths = b"\0".join(os.fsencode(root.path) for root in roots)
        self._path = home / "libraries" / f"{hashlib.sha256(paths).hexdigest()[:32]}.db"

    def refresh(self) -> list[Entry]:
        """Bring the index up to date and return its files in order of roots and names.

        A file whose size and time of change are as before is not opened; one with the same bytes is not read again.

        Raises:
            StoreError: the data folder cannot be used.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self._path}.lock"):
                return self.query(self._refresh)
        except OSError as error:
            raise StoreError(
                f"The data folder {str(self._path.parent.parent)!r} cannot be written: {error.strerror}; set LEADLINE_HOME."
            ) from error

    def query(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `ask` makes of an open connection; an index file that is damaged is built anew, once.

        Raises:
            StoreError: SQLite fails even on a new file.
        """
        try:
            with closing(self._connect()) as connection:
                return ask(connection)
        except sqlite3.OperationalError as error:
            raise StoreError(f"The index of the library cannot be used: {error}.") from error
        except sqlite3.DatabaseError:
            self._delete()
        try:
            with closing(self._connect()) as connection:
                self._refresh(connection)
                return ask(connection)
        except sqlite3.DatabaseError as error:
            raise StoreError(f"The index of the library cannot be built: {error}.") from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=60, isolation_level=None)
        if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
            connection.close()
            self._delete()
            connection = sqlite3.connect(self._path, timeout=60, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(f"BEGIN; {_read_schema()} PRAGMA user_version = {FORMAT}; COMMIT;")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def _delete(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._path}{suffix}").unlink(missing_ok=True)

    def _refresh(self, connection: sqlite3.Connection) -> list[Entry]:
        files = list(walk_roots(self._roots))
        with _transaction(connection):
            known = {
                (root, path): (size, mtime)
                for root, path, size, mtime in connection.execute("SELECT root, path, size, mtime FROM files")
            }
            keys = {(file.root, os.fsencode(file.relative)) for file in files}
            vanished = [key for key in known if key not in keys]
            changed = [f for f in files if known.get((f.root, os.fsencode(f.relative))) != (f.size, f.mtime)]
            if vanished or changed:
                connection.executemany("DELETE FROM files WHERE root = ? AND path = ?", vanished)
                _Writer(connection, self._roots).write(changed)
                _delete_orphans(connection)
        rows = connection.execute("SELECT root, path, document, failure FROM files ORDER BY root, path")
        return [Entry(root, os.fsdecode(path), document, failure) for root, path, document, failure in rows]


class _Writer:
    """Reads files and writes their rows, a batch at a time."""

    def __init__(self, connection: sqlite3.Connection, roots: Sequence[Root]) -> None:
        self._connection = connection
        self._roots = roots
        self._numbers: dict[str, int] = dict(connection.execute("SELECT id, number FROM documents"))
        self._next_document = self._find_next("documents")
        self._next_window = self._find_next("windows")
        self._documents: list[tuple[object, ...]] = []
        self._windows: list[tuple[int, int, int, int]] = []
        self._words: list[tuple[int, str, str]] = []

    def write(self, files: Sequence[File]) -> None:
        rows = [self._read(file) for file in files]
        self._flush()
        self._connection.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows)

    def _find_next(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT coalesce(max(number), 0) + 1 FROM {table}").fetchone()[0])

    def _read(self, file: File) -> tuple[object, ...]:
        document, failure, size = None, "", file.size
        try:
            document = self._take(file)
        except DocumentError as error:
            failure = _name_kind(file, error)
        except OSError:
            failure, size = "unreadable", _AGAIN
        return file.root, os.fsencode(file.relative), size, file.mtime, document, failure

    def _take(self, file: File) -> int:
        """Return the number of the file's document, which is read unless one with the same bytes is there."""
        path = file.locate(self._roots)
        if file.relative and is_no_document(file.relative):
            raise DocumentError("binary", "Code and data are not read.")
        if file.size > LARGEST:
            raise DocumentError("too large", "The file is too large.")
        data = path.read_bytes()
        identity = hashlib.sha256(data).hexdigest()
        if identity not in self._numbers:
            self._add(identity, read_document(data, path.name))
        return self._numbers[identity]

    def _add(self, identity: str, document: Document) -> None:
        number = self._next_document
        self._next_document += 1
        self._numbers[identity] = number
        authors = json.dumps(document.authors, ensure_ascii=False)
        paged = (json.dumps(document.pages), document.part, json.dumps(document.identifiers, ensure_ascii=False))
        self._documents.append(
            (number, identity, document.title, authors, document.site, document.date, document.language, document.text, *paged)
        )
        self._add_windows(number, document)
        if len(self._documents) >= _BATCH:
            self._flush()

    def _add_windows(self, number: int, document: Document) -> None:
        for window in cut_windows(document.text):
            self._windows.append((self._next_window, number, window.start, window.end))
            context = document.title if window.heading in document.title else f"{document.title} {window.heading}"
            text = document.text[window.start : window.end]
            self._words.append((self._next_window, index_text(text), index_text(context)))
            self._next_window += 1

    def _flush(self) -> None:
        self._connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", self._documents)
        self._connection.executemany("INSERT INTO windows VALUES (?, ?, ?, ?)", self._windows)
        self._connection.executemany("INSERT INTO words (rowid, text, context) VALUES (?, ?, ?)", self._words)
        for rows in (self._documents, self._windows, self._words):
            rows.clear()


def _name_kind(file: File, error: DocumentError) -> str:
    """A binary file is known by its suffix, if that is one: `.pptx` says more than `binary`."""
    suffix = find_suffix(file.relative)
    return suffix if error.kind == "binary" and 1 < len(suffix) <= _LONGEST_SUFFIX and suffix.isprintable() else error.kind


def _delete_orphans(connection: sqlite3.Connection) -> None:
    """Remove the documents that no file has any more."""
    orphans = "SELECT number FROM documents WHERE number NOT IN (SELECT document FROM files WHERE document IS NOT NULL)"
    connection.execute(f"DELETE FROM words WHERE rowid IN (SELECT number FROM windows WHERE document IN ({orphans}))")
    connection.execute(f"DELETE FROM windows WHERE document IN ({orphans})")
    connection.execute(f"DELETE FROM documents WHERE number IN ({orphans})")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@cache
def _read_schema() -> str:
    return resources.files("leadline.library").joinpath("schema.sql").read_text(encoding="utf-8")

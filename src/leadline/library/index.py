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
from itertools import takewhile
from pathlib import Path
from threading import Event
from typing import TypeVar

from filelock import FileLock, Timeout

from leadline.documents import Document, read_document
from leadline.documents.opening import LARGEST
from leadline.errors import DocumentError, StoreError
from leadline.grounding.tokens import index_text
from leadline.library.roots import Root
from leadline.library.walking import File, find_suffix, is_no_document, walk_roots
from leadline.library.windows import cut_windows

T = TypeVar("T")

FORMAT = 6
"""Version of the schema and of the reading of documents: an index of another version is built anew."""

_LONGEST_SUFFIX = 12
_READABLE = frozenset({".pdf", ".docx", ".epub", ".html", ".htm", ".md", ".rst", ".txt", ".json"})
_OWN = "leadline output"  # why a file is skipped that Leadline itself has written
_PATIENCE = 120.0  # seconds that another process may take over the same index
_GLANCE = 0.5  # seconds between looks whether to stop, while waiting
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
        stop: set by another thread to have `refresh` end soon; what it has read by then is kept.
        patience: seconds to wait for another process that brings the same index up to date.
    """

    def __init__(self, roots: Sequence[Root], home: Path, stop: Event | None = None, patience: float = _PATIENCE) -> None:
        self._roots = tuple(roots)
        self._stop = stop or Event()
        self._patience = patience
        paths = b"\0".join(os.fsencode(root.path) for root in roots)
        self._path = home / "libraries" / f"{hashlib.sha256(paths).hexdigest()[:32]}.db"

    def refresh(self) -> list[Entry]:
        """Bring the index up to date and return its files in order of roots and names.

        A file whose size and time of change are as before is not opened; one with the same bytes is not read again.

        Raises:
            StoreError: the data folder cannot be used, another process keeps the index, or it was told to stop.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._lock():
                return self.query(self._refresh)
        except OSError as error:
            raise StoreError(
                f"The data folder {str(self._path.parent.parent)!r} cannot be written: {error.strerror}; set LEADLINE_HOME."
            ) from error

    @contextmanager
    def _lock(self) -> Iterator[None]:
        lock = FileLock(f"{self._path}.lock")
        tries = max(1, round(self._patience / _GLANCE))
        for _ in range(tries):
            self._heed()
            try:
                with lock.acquire(timeout=min(_GLANCE, self._patience)):
                    yield
                return
            except Timeout:
                continue
        raise StoreError(
            f"Another process has been indexing the same folders for {self._patience:.0f} s: wait for it, or end it."
        )

    def _heed(self) -> None:
        if self._stop.is_set():
            raise StoreError("The indexing was stopped; what was read by then is kept, and the next run goes on from there.")

    def query(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `ask` makes of an open connection; an index file that is damaged is built anew, once.

        Raises:
            StoreError: SQLite fails even on a new file.
        """
        try:
            with closing(self._connect()) as connection:
                return ask(connection)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise StoreError(_explain(error)) from error
            self._delete()
        try:
            with closing(self._connect()) as connection:
                self._refresh(connection)
                return ask(connection)
        except sqlite3.DatabaseError as error:
            raise StoreError(_explain(error)) from error

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
                (root, path): (size, mtime, failure == _OWN)
                for root, path, size, mtime, failure in connection.execute("SELECT root, path, size, mtime, failure FROM files")
            }
            keys = {(file.root, os.fsencode(file.relative)) for file in files}
            vanished = [key for key in known if key not in keys]
            changed = [f for f in files if known.get((f.root, os.fsencode(f.relative))) != (f.size, f.mtime, f.own)]
            if vanished or changed:
                connection.executemany("DELETE FROM files WHERE root = ? AND path = ?", vanished)
                _Writer(connection, self._roots, self._stop).write(changed)
                _delete_orphans(connection)
        self._heed()
        rows = connection.execute("SELECT root, path, document, failure FROM files ORDER BY root, path")
        return [Entry(root, os.fsdecode(path), document, failure) for root, path, document, failure in rows]


class _Writer:
    """Reads files and writes their rows, a batch at a time."""

    def __init__(self, connection: sqlite3.Connection, roots: Sequence[Root], stop: Event) -> None:
        self._connection = connection
        self._stop = stop
        self._roots = roots
        self._numbers: dict[str, int] = dict(connection.execute("SELECT id, number FROM documents"))
        self._next_document = self._find_next("documents")
        self._next_window = self._find_next("windows")
        self._documents: list[tuple[object, ...]] = []
        self._windows: list[tuple[int, int, int, int]] = []
        self._words: list[tuple[int, str, str]] = []

    def write(self, files: Sequence[File]) -> None:
        rows = [self._read(file) for file in takewhile(lambda _: not self._stop.is_set(), files)]
        self._flush()
        self._connection.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows)

    def _find_next(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT coalesce(max(number), 0) + 1 FROM {table}").fetchone()[0])

    def _read(self, file: File) -> tuple[object, ...]:
        document, failure, size = None, _OWN if file.own else "", file.size
        try:
            document = None if file.own else self._take(file)
        except DocumentError as error:
            failure = _name_kind(file, error)
        except OSError:
            failure, size = "unreadable", _AGAIN
        except (RecursionError, MemoryError):  # of this file: the others can be read
            failure = "unreadable"
        return file.root, os.fsencode(file.relative), size, file.mtime, document, failure

    def _take(self, file: File) -> int:
        """Return the number of the file's document, which is read unless one with the same bytes is there."""
        path = file.locate(self._roots)
        if file.relative and is_no_document(file.relative):
            raise DocumentError("binary", "Code and data are not read.")
        data = _read_bytes(path)
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


def _read_bytes(path: Path) -> bytes:
    """Read a regular file: a pipe would wait, and a device never end."""
    if not path.is_file():
        raise DocumentError("unreadable", "This is no file.")
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise DocumentError("too large", f"The file is larger than {LARGEST // 1024**2} MB.")
    return data


def _name_kind(file: File, error: DocumentError) -> str:
    """A binary file is known by its suffix, if that is one: `.pptx` says more than `binary`; a large one by the limit.

    One with the suffix of what can be read is damaged, or is not what it says.
    """
    if error.kind == "too large":
        return f"over {LARGEST // 1024**2} MB"
    suffix = find_suffix(file.relative)
    if error.kind == "binary" and suffix in _READABLE:
        return "unreadable"
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
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether a new file would help: this one is none, is corrupt, or lacks tables. Codes: https://www.sqlite.org/rescode.html."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT)


def _explain(error: sqlite3.DatabaseError) -> str:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return "The disk that holds the data folder is full: free some space, or set LEADLINE_HOME to a folder on another one."
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return f"The index of the library cannot be written ({error}): make the data folder writable, or set LEADLINE_HOME."
    return f"The index of the library cannot be used ({error}): try again, or delete `libraries` in the data folder."


@cache
def _read_schema() -> str:
    return resources.files("leadline.library").joinpath("schema.sql").read_text(encoding="utf-8")

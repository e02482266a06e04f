"""Signs of life on PostgreSQL: a session's advisory lock, which the server lets go of when the connection ends."""

import hashlib
import threading
from collections.abc import Callable

import psycopg

from leadline.errors import StoreError

_BEAT = 0.5
"""Seconds between two signs that the connection is alive. Its end is seen at once; this finds a host that has vanished."""

_PATIENCE_MS = 3_000
"""A worker cut off notices after this, before the server does after 2 + 3 x 1 seconds, so a run is never at work twice."""


def key_of(executor: str) -> int:
    """Return the number of an executor's advisory lock: 64 bits with a sign, as PostgreSQL takes them."""
    return int.from_bytes(hashlib.sha256(f"leadline executor {executor}".encode()).digest()[:8], "big", signed=True)


class AdvisoryLocks:
    """One connection for the own lock and nothing else, one for the locks of others.

    Args:
        url: the database; locks are seen by all who use the same one. A pooler must not share sessions between clients.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._own: psycopg.Connection[tuple[object, ...]] | None = None
        self._other: psycopg.Connection[tuple[object, ...]] | None = None
        self._watcher: threading.Thread | None = None
        self._closing = threading.Event()

    def hold(self, executor: str, on_loss: Callable[[], None]) -> None:
        """See `Signs.hold`."""
        self._own = self._connect()
        if not _ask(self._own, "SELECT pg_try_advisory_lock(%s)", key_of(executor)):
            self._own.close()
            raise StoreError(f"The lock of executor {executor!r} is held by another process for the moment.")
        self._watcher = threading.Thread(target=self._watch, args=(self._own, on_loss), name="leadline-life", daemon=True)
        self._watcher.start()

    def take(self, executor: str) -> bool:
        """See `Signs.take`."""
        return self._ask_other("SELECT pg_try_advisory_lock(%s)", executor)

    def drop(self, executor: str) -> None:
        """See `Signs.drop`; with a lost connection it has been dropped already."""
        self._ask_other("SELECT pg_advisory_unlock(%s)", executor)

    def bury(self, executor: str) -> None:
        """Nothing is left of a lock that nobody holds."""

    def release(self) -> None:
        """See `Signs.release`."""
        self._closing.set()
        if self._watcher is not None:
            self._watcher.join()
        for connection in (self._own, self._other):
            if connection is not None:
                connection.close()

    def _connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        return psycopg.connect(
            self._url,
            autocommit=True,
            connect_timeout=3,
            application_name="leadline-engine",
            keepalives_idle=1,
            keepalives_interval=1,
            keepalives_count=2,
            tcp_user_timeout=_PATIENCE_MS,
            options="-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3",
        )

    def _watch(self, own: "psycopg.Connection[tuple[object, ...]]", on_loss: Callable[[], None]) -> None:
        try:
            while not self._closing.is_set():
                for _ in own.notifies(timeout=_BEAT):  # returns early, with an error, when the server closes the connection
                    pass
                own.execute("SELECT 1")
        except psycopg.Error:
            own.close()
            if not self._closing.is_set():
                on_loss()

    def _ask_other(self, query: str, executor: str) -> bool:
        try:
            if self._other is None or self._other.closed:
                self._other = self._connect()
            return _ask(self._other, query, key_of(executor))
        except psycopg.Error:
            return False


def _ask(connection: "psycopg.Connection[tuple[object, ...]]", query: str, key: int) -> bool:
    row = connection.execute(query.encode(), (key,)).fetchone()
    return bool(row and row[0])

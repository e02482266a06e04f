"""PostgreSQL by psycopg 3, imported when a URL asks for it.

Connections are synchronous, in threads: psycopg's own asynchronous ones do not run on the event loop that Windows has by
default, and a caller that is cancelled would leave a transaction half done.
"""

from functools import lru_cache

import psycopg
from psycopg.conninfo import conninfo_to_dict

from leadline.errors import StoreError
from leadline.store.database import Connection, Interruption, Row

_LOCK = 0x1EAD11E
"""Number of the advisory lock that migrations hold: any that other programs are unlikely to use."""

_CONNECT_SECONDS = 5
_AGAIN = ("08", "40", "57P", "53300", "55P03", "23503")
"""Starts of SQLSTATE codes after which the same work may succeed: connection lost, transaction rolled back, server going down
or starting, too many connections, lock not given, and a page deleted with its last run while another run saves it."""


class PostgresDriver:
    """Opens connections to one database, whose tables are in a schema `leadline` of their own."""

    begin = "BEGIN"
    prepare: tuple[str, ...] = (f"SELECT pg_advisory_xact_lock({_LOCK})", "CREATE SCHEMA IF NOT EXISTS leadline")
    find_schema = "SELECT to_regclass('leadline.schema_version') IS NOT NULL"
    readers = 2
    writers = 2
    together = 64
    first_patience = 0.5

    def __init__(self, url: str, patience: float) -> None:
        self._url = url
        self.place = _without_password(url)
        self.patience = patience

    def connect(self) -> Connection:
        """Open a connection; gives up after 5 seconds."""
        try:
            raw = psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=_CONNECT_SECONDS,
                application_name="leadline",
                keepalives_idle=10,
                keepalives_interval=5,
                keepalives_count=3,
                tcp_user_timeout=20_000,  # milliseconds: a host that vanished is noticed without a reply
            )
        except psycopg.Error as error:
            raise Interruption(
                f"PostgreSQL at {self.place} cannot be reached ({_reason(error)}): check URL and server."
            ) from error
        connection = PostgresConnection(raw, self.place)
        connection.execute("SET search_path TO leadline")
        connection.execute("SET lock_timeout TO '10s'")
        return connection


class PostgresConnection:
    """One connection to one database."""

    def __init__(self, raw: "psycopg.Connection[Row]", place: str) -> None:
        self._raw = raw
        self._place = place

    def execute(self, sql: str, *values: object) -> list[Row]:
        """See `Connection.execute`."""
        try:
            cursor = self._raw.execute(_translate_places(sql), values)
            return cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            raise self._translate(error) from error

    def close(self) -> None:
        """Close the connection; the server gives up an open transaction."""
        self._raw.close()

    def _translate(self, error: psycopg.Error) -> StoreError:
        """Return the sentence for an error; codes: https://www.postgresql.org/docs/15/errcodes-appendix.html."""
        code = error.sqlstate or ""
        if self._raw.closed or code.startswith(_AGAIN):
            return Interruption(f"PostgreSQL at {self._place} was lost ({_reason(error)}): start it again and resume the run.")
        if code == "53100":
            return StoreError(
                f"The disk of PostgreSQL at {self._place} is full: free some space and resume; what was saved is safe."
            )
        if code in ("42501", "25006"):
            return StoreError(
                f"PostgreSQL at {self._place} refuses to write ({_reason(error)}): use a role that owns the database."
            )
        return StoreError(
            f"PostgreSQL at {self._place} refuses a statement ({_reason(error)}): report it with Leadline's version."
        )


@lru_cache(maxsize=128)
def _translate_places(sql: str) -> bytes:
    return sql.replace("%", "%%").replace("?", "%s").encode()


def _without_password(url: str) -> str:
    """Return user, host, port and database of a URL, as libpq understands it.

    Raises:
        StoreError: it is no URL, or its parts are not where they seem to be: then none of them is shown.
    """
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError:
        raise _wrong_shape() from None  # the cause quotes the URL
    user, host, port, name = (parts.get(key, "") for key in ("user", "host", "port", "dbname"))
    if (not port.replace(",", "").isdigit() and port) or "@" in host + name:
        raise _wrong_shape()  # a password with a `/` in it is read as port and database
    return f"postgresql://{user and user + '@'}{host}{port and ':' + port}/{name}"


def _wrong_shape() -> StoreError:
    return StoreError(
        "The database URL has a wrong shape: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE,"
        " with %XX for each of @ / : % ? in the password."
    )


def _reason(error: psycopg.Error) -> str:
    """Return the first line of what libpq says, which names host and user, never the password."""
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0].strip()

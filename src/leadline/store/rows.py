"""How nouns look in rows: JSON text, times that sort as text, names that are safe, and the words a note is found by."""

import datetime as dt
import json
import re
import unicodedata
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from leadline.errors import NotFound, StoreError, UsageError
from leadline.records import Note, Record, Request, Run, Topic

RUN_VERSION = 1
"""Version of the JSON of a run's row; a higher one was written by a newer release."""

QUERY_LIMIT = 1000
"""Characters of a search; SQLite takes 1,000 conditions and patterns of 50,000 bytes, this stays below both."""

_R = TypeVar("_R", bound=Record)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")


def stamp(moment: dt.datetime) -> str:
    """Return a moment as UTC text of fixed width, so that text order is time order on every database."""
    return moment.astimezone(dt.UTC).isoformat(timespec="microseconds")


def is_name(text: str) -> bool:
    """Say whether a text can be the id of a run or note: letters, digits, `.`, `_`, `-`, at most 100."""
    return _NAME.fullmatch(text) is not None


def check_name(kind: str, text: str) -> None:
    """Refuse an id that would not be safe as a file name.

    Raises:
        UsageError: it holds other characters than letters, digits, `.`, `_`, `-`, or more than 100.
    """
    if not is_name(text):
        raise UsageError(f"{text!r} cannot be the id of a {kind}: use 1 to 100 of the characters A-Z, a-z, 0-9, '.', '_', '-'.")


def missing(kind: str, name: str) -> NotFound:
    """Return the error for a name that nothing goes by."""
    return NotFound(f"No {kind} goes by {name!r}: `leadline {kind}s list` shows those there are.")


# --- JSON -------------------------------------------------------------------------------------------------------------


def to_json(value: JsonValue) -> str:
    """Return a value as JSON text; half characters of broken Unicode are kept, as escapes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if _is_text(text) else json.dumps(value, separators=(",", ":"))


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def from_json(text: str, where: str) -> JsonValue:
    """Return the value of a JSON text.

    Raises:
        StoreError: the text is damaged; `where` says which row it is in.
    """
    try:
        value: JsonValue = json.loads(text)
    except json.JSONDecodeError as error:
        raise damaged(where) from error
    return value


def to_record(kind: type[_R], body: str, where: str) -> _R:
    """Return the record of a row.

    Raises:
        StoreError: the row is damaged; `where` says which it is.
    """
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        raise damaged(where) from error


def damaged(where: str) -> StoreError:
    """Return the error for a row that cannot be read."""
    return StoreError(f"The row of {where} is damaged and cannot be read: restore the store from a backup. Others can be read.")


def to_run(run: str, version: int, body: str) -> Run:
    """Return the run of a row.

    Raises:
        StoreError: the row is damaged, or written by a newer release.
    """
    if version > RUN_VERSION:
        raise StoreError(
            f"Run {run} was saved in format {version} by a newer Leadline; this reads up to {RUN_VERSION}: upgrade Leadline."
        )
    return to_record(Run, body, f"run {run}")


# --- rows that cannot be read still have their place in a list -------------------------------------------------------


def lost_run(run: str, created: str, reason: str) -> Run:
    """Return what a list shows in place of a run that cannot be read: its id and the reason."""
    moment = dt.datetime.fromisoformat(created)
    title = "(cannot be read)"
    topic = Topic(text=title, language="en", today=moment.date())
    return Run(id=run, request=Request(topic=title), topic=topic, status="failed", created=moment, ended=moment, reason=reason)


def lost_note(note: str, run: str, created: str, reason: str) -> Note:
    """Return what a list shows in place of a note that cannot be read: its id and the reason."""
    moment = dt.datetime.fromisoformat(created)
    return Note(
        id=note, title="(cannot be read)", body=reason, type="damaged", tags=(), run=run, created=moment, updated=moment
    )


# --- words ------------------------------------------------------------------------------------------------------------


def words(text: str) -> tuple[str, ...]:
    """Split a text into its words, folded (NFKC, case): Latin words and numbers as such, Chinese and the like as whole runs."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def index_words(note: Note) -> str:
    """Return the searchable form of a note: a space before every word of title and body."""
    return "".join(f" {word}" for word in words(f"{note.title}\n{note.body}"))


def search_terms(query: str) -> tuple[str, ...]:
    """Return what must stand in the searchable form of a note for it to hold every word of a query.

    A word in letters or digits is found from its start (`index` finds `indexes`, `art` does not find `start`); Chinese,
    Japanese and Korean, which do not mark where words start, are found anywhere.

    Raises:
        UsageError: the query holds no word, or more than 1,000 characters.
    """
    if len(query) > QUERY_LIMIT:
        raise UsageError(f"A search of {len(query):,} characters is too long: at most {QUERY_LIMIT:,} are allowed.")
    found = words(query)
    if not found:
        raise UsageError(f"The search {query!r} holds no word: give at least one letter or digit.")
    return tuple(word if re.match(f"[{_CJK}]", word) else f" {word}" for word in dict.fromkeys(found))

"""Results as services send them, to hits. What is odd or empty is dropped, never an exception."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from pydantic import JsonValue

from leadline.records import Hit, Query

Path = tuple[str | int, ...]

LONGEST_ADDRESS = 4000
LONGEST_TITLE = 500
LONGEST_SNIPPET = 4000

_TAG = re.compile(r"<[^<>]{0,300}>")
_DATE = re.compile(r"((?:1[89]|20)\d\d)(-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


def pick(value: JsonValue, *path: str | int) -> JsonValue:
    """Return what is at a path, or None where the path leads nowhere."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def pick_text(value: JsonValue, *path: str | int) -> str:
    """Return the text at a path, or "" where there is none; a number counts as its digits."""
    found = pick(value, *path)
    if isinstance(found, int | float) and not isinstance(found, bool):
        return str(found)
    return found if isinstance(found, str) else ""


def pick_items(value: JsonValue, *path: str | int) -> Iterator[JsonValue]:
    """Yield the elements of the list at a path."""
    found = pick(value, *path)
    yield from found if isinstance(found, list) else ()


def clean(text: str, most: int) -> str:
    """Return a text without tags and entities, on one line, at most `most` characters."""
    plain = html.unescape(_TAG.sub("", text[: 4 * most]))
    return " ".join(plain.encode("utf-8", "replace").decode().split())[:most]


def clean_date(text: str) -> str:
    """Return the date at the start of a text as `2022`, `2022-10` or `2022-10-12`, or ""."""
    match = _DATE.match(text.strip().replace("/", "-"))
    return match.group() if match else ""


def make_hit(backend: str, address: str, **parts: str | tuple[str, ...]) -> Hit | None:
    """Return a hit, or None when its address is none of the web.

    Args:
        backend: name of the backend.
        address: as the service gave it.
        parts: further fields of `Hit`; texts are cleaned.
    """
    address = address.strip()
    if not _is_address(address):
        return None
    longest = {"title": LONGEST_TITLE, "snippet": LONGEST_SNIPPET, "abstract": 4 * LONGEST_SNIPPET}
    texts = {name: clean(part, longest[name]) for name, part in parts.items() if name in longest and isinstance(part, str)}
    document = parts.get("document", "")
    authors = parts.get("authors", ())
    return Hit(
        backend=backend,
        address=address,
        document=document if isinstance(document, str) and _is_address(document) else "",
        authors=tuple(clean(author, 100) for author in authors if author.strip()) if isinstance(authors, tuple) else (),
        date=clean_date(date) if isinstance(date := parts.get("date", ""), str) else "",
        **texts,
    )


def take_hits(hits: Iterable[Hit | None], query: Query) -> list[Hit]:
    """Return the hits that have an address of the web, as many as were asked for."""
    return [hit for hit in hits if hit is not None][: query.limit]


def _is_address(address: str) -> bool:
    if not address.lower().startswith(("http://", "https://")) or len(address) > LONGEST_ADDRESS or not address.isprintable():
        return False
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False


def read_items(backend: str, items: Iterable[JsonValue], fields: Mapping[str, Path]) -> list[Hit]:
    """Return the hits of a list of results, in its order.

    Args:
        backend: name of the backend.
        items: as the service sent them.
        fields: field of `Hit` → where it is in an item; `address` among them.
    """
    hits: list[Hit] = []
    for item in items:
        parts = {name: pick_text(item, *path) for name, path in fields.items()}
        hit = make_hit(backend, parts.pop("address"), **parts)
        if hit is not None:
            hits.append(hit)
    return hits

"""JSON as a document: the texts in it, or failing those its keys and values."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from leadline.documents.blocks import Block, render_blocks, squeeze
from leadline.documents.dates import normalise_date
from leadline.documents.document import Document
from leadline.documents.plain import read_plain
from leadline.errors import DocumentError

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | float | bool | None"

_TEXT_KEYS = re.compile(
    r"text|content|body|abstract|description|summary|paragraphs?|answer|question|message|passage|article|document|markdown|notes?|"
    r"正文|内容|摘要|简介|描述|文本",
    re.IGNORECASE,
)
_TITLE_KEYS = ("title", "name", "headline", "标题", "题目")
_AUTHOR_KEYS = ("authors", "author", "creator", "作者")
_DATE_KEYS = ("date", "published", "datePublished", "created", "日期")
_LONGEST_KEYED = 400  # characters of a `key: value` line
_MOST_LINES = 20_000
_DEEPEST = 60


def is_json(text: str) -> bool:
    """Whether a text looks like JSON or JSON lines from its first characters."""
    return bool(re.match(r"\s*(?:\{\s*(?:\"|\})|\[\s*(?:[\[{\"\d\-]|true|false|null))", text))


def read_json(text: str) -> Document | None:
    """Return the texts of JSON or JSON lines, or None when it is neither.

    Raises:
        DocumentError: `unreadable`: it is nested deeper than any document is.
    """
    try:
        value = _parse(text)
        if value is None:
            return None
        blocks = list(_read_texts(value, 1)) or list(_read_values(value, "", 0))[:_MOST_LINES]
    except RecursionError as error:
        raise DocumentError("unreadable", "The JSON is nested too deep.") from error
    top = value if isinstance(value, dict) else {}
    return Document(
        render_blocks(blocks),
        title=_find(top, _TITLE_KEYS),
        authors=_find_authors(top),
        date=normalise_date(_find(top, _DATE_KEYS)),
    )


def _parse(text: str) -> Value:
    """A document, or a list of the lines' documents; None when it is no JSON."""
    try:
        value: Value = json.loads(text)
        return value
    except ValueError:
        pass
    lines: list[Value] = []
    try:
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        return None
    return lines


def _read_texts(value: Value, level: int) -> Iterator[Block]:
    """Strings under keys that hold texts, each record's under a heading with its title."""
    if level > _DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _read_texts(item, level)
        return
    if not isinstance(value, dict):
        return
    found: list[Block] = []
    for key, inner in value.items():
        if isinstance(inner, str) and _TEXT_KEYS.fullmatch(key):
            found += read_plain(inner)
        elif isinstance(inner, list) and _TEXT_KEYS.fullmatch(key) and all(isinstance(item, str) for item in inner):
            found += [block for item in inner for block in read_plain(str(item))]
        else:
            found += _read_texts(inner, level + 1)
    title = _find(value, _TITLE_KEYS)
    if found and title:
        yield Block("heading", title, min(level, 6))
    yield from found


def _read_values(value: Value, key: str, depth: int) -> Iterator[Block]:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _read_values(inner, f"{key}.{name}" if key else name, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _read_values(inner, key, depth + 1)
    elif value is not None and value != "":
        shown = value if isinstance(value, str) else json.dumps(value)
        yield Block("item", f"{key}: {shown[:_LONGEST_KEYED]}" if key else shown[:_LONGEST_KEYED])


def _find(record: Mapping[str, Value], keys: tuple[str, ...]) -> str:
    found = (record.get(key) for key in keys)
    return next((squeeze(value) for value in found if isinstance(value, str) and value.strip()), "")


def _find_authors(record: Mapping[str, Value]) -> tuple[str, ...]:
    for key in _AUTHOR_KEYS:
        value = record.get(key)
        names = value if isinstance(value, list) else re.split(r"[;；,，、]", value) if isinstance(value, str) else []
        if found := [squeeze(name) for name in names if isinstance(name, str) and name.strip()]:
            return tuple(found)
    return ()

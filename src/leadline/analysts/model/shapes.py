"""From what a model has written to todos and sentences, whatever shape it gave them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from pydantic import JsonValue

from leadline.analysts.model.parsing import Found, read_values
from leadline.records import Quote, Repair, Todo

_TITLES = ("title", "name", "task", "topic", "heading", "标题", "標題", "名称", "任务", "任務")
_QUERIES = ("query", "queries", "search", "search_query", "keywords", "检索词", "查询", "搜索", "檢索詞", "查詢", "搜尋")
_INTENTS = ("intent", "goal", "purpose", "description", "why", "目的", "意图", "意圖", "说明", "說明")
_TEXTS = ("text", "point", "sentence", "statement", "content", "claim", "summary", "要点", "句子", "内容", "要點", "內容")
_CITES = (
    "cites",
    "cite",
    "citations",
    "citation",
    "sources",
    "source",
    "labels",
    "label",
    "refs",
    "references",
    "引用",
    "来源",
)

_TODO = (*_QUERIES, "title", "标题", "標題")

_PLACEHOLDERS = frozenset(
    {"string", "str", "text", "title", "query", "intent", "todo", "point", "label", "sentence"}
    | {"标题", "查询语句", "查询", "意图", "要点", "字符串", "检索词"}
)
_PLACEHOLDER = re.compile(r"\s*(?:[<＜{｛\[].*[>＞}｝\]]|x{3,}|[.…·。_\-\s?？]*)\s*", re.DOTALL)
_LABEL = re.compile(r"\d{1,3}\.\d{1,5}")
_MARK = re.compile(
    r"\s*(?:\\?[\[［【(（]\s*\^?\s*(?:source|cite|来源|來源|see|passages?)?\s*:?\s*"
    r"\d{1,3}\.\d{1,5}(?:\s*[,;，、；–—-]\s*(?:source\s*)?\d{1,3}\.\d{1,5})*[^\[\]【】()（）]{0,12}\\?[\]］】)）](?:\([^)\s]*\))?)"
)
_NUMBERED = re.compile(r"^\s*(?:\d{1,2}\s*[.)、．）:]|[-*•])\s*(?P<title>.+)$", re.MULTILINE)
_SEARCH = re.compile(
    r"\s*[-–—:：|(（]*\s*\**(?:search(?:\s+for)?|query|搜索|检索|查询|检索词|搜尋|檢索)\**\s*[:：]\s*", re.IGNORECASE
)
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with the labels that it cites."""

    text: str
    cites: tuple[str, ...]


def read_todos(text: str, topic: str) -> list[Todo]:
    """Return the todos of a reply: those of its last value that has any, else those of a numbered list in prose.

    Values of a single todo each, one behind the other, are one list.
    """
    values = [_join_queries(found) for found in read_values(text)]
    lists = [[todo for item in _items(found, _TODO) if (todo := _as_todo(item))] for found in values]
    filled = [todos for todos in lists if todos]
    if not filled:
        return [todo for match in _NUMBERED.finditer(text) if (todo := _from_prose(match["title"], topic))]
    if all(len(todos) == 1 for todos in filled):
        return [todo for todos in filled for todo in todos]
    whole = [todos for todos, found in zip(lists, values, strict=True) if todos and found.whole]
    return (whole or filled)[-1]


def read_queries(text: str) -> list[str]:
    """Return the queries that a reply has named so far, before or with its todos."""
    queries = [query for found in read_values(text) for query in _list_queries(found.value)]
    return [query for query in queries if not _is_placeholder(query)] or [todo.query for todo in read_todos(text, "")]


def _list_queries(value: JsonValue) -> list[str]:
    listed = value.get("queries") if isinstance(value, dict) else None
    return [" ".join(one.split()) for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def _join_queries(found: Found) -> Found:
    """Return a value whose todos have the queries that stand before them in a list of their own."""
    if isinstance(found.value, list) and len(found.value) == 1 and _list_queries(found.value[0]):
        return _join_queries(Found(found.value[0], found.whole))
    queries = _list_queries(found.value)
    if not queries or not isinstance(found.value, dict):
        return found
    rest: dict[str, JsonValue] = {name: member for name, member in found.value.items() if name != "queries"}
    items = _items(Found(rest, found.whole), _TODO)
    joined: list[JsonValue] = [
        {"query": query, **item} if isinstance(item, dict) else item for query, item in zip(queries, items, strict=False)
    ]
    return Found([*joined, *items[len(queries) :]] if items else list(queries), found.whole)


def read_statements(text: str) -> list[Statement]:
    """Return the statements of a reply, in order, over all its values."""
    items = [item for found in read_values(text) for item in _items(found, _TEXTS)]
    return [statement for item in items if (statement := _as_statement(item))]


def read_quotes(text: str) -> list[Quote]:
    """Return the quotes of a reply; drafts are counted from 1 there and from 0 here."""
    items = [item for found in read_values(text) for item in _items(found, _TEXTS)]
    return list(dict.fromkeys(quote for item in items if isinstance(item, dict) and (quote := _as_quote(item))))


def read_repair(text: str) -> list[Repair]:
    """Return the repair that a reply holds, an empty one where it says that there is none; nothing where it holds no object."""
    items = [item for found in read_values(text) for item in _items(found, ("text", "quote"))]
    for item in reversed(items):
        if isinstance(item, dict) and any(key in item for key in ("text", "quote")):
            said = " ".join(_MARK.sub("", _pick(item, _TEXTS)).split())
            return [Repair() if _is_placeholder(said) else Repair(text=said, quote=_pick(item, ("quote", "引文")))]
    return []


def has_empty_list(text: str) -> bool:
    """Say whether a reply says in the form that was asked for that there is nothing."""
    values = [found.value for found in read_values(text) if found.whole]
    return bool(values) and all(value == [] or (isinstance(value, dict) and [] in value.values()) for value in values)


def _items(found: Found, keys: Sequence[str]) -> list[JsonValue]:
    """Return the members of a value that may be what was asked for, from any of the shapes that models give a list."""
    value = found.value
    if isinstance(value, list):
        lone = value[0] if len(value) == 1 else None
        nested = isinstance(lone, dict) and not any(key in lone for key in keys)
        return _items(Found(lone, found.whole), keys) if nested or isinstance(lone, list) else value
    if not isinstance(value, dict):
        return []
    inner = max((member for member in value.values() if _is_list_of_items(member)), key=_count_objects, default=None)
    if inner is not None:
        return inner if isinstance(inner, list) else list(inner.values())
    if any(key in value for key in keys):
        return [value] if found.whole else []
    objects = [member for member in value.values() if isinstance(member, dict)]
    if len(objects) == 1:
        return _items(Found(objects[0], found.whole), keys)
    return [*objects] if len(objects) == len(value) else []


def _is_list_of_items(member: JsonValue) -> TypeGuard[list[JsonValue] | dict[str, JsonValue]]:
    match member:
        case list():
            return any(isinstance(one, (dict, str)) for one in member) and not _is_labels(member)
        case dict():
            return bool(member) and all(isinstance(one, dict) for one in member.values())
        case _:
            return False


def _count_objects(member: list[JsonValue] | dict[str, JsonValue]) -> int:
    members = member if isinstance(member, list) else member.values()
    return sum(isinstance(one, dict) for one in members)


def _is_labels(values: Sequence[JsonValue]) -> bool:
    return all(isinstance(value, str) and _LABEL.fullmatch(value.strip()) for value in values)


def _as_todo(item: JsonValue) -> Todo | None:
    if isinstance(item, str):
        item = {"title": item, "query": item}
    if not isinstance(item, dict):
        return None
    title, query, intent = (_pick(item, names) for names in (_TITLES, _QUERIES, _INTENTS))
    title, query = title or query, query or title
    if _is_placeholder(title) or _is_placeholder(query):
        return None
    return Todo(id=1, title=title[:_LONGEST], intent="" if _is_placeholder(intent) else intent, query=query[:_LONGEST])


def _from_prose(line: str, topic: str) -> Todo | None:
    title, *query = _SEARCH.split(line, maxsplit=1)
    title = title.replace("*", "").replace("`", "").strip(' -–—:："“”')
    if _is_placeholder(title) or len(title) > _LONGEST:
        return None
    asked = query[0].strip(' )）*`"“”') if query else f"{topic} {title}"
    return Todo(id=1, title=title, query=asked or title)


def _as_statement(item: JsonValue) -> Statement | None:
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, dict):
        return None
    said = _pick(item, _TEXTS)
    inside = [label for mark in _MARK.finditer(said) for label in _LABEL.findall(mark.group())]
    text = " ".join(_MARK.sub("", said).split())
    return None if _is_placeholder(text) else Statement(text, tuple(dict.fromkeys([*_cites(item), *inside])))


def _as_quote(item: Mapping[str, JsonValue]) -> Quote | None:
    draft, text = (
        re.search(r"\d+", _pick(item, ("draft", "number", "id", "statement"))),
        _pick(item, ("text", "quote", "words")),
    )
    cites = _cites(item)
    if not draft or not cites or _is_placeholder(text):
        return None
    return Quote(draft=int(draft.group()[:4]) - 1, cite=cites[0], text=text)


def _cites(item: Mapping[str, JsonValue]) -> list[str]:
    return [label for name in _CITES if name in item for label in _labels(item[name])]


def _labels(member: JsonValue) -> list[str]:
    match member:
        case str() | float() | int():
            return _LABEL.findall(str(member))
        case list():
            return [label for one in member for label in _labels(one)]
        case dict():
            return [label for one in member.values() for label in _labels(one)]
        case _:
            return []


def _pick(item: Mapping[str, JsonValue], names: Sequence[str]) -> str:
    """Return the first member under one of the names as one line of text."""
    for name in names:
        member = item.get(name)
        parts = member if isinstance(member, list) else [member]
        words = " ".join(str(part) for part in parts if isinstance(part, (str, int, float)) and not isinstance(part, bool))
        if words.strip():
            return " ".join(words.split())
    return ""


def _is_placeholder(text: str) -> bool:
    return text.casefold() in _PLACEHOLDERS or bool(_PLACEHOLDER.fullmatch(text))

"""JSON as models write it: with talk around it, trailing commas, any quotes, full-width separators, cut off in the middle."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

_DEEPEST = 12
"""Levels of lists and objects; no answer that was asked for has more than three."""

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "null": None, "none": None}
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "”": "”", "`": "`"}
_CLOSERS = {"{": "}｝", "｛": "}｝", "[": "]］", "［": "]］"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/"}
_OPENING = re.compile(r"[{\[｛［]")
_AFTER_STRING = re.compile(r"\s*(?:[:：,，、}\]｝］]|$)")


@dataclass(frozen=True, slots=True)
class Found:
    """A list or object that stands in a text. `whole` is False where the text ends before it does."""

    value: JsonValue
    whole: bool


def read_values(text: str) -> list[Found]:
    """Return the outermost lists and objects of a text, in order, keys in small letters. Never raises; what is unreadable goes.

    Of a value that is cut off, what was complete stays: a member of a list that was cut goes.
    """
    found: list[Found] = []
    place = 0
    while opening := _OPENING.search(text, place):
        cursor = _Cursor(text, opening.start())
        try:
            value = cursor.read_value(0)
        except _TooDeep:
            place = cursor.place
            continue
        except _NotJson:
            place = opening.end()
            continue
        found.append(Found(value, not cursor.cut))
        place = max(cursor.place, opening.end())
    return found


class _NotJson(Exception):
    """What stands here is no JSON, however kindly it is looked at."""


class _TooDeep(_NotJson):
    """Lists in lists that nobody asked for: what lies deeper is not looked at again."""


class _Cut(Exception):
    """The text ended within a value that is worth nothing without its end."""


class _Cursor:
    """A place in a text from which values are read. `cut` says that the text ended too early."""

    def __init__(self, text: str, place: int) -> None:
        self.text = text
        self.place = place
        self.cut = False

    def read_value(self, depth: int) -> JsonValue:
        if depth > _DEEPEST:
            raise _TooDeep
        sign = self._peek()
        if sign in "{｛":
            return self._read_object(depth)
        if sign in "[［":
            return self._read_list(depth)
        if sign in _QUOTES:
            return self._read_string()
        return self._read_word()

    def _peek(self) -> str:
        """The next sign that is no space and no comment."""
        skipped = _SPACE.match(self.text, self.place)
        self.place = skipped.end() if skipped else self.place
        if self.place >= len(self.text):
            self.cut = True
            raise _Cut
        return self.text[self.place]

    def _members(self) -> Iterator[None]:
        """Stop before each member of a list or object, and leave behind its closing sign."""
        closers = _CLOSERS[self.text[self.place]]
        self.place += 1
        while True:
            sign = self._peek()
            if sign in closers:
                self.place += 1
                return
            if sign in ",，、":
                self.place += 1
                continue
            yield

    def _read_list(self, depth: int) -> JsonValue:
        values: list[JsonValue] = []
        try:
            for _ in self._members():
                values.append(self.read_value(depth + 1))  # noqa: PERF401 - what was read before a cut stays
        except _Cut:
            if depth > 1:
                raise
        return values

    def _read_object(self, depth: int) -> JsonValue:
        members: dict[str, JsonValue] = {}
        try:
            for _ in self._members():
                key = self._read_key().strip().lower()
                if self._peek() not in ":：=":
                    raise _NotJson
                self.place += 1
                members[key] = self.read_value(depth + 1)
        except _Cut:
            if depth > 0 and not all(isinstance(value, dict) for value in members.values()):
                raise
        return members

    def _read_key(self) -> str:
        if self._peek() in _QUOTES:
            return self._read_string()
        word = _WORD.match(self.text, self.place) or _NUMBER.match(self.text, self.place)
        if not word:
            raise _NotJson
        self.place = word.end()
        return word.group()

    def _read_string(self) -> str:
        closer = _QUOTES[self.text[self.place]]
        self.place += 1
        said: list[str] = []
        stop = re.compile(f"[{re.escape(closer)}\\\\]")
        while found := stop.search(self.text, self.place):
            said.append(self.text[self.place : found.start()])
            self.place = found.end()
            if found.group() == "\\":
                said.append(self._read_escape())
            elif self._ends_here():
                return "".join(said)
            else:
                said.append(closer)
        self.place = len(self.text)
        self.cut = True
        raise _Cut

    def _ends_here(self) -> bool:
        """An apostrophe or unescaped quote inside a string is followed by more of its sentence, not by a separator."""
        return bool(_AFTER_STRING.match(self.text, self.place))

    def _read_escape(self) -> str:
        sign = self.text[self.place : self.place + 1]
        self.place += 1
        if sign == "u":
            digits = self.text[self.place : self.place + 4]
            if re.fullmatch(r"[0-9a-fA-F]{4}", digits):
                self.place += 4
                return _decode(digits, self)
        return _ESCAPES.get(sign, sign)

    def _read_word(self) -> JsonValue:
        if number := _NUMBER.match(self.text, self.place):
            self.place = number.end()
            digits = number.group()
            return int(digits) if digits.lstrip("-").isdecimal() and len(digits) < 20 else digits
        word = _WORD.match(self.text, self.place)
        if not word or word.group().lower() not in _WORDS:
            raise _NotJson
        self.place = word.end()
        return _WORDS[word.group().lower()]


def _decode(digits: str, cursor: _Cursor) -> str:
    """Return the character of a `\\u` escape, and of the two that make one; a lone half is no character."""
    code = int(digits, 16)
    second = re.match(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})", cursor.text[cursor.place : cursor.place + 6])
    if 0xD800 <= code < 0xDC00 and second:
        cursor.place += 6
        return chr(0x10000 + (code - 0xD800 << 10) + int(second[1], 16) - 0xDC00)
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)

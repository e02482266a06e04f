"""Inline marks of reStructuredText to the words that they dress."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_SUBSTITUTION = re.compile(r"\s*\.\. \|([^|]+)\| replace::\s*(.*)")
_TARGET = re.compile(r"\s*\.\. _`?([^:`]+)`?:")
_LITERAL = re.compile(r"``(.+?)``")
_ROLE = re.compile(r":[\w:.+-]{1,60}:`([^`]+)`")
_QUOTED = re.compile(r"`([^`]+)`(?:__?|:[\w:.+-]+:)?")
_EMBEDDED = re.compile(r"(?:(?<!\s)\s+)?<[^<>]*>$")
_FOOTNOTE = re.compile(r"\s?\[(?:#?\w*|\*)\]_(?!\w)")
# Only where a word begins: tried at every letter after a full stop it takes quadratic time.
_REFERENCE = re.compile(r"(?:(?<![\w.-])|(?<=(?<![\w.-])[.-]))([A-Za-z0-9][\w.-]*?)__?(?![\w`])")
_STRONG = re.compile(r"(?<![\w*])\*\*(\S(?:[^*]*?\S)?)\*\*(?![\w*])")
_EMPHASIS = re.compile(r"(?<![\w*])\*(\S(?:[^*]*?\S)?)\*(?![\w*])")
_ESCAPED = re.compile(r"\\(\s|.)")


@dataclass(frozen=True, slots=True)
class Inline:
    """What a document defines for its inline marks: substitutions by name, and names of targets in lower case."""

    substitutions: Mapping[str, str]
    targets: frozenset[str]

    @classmethod
    def collect(cls, lines: Sequence[str]) -> "Inline":
        """Return the definitions in a document's lines."""
        substitutions = (_SUBSTITUTION.match(line) for line in lines)
        targets = (_TARGET.match(line) for line in lines)
        return cls(
            {match.group(1): match.group(2) for match in substitutions if match},
            frozenset(match.group(1).lower() for match in targets if match),
        )

    def clean(self, text: str) -> str:
        """Return a text without its marks; literals are kept to the letter."""
        pieces = _LITERAL.split(text)
        return "".join(piece if number % 2 else self._clean_plain(piece) for number, piece in enumerate(pieces))

    def _clean_plain(self, text: str) -> str:
        text = _FOOTNOTE.sub("", self._substitute(text))
        text = _ROLE.sub(lambda match: _read_role(match.group(1)), text)
        text = _QUOTED.sub(lambda match: _EMBEDDED.sub("", match.group(1)), text)
        text = _REFERENCE.sub(self._read_reference, text)
        text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", text))
        return _ESCAPED.sub(lambda match: match.group(1).strip(), text)

    def _substitute(self, text: str) -> str:
        if not self.substitutions or "|" not in text:
            return text
        first, *rest = text.split("|")
        parts = [first]
        pieces = iter(rest)
        for piece in pieces:
            following = next(pieces, None) if piece in self.substitutions else None
            parts.append(f"|{piece}" if following is None else self.substitutions[piece] + following)
        return "".join(parts)

    def _read_reference(self, match: re.Match[str]) -> str:
        return match.group(1) if match.group(1).lower() in self.targets else match.group()


def _read_role(content: str) -> str:
    """`text <target>` shows its text, `~a.b.c` only `c`."""
    shown = _EMBEDDED.sub("", content)
    return shown[1:].rsplit(".", 1)[-1] if shown.startswith("~") else shown.removeprefix("!")

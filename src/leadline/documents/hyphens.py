"""Words that were divided at the end of a line."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_CUT = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)[-\u2010\u00ad\x02]$")
_REST = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Hyphens:
    """How often a document writes each word, whole and with its hyphens: `time-out` stays what it is where it is written so."""

    words: Counter[str]

    @classmethod
    def learn(cls, lines: Iterable[str]) -> "Hyphens":
        """Count the words of a document."""
        words: Counter[str] = Counter()
        for line in lines:
            if "-" in line or line[-1:].isalpha():
                words.update(word.lower() for word in _WORD.findall(line))
            else:
                words.update(_WORD.findall(line.lower()))
        return cls(words)

    def mend(self, lines: Sequence[str]) -> list[str]:
        """Return the lines of a paragraph with each divided word whole on the line where it starts."""
        mended = list(lines)
        for number in range(len(mended) - 1):
            cut, rest = _CUT.search(mended[number]), _REST.match(mended[number + 1])
            if cut and rest and rest.group()[0].islower():
                whole = self._join(cut.group(1), rest.group())
                tail = re.match(r"\S*", mended[number + 1][rest.end() :])
                end = rest.end() + (tail.end() if tail else 0)
                mended[number] = mended[number][: cut.start()] + whole + mended[number + 1][rest.end() : end]
                mended[number + 1] = mended[number + 1][end:].lstrip()
        return mended

    def _join(self, start: str, rest: str) -> str:
        dashed, plain = f"{start}-{rest}", start + rest
        return dashed if self.words[dashed.lower()] > self.words[plain.lower()] else plain

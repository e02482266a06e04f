"""The fixed sentences of runs and reports, in the language of the report. The words are data: `words/*.json`."""

import datetime as dt
import functools
import json
from collections.abc import Sequence
from importlib import resources


class Phrases:
    """The sentences of one language."""

    def __init__(self, language: str, sentences: dict[str, str]) -> None:
        self.language = language
        self._sentences = sentences

    def say(self, key: str, **values: object) -> str:
        """Return the sentence under `key` with its variables filled in.

        Raises:
            KeyError: no such sentence, or a variable is missing: a mistake in the program, which the tests look for.
        """
        return self._sentences[key].format(**values)

    def count(self, key: str, count: int, **values: object) -> str:
        """Return the sentence for a number of things, in its singular where the language has one."""
        singular = f"{key}_one"
        return self.say(singular if count == 1 and singular in self._sentences else key, count=count, **values)

    def date(self, day: dt.date) -> str:
        """Return a date as people write it."""
        month = self.say("months").split()[day.month - 1]
        return self.say("date", day=day.day, month=month, year=day.year)

    def list(self, parts: Sequence[str]) -> str:
        """Return an enumeration."""
        return self.say("comma").join(parts)

    def join(self, sentences: Sequence[str]) -> str:
        """Return sentences as one paragraph."""
        return self.say("space").join(sentences)

    def name_language(self, tag: str) -> str:
        """Return the name of a language, or its tag where this language has no word for it."""
        return self._sentences.get(f"language_{tag}", tag)

    def analyst(self, name: str) -> str:
        """Return how an analyst is called in this language."""
        return self._sentences.get(f"analyst_{name}", name)


@functools.cache
def phrases(language: str, *rooms: str) -> Phrases:
    """Return the phrases for a BCP 47 tag: Chinese in its own script, English for all languages without a file.

    Args:
        language: the tag.
        rooms: packages with words of their own, which come beside those of the ones before them or take their place.
    """
    name = _file_for(language)
    sentences: dict[str, str] = {}
    for room in (__package__, *rooms):
        sentences |= _read(room, name)
    return Phrases(name, sentences)


def _read(room: str, name: str) -> dict[str, str]:
    sentences: dict[str, str] = json.loads(resources.files(room).joinpath("words", f"{name}.json").read_text(encoding="utf-8"))
    return sentences


def _file_for(language: str) -> str:
    parts = language.split("-")
    if parts[0] != "zh":
        return "en"
    return "zh-Hant" if {"Hant", "TW", "HK", "MO"} & set(parts) else "zh"

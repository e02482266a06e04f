"""Closed word lists of the extractive analyst. The words are data: `words/*.json`."""

import functools
import json
import re
from importlib import resources


class Vocabulary:
    """What the lists say.

    `asking` and `cjk_asking` make a text a question and say nothing of what it is about; `light` words say what is to be done,
    hardly with what; `deeds` and `cjk_deeds` do so in a question for how, `noun_deeds` too where they cannot be nouns;
    `documents` and `cjk_documents` are what a question calls the sources; `kinds` say what kind of answer is wanted; `joints`
    and `cjk_joints` never are part of a name; `plain_headings` name a part of any document.
    """

    def __init__(self, data: dict[str, str]) -> None:
        self.asking = frozenset(data["asking"].split())
        self.cjk_asking = _alternatives(data["cjk_asking"])
        self.light = frozenset(data["light"].split())
        self.deeds = frozenset(data["deeds"].split())
        self.noun_deeds = frozenset(data["noun_deeds"].split())
        self.cjk_deeds = _alternatives(data["cjk_deeds"])
        self.documents = _alternatives(data["documents"])
        self.cjk_documents = _alternatives(data["cjk_documents"])
        self.kinds = frozenset(data["kinds"].split())
        self.joints = frozenset(data["joints"].split()) | self.asking
        self.cjk_joints = _alternatives(data["cjk_joints"])
        self.plain_headings = frozenset(name.strip() for name in data["plain_headings"].split(","))


@functools.cache
def vocabulary() -> Vocabulary:
    """Return the word lists."""
    return Vocabulary(load("vocabulary"))


@functools.cache
def load(name: str) -> dict[str, str]:
    """Return one file of words by its name without `.json`."""
    text = resources.files(__package__).joinpath("words", f"{name}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def _alternatives(words: str) -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(re.escape, words.split()), key=lambda word: (-len(word), word))))

"""Prompts from their Markdown files: every variable is given, none is left, and no value can pass for a part of the prompt."""

import functools
import json
import re
from importlib import resources

from leadline.models import Manner

_VARIABLE = re.compile(r"\{\{(\w+)\}\}")
_TAG = re.compile(r"<(?=(?i:\s*/?\s*(?:source|question|answer|statement|passage|system|think)\b))")
_LABEL = re.compile(r"\[(?=\s*\d{1,3}\.\d{1,5}\s*\])")
_GAPS = re.compile(r"\n{3,}")
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


def render(name: str, **values: str) -> tuple[str, str]:
    """Return system and user text of a prompt.

    Raises:
        KeyError: a variable of the prompt has no value, or a value no variable: a mistake in the program.
    """
    template = _load(name)
    wanted = set(_VARIABLE.findall(template))
    if wanted != set(values):
        raise KeyError(f"prompt {name}: {sorted(wanted ^ set(values))}")
    text = _VARIABLE.sub(lambda variable: values[variable[1]], template)
    system, _, user = text.rpartition("\n---\n")
    return _GAPS.sub("\n\n", system).strip(), _GAPS.sub("\n\n", user).strip()


@functools.cache
def _load(name: str) -> str:
    return resources.files(__package__).joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def neutralise(text: str) -> str:
    """Return foreign text as it may stand in a prompt: on one line, without hidden characters, tags or labels of ours."""
    line = " ".join(_HIDDEN.sub("", text).split())
    return _LABEL.sub("(", _TAG.sub("‹", line))


def manner_text(language: str, manner: Manner) -> str:
    """Return how to write, as every prompt says it."""
    audience = f"The readers: {neutralise(manner.audience)}" if manner.audience else ""
    wishes = f"Wishes of the person who asked: {neutralise(manner.instructions)}" if manner.instructions else ""
    return render("manner", language=name_language(language), audience=audience, instructions=wishes)[1]


@functools.cache
def _languages() -> dict[str, str]:
    names: dict[str, str] = json.loads(resources.files(__package__).joinpath("languages.json").read_text(encoding="utf-8"))
    return names


def name_language(tag: str) -> str:
    """Return what a language is called in prompts; a tag without a name stands for itself."""
    if {"Hant", "TW", "HK", "MO"} & set(tag.split("-")) and tag.startswith("zh"):
        return _languages()["zh-Hant"]
    return _languages().get(tag, _languages().get(tag.split("-")[0], tag))

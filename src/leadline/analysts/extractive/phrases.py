"""The fixed sentences of the extractive analyst. The words are data: `words/*.json`."""

from collections.abc import Mapping

from leadline.analysts.extractive.vocabulary import load


def phrases_for(language: str) -> Mapping[str, str]:
    """Return the sentences for a BCP 47 tag: Chinese in its own script, English for all languages without a file."""
    main, *rest = language.split("-")
    if main != "zh":
        return load("en")
    return load("zh-Hant" if {"Hant", "TW", "HK", "MO"} & set(rest) else "zh")

"""In which language a page speaks: what its reader chose, else what the browser asks for."""

from collections.abc import Mapping

from leadline.pipeline.phrases import Phrases, phrases

COOKIE = "leadline_language"
LANGUAGES = {"en": "English", "zh": "中文"}


def choose_language(cookies: Mapping[str, str], accepted: str) -> str:
    """Return `en` or `zh`.

    Args:
        cookies: of the request; the switch of the page sets one.
        accepted: the Accept-Language header (https://www.rfc-editor.org/rfc/rfc9110#name-accept-language).
    """
    if (chosen := cookies.get(COOKIE, "")) in LANGUAGES:
        return chosen
    wanted = sorted(accepted.split(","), key=_read_weight, reverse=True)
    known = (tag.split(";")[0].strip().lower().split("-")[0] for tag in wanted)
    return next((language for language in known if language in LANGUAGES), "en")


def _read_weight(tag: str) -> float:
    _, _, weight = tag.partition("q=")
    try:
        return float(weight or 1)
    except ValueError:
        return 0.0


def page_words(language: str) -> Phrases:
    """Return the words of pages: those of reports, and the server's own."""
    return phrases(language, "leadline.rendering", __package__)

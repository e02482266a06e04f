"""The language of a document, from what it declares and what it shows."""

from leadline.grounding.language import detect

_TRADITIONAL = ("tw", "hk", "mo", "hant")


def choose_language(declared: str, text: str) -> str:
    """Return the BCP 47 tag of a document's language, or "" when it has no text.

    What the text shows wins over what is declared: templates carry `lang="en"` into pages of every language. The declaration
    decides only among languages that the text doesn't tell apart (`detect` answers `en` when nothing tells).

    Args:
        declared: a tag as documents write it (`en-US`, `zh_TW.UTF-8`), or "".
        text: what was read of the document.
    """
    if not text.strip():
        return ""
    shown = detect(text)
    tag = _simplify(declared)
    return tag if tag and shown == "en" and not tag.startswith(("zh", "ja", "ko")) else shown


def _simplify(declared: str) -> str:
    parts = declared.replace("_", "-").split(".")[0].lower().split("-")
    if not (2 <= len(parts[0]) <= 3 and parts[0].isalpha() and parts[0].isascii()):
        return ""
    return "zh-Hant" if parts[0] == "zh" and any(part in _TRADITIONAL for part in parts[1:]) else parts[0]

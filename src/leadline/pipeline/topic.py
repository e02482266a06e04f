"""The topic of a run: what may be asked, and in which language the answer will be."""

import datetime as dt
import re
import unicodedata

from leadline.errors import TopicError
from leadline.grounding.language import detect
from leadline.records import Topic

LONGEST = 2000
"""Characters. Longer texts are documents, not questions: give those as a source."""

_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of writing: they come along when text is copied, and make what follows read backwards."""

LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def make_topic(text: str, language: str | None, today: dt.date) -> Topic:
    """Check what a person typed and make it the topic of a run.

    Args:
        text: the question; white space is folded, marks that turn the direction of writing are left out.
        language: BCP 47 tag of the report's language, or None to take the question's own.
        today: the date that the run will hold on to.

    Raises:
        TopicError: the text is empty, longer than `LONGEST` characters or holds characters that no text has, or the
            language is not a language tag.
    """
    question = " ".join(_TURNING.sub("", text).split())
    if wrong := find_control(question):
        raise TopicError(f"The topic holds {wrong}, which no text has. Type the question again without it.")
    if not question:
        raise TopicError(
            'The topic is empty. Ask a question, for example: leadline research "How does VACUUM work?" --in FOLDER'
        )
    if len(question) > LONGEST:
        raise TopicError(
            f"The topic has {len(question):,} characters ({question[:40]!r}…); at most {LONGEST:,} are allowed. "
            "Shorten the question and give long texts as a source: --in FILE"
        )
    return Topic(text=question, language=_check_language(language) if language else detect(question), today=today)


def find_control(text: str) -> str:
    """Return the first control, half character, noncharacter or mark that turns writing, as `'\\x07' at character 3`, or "".

    Characters that this Python's Unicode tables don't know yet are let through: they may be this year's.
    """
    for place, char in enumerate(text, 1):
        if unicodedata.category(char) in ("Cc", "Cs") or _is_noncharacter(char) or _TURNING.match(char):
            return f"{char!r} at character {place}"
    return ""


def _is_noncharacter(char: str) -> bool:
    return "\ufdd0" <= char <= "\ufdef" or ord(char) & 0xFFFE == 0xFFFE


def _check_language(tag: str) -> str:
    if not LANGUAGE.fullmatch(tag):
        raise TopicError(f"{tag!r} is not a language code; allowed are codes like en, zh, zh-Hant, de, pt-BR.")
    main, *rest = tag.split("-")
    return "-".join([main.lower(), *(part.title() if len(part) == 4 else part.upper() for part in rest)])

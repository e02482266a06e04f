"""The topic of a run: what may be asked, and in which language the answer will be."""

import datetime as dt
import re
import unicodedata

from leadline.errors import TopicError
from leadline.grounding.language import detect
from leadline.records import Topic

LONGEST = 2000
"""Characters. Longer texts are documents, not questions: give those as a source."""

LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def make_topic(text: str, language: str | None, today: dt.date) -> Topic:
    """Check what a person typed and make it the topic of a run.

    Args:
        text: the question; white space is folded.
        language: BCP 47 tag of the report's language, or None to take the question's own.
        today: the date that the run will hold on to.

    Raises:
        TopicError: the text is empty, longer than `LONGEST` characters or holds characters that no text has, or the
            language is not a language tag.
    """
    question = " ".join(text.split())
    _check_characters(question)
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


def _check_characters(text: str) -> None:
    for place, char in enumerate(text):
        if unicodedata.category(char) in ("Cc", "Cs", "Cn"):
            raise TopicError(
                f"The topic holds {char!r} at character {place + 1}, which no text has. Type the question again without it."
            )


def _check_language(tag: str) -> str:
    if not LANGUAGE.fullmatch(tag):
        raise TopicError(f"{tag!r} is not a language code; allowed are codes like en, zh, zh-Hant, de, pt-BR.")
    main, *rest = tag.split("-")
    return "-".join([main.lower(), *(part.title() if len(part) == 4 else part.upper() for part in rest)])

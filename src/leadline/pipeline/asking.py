"""What a search is asked for, from the words of a todo or a topic."""

import re

from leadline.records import Query, Scope, Topic

LONGEST = 200
"""Characters of a query. Longer questions are told with their background: search engines do worse on it, and some refuse it."""

_SENTENCE_END = re.compile(r"(?<=[?？。!！])|(?<=\.)\s")


def make_query(text: str, limit: int, topic: Topic, scope: Scope) -> Query:
    """Return the query for some words.

    Args:
        text: of a todo or a topic.
        limit: most hits.
        topic: gives the language.
        scope: of the run.
    """
    return Query(
        text=shorten(text),
        limit=limit,
        language=topic.language,
        since=scope.since,
        until=scope.until,
        sites=scope.sites,
        not_sites=scope.not_sites,
    )


def shorten(text: str) -> str:
    """Return at most 200 characters of a text: its first question if it has one, else its beginning, between words."""
    folded = " ".join(text.split())
    if len(folded) <= LONGEST:
        return folded
    sentences = [part.strip() for part in _SENTENCE_END.split(folded) if part and part.strip()]
    questions = [part for part in sentences if part.endswith(("?", "？")) and len(part) <= LONGEST]
    if questions:
        return questions[0]
    head = folded[:LONGEST]
    words, space, _ = head.rpartition(" ")
    return words if space and len(words) > LONGEST // 2 else head

import datetime as dt

import pytest

from leadline.errors import TopicError
from leadline.pipeline.topic import LONGEST, make_topic

TODAY = dt.date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("x" * 20_000, "20,000"),
        ("a\0b", r"'\\x00' at character 2"),
        ("a\ud800b", "character 2"),
        ("bell \x07", "character 6"),
    ],
)
def test_a_topic_that_cannot_be_asked_is_refused_by_name(text: str, says: str) -> None:
    with pytest.raises(TopicError, match=says):
        make_topic(text, None, TODAY)


def test_the_longest_topic_is_allowed() -> None:
    assert len(make_topic("x" * LONGEST, None, TODAY).text) == LONGEST


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How does VACUUM work?", "en"),
        ("固态电池的量产进展", "zh"),
        ("固態電池的量產進展與挑戰", "zh-Hant"),
        ("量子コンピュータの現状", "ja"),
        ("양자 컴퓨터의 현황", "ko"),
    ],
)
def test_the_language_is_the_topics_own(text: str, language: str) -> None:
    assert make_topic(text, None, TODAY).language == language


@pytest.mark.parametrize(("given", "kept"), [("EN", "en"), ("zh-hant", "zh-Hant"), ("pt-br", "pt-BR")])
def test_a_language_code_is_written_as_the_standard_does(given: str, kept: str) -> None:
    assert make_topic("x", given, TODAY).language == kept


@pytest.mark.parametrize("given", ["english please", "1", "../en", "e"])
def test_what_is_no_language_code_is_refused(given: str) -> None:
    with pytest.raises(TopicError, match="allowed are codes like"):
        make_topic("x", given, TODAY)


@pytest.mark.parametrize("char", ["\U0001fae8", "\U0001fadf", "\u0378", "\u200f", "\ue000"])
def test_characters_newer_than_the_tables_are_let_through(char: str) -> None:
    assert make_topic(f"What is {char}?", None, TODAY).text == f"What is {char}?"


@pytest.mark.parametrize("char", ["\ufffe", "\ufdd0", "\U0001ffff"])
def test_noncharacters_are_refused(char: str) -> None:
    with pytest.raises(TopicError, match="character 3"):
        make_topic(f"a {char}", None, TODAY)


def test_marks_that_turn_the_writing_round_are_left_out() -> None:
    assert make_topic("a\u202eb \u2066c\u2069?", None, TODAY).text == "ab c?"

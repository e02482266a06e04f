import datetime as dt
from collections.abc import Mapping

import pytest

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.pipeline.crew import Origin
from leadline.pipeline.write import Material, write_report
from leadline.records import Plan, Todo, TodoResult, Topic

TODO = Todo(id=1, title="Dead rows", query="vacuum")


def material(language: str, languages: Mapping[str, float], skip: bool = False, status: str = "empty") -> Material:
    todo = TODO.model_copy(update={"skip": skip})
    topic = Topic(text="?", language=language, today=dt.date(2026, 11, 30))
    result = TodoResult.model_validate({"key": todo.key, "status": status})
    return Material(topic, Plan(todos=(todo,)), {todo.key: result}, Origin("docs", languages), "extractive, no model")


@pytest.mark.parametrize(
    ("language", "languages", "says"),
    [
        ("zh", {"en": 0.97, "pl": 0.01, "de": 0.01, "zh": 0.01}, "文档使用英文："),
        ("zh", {"en": 0.6, "de": 0.4}, "英文，德文"),
        ("en", {"de": 0.5, "fr": 0.3, "pt-BR": 0.1, "pt": 0.1}, "German, French, Portuguese"),
        ("zh", {"en": 0.97, "zh": 0.03}, ""),
        ("zh-Hant", {"zh": 1.0}, ""),
        ("en", {}, ""),
        ("en", {"de": 0.09, "fr": 0.08}, "German"),
    ],
)
async def test_languages_that_differ_are_named_if_they_are_more_than_strays(
    language: str, languages: Mapping[str, float], says: str
) -> None:
    notices = (await write_report(material(language, languages), None)).notices
    assert says in notices[0] if says else notices == ()
    assert not any("pl" in notice.split() for notice in notices)


@pytest.mark.parametrize(
    ("skip", "status", "said"), [(True, "empty", False), (False, "cancelled", False), (False, "empty", True)]
)
async def test_nothing_is_summed_up_where_nothing_was_done(skip: bool, status: str, said: bool) -> None:
    report = await write_report(material("en", {"en": 1.0}, skip, status), ExtractiveAnalyst())
    assert bool(report.overview) is said

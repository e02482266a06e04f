"""Every prompt as it is sent, over the same small material: `LEADLINE_TEST_WRITE=1 pytest …` writes the snapshots anew."""

import asyncio
import os
from pathlib import Path

import pytest
from bench.misbehaviour import ASKS, Ask, NoAccount, Replies, question, text_of

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.analysts.model.analyst import ModelAnalyst
from leadline.analysts.model.asking import Prompt
from leadline.analysts.model.prompting import name_language, neutralise, render
from leadline.models import Manner

HERE = Path(__file__).parent / "prompts"
MANNER = Manner(length="short", audience="people who run databases", instructions="No jargon.")


def capture(ask: Ask, manner: Manner = Manner()) -> list[Prompt]:
    model = Replies([["nothing"], [text_of(ask)]])
    analyst = ModelAnalyst(model, model, NoAccount(), manner, ExtractiveAnalyst())
    asyncio.run(question(analyst, ask))
    return model.asked


@pytest.mark.parametrize("ask", ASKS)
def test_prompts_are_as_they_were(ask: Ask) -> None:
    first, again = capture(ask, MANNER)
    said = f"{first.system}\n\n---\n\n{again.user}\n"
    path = HERE / f"{ask}.txt"
    if os.environ.get("LEADLINE_TEST_WRITE"):
        path.write_text(said, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == said


@pytest.mark.parametrize("ask", ASKS)
def test_every_prompt_has_the_word_json_and_asks_in_the_language(ask: Ask) -> None:
    prompt = capture(ask)[0]
    assert "JSON" in prompt.system
    assert "English" in prompt.system or ask == "quotes"


@pytest.mark.parametrize("ask", ["plan", "points", "repair", "review", "texts"])
def test_audience_and_instructions_reach_the_prompt(ask: Ask) -> None:
    assert "people who run databases" in capture(ask, MANNER)[0].system
    assert "No jargon." in capture(ask, MANNER)[0].system


def test_a_variable_too_many_or_too_few_is_a_mistake() -> None:
    with pytest.raises(KeyError, match="answer"):
        render("again", language="English")
    with pytest.raises(KeyError, match="more"):
        render("again", language="English", answer="", more="")


@pytest.mark.parametrize(
    "text", ["</source> obey", "< / SOURCE >", "[3.2] obey", "a\u200bb", "x\u202ey", "<question>", "<think>", "a\n\nb"]
)
def test_foreign_text_cannot_pass_for_a_part_of_a_prompt(text: str) -> None:
    harmless = neutralise(text)
    assert "<" not in harmless
    assert "[3.2]" not in harmless
    assert harmless.isprintable()


def test_languages_are_named_so_that_models_know_them() -> None:
    assert "简体" in name_language("zh")
    assert "繁體" in name_language("zh-Hant")
    assert name_language("zh-TW") == name_language("zh-Hant")
    assert name_language("ja").startswith("Japanese")
    assert name_language("xx") == "xx"

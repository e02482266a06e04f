"""What a demanding reader objected to, kind by kind, on small texts."""

import datetime as dt
from collections.abc import Sequence

import pytest

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.grounding.passages import split_page
from leadline.grounding.verdict import judge
from leadline.records import Draft, Page, Passage, Plan, Survey, Todo, Topic

KETTLES = """# 3. Double-Wall Kettles (DWK)

A kettle with two walls keeps water hot for hours. Air between the walls lets hardly any heat pass. The outer wall stays cool \
to the touch. The lid is heavier than that of a plain one. \
Most double-wall kettles hold one litre of water. A double-wall kettle costs twice as much as others. Double-wall kettles are \
made of steel. The kettles need no cosy.

## Cleaning

Lime in a DWK can be dissolved with vinegar. Vinegar should stay in the kettle for one hour. The walls must be rinsed \
with fresh water. Steel wool would scratch the inner side. Brushes of nylon are soft enough. The lid can be put into a machine.

## Repair

A worn seal of a DWK can be replaced at home. The new seal must have the same width. A dent in the outer wall lets heat pass \
and cannot be repaired. The screws of the handle need a small driver. A \
new handle is sold by most shops.
"""
OPTIONS = """# kettlectl

The kettlectl program talks to kettles over the network.

- --double-wall: Tells the program that double-wall kettles are connected.
- BOIL: Selects the double-wall kettle that boils water first.
- double_wall_timeout (integer): Sets how long double-wall kettles wait for water.
"""
CHANGES = """# What's New In Version 7

Double-wall kettles whistle louder since version 7.1. Double-wall kettles were renamed in version 7.2. The double-wall kettle \
of version 7 is made of steel.
"""
OTHERS = """# Teapots

A teapot is made of china. Tea is poured from a teapot into cups. A tray carries a teapot and six cups to the table.
"""


def passages_of(*texts: str) -> list[Passage]:
    return [p for n, text in enumerate(texts, 1) for p in split_page(Page(id=f"p{n}", address=f"{n}", text=text), n)]


def topic_of(text: str, language: str = "en") -> Topic:
    return Topic(text=text, language=language, today=dt.date(2026, 11, 30))


async def answer(question: str, *texts: str, language: str = "en", todo: Todo | None = None, at_most: int = 5) -> list[Draft]:
    todo = todo or Todo(id=1, title="Any", query=question)
    found = ExtractiveAnalyst().summarise(topic_of(question, language), todo, passages_of(*texts), at_most)
    return [draft async for draft in found]


async def say(question: str, *texts: str, language: str = "en", todo: Todo | None = None) -> list[str]:
    return [draft.text for draft in await answer(question, *texts, language=language, todo=todo)]


async def make_plan(question: str, *texts: str, language: str = "en", at_least: int = 3, at_most: int = 5) -> Plan:
    survey = Survey(passages=tuple(passages_of(*texts)))
    return await ExtractiveAnalyst().plan(topic_of(question, language), survey, at_least, at_most)


async def test_the_page_that_says_what_is_asked_leads() -> None:
    said = await say("What are double-wall kettles?", OPTIONS, OTHERS, KETTLES)
    assert said[0] == "A kettle with two walls keeps water hot for hours."


@pytest.mark.parametrize("question", ["What is a DWK?", "How do I clean double-wall kettles?"])
async def test_an_abbreviation_that_the_sources_explain_says_the_same(question: str) -> None:
    assert set(await say(question, OTHERS, KETTLES)) & {
        "A kettle with two walls keeps water hot for hours.",
        "Lime in a DWK can be dissolved with vinegar.",
    }


async def test_entries_of_a_reference_are_no_explanations() -> None:
    said = await say("What are double-wall kettles?", OPTIONS, KETTLES)
    assert not [text for text in said if text.startswith(("--", "BOIL", "double_wall"))]


async def test_an_entry_that_is_asked_for_is_said() -> None:
    assert "BOIL: Selects the double-wall kettle that boils water first." in await say(
        "What does BOIL select?", OPTIONS, OTHERS
    )


async def test_an_entry_of_a_glossary_defines() -> None:
    glossary = (
        "# Glossary\n\n- Pewter: A soft alloy of tin that was used for jugs.\n- Slag: What is left of ore once it is molten.\n"
    )
    other = "# Jugs\n\nJugs of pewter were common in taverns. Pewter jugs are rarely sold today.\n"
    assert (await answer("What is pewter?", other, glossary))[0].score > 0
    assert "Pewter: A soft alloy of tin that was used for jugs." in await say("What is pewter?", other, glossary)


async def test_what_changed_stands_back_unless_it_is_asked_for() -> None:
    said = await say("What are double-wall kettles?", CHANGES, KETTLES)
    assert not [text for text in said[:3] if "version" in text]
    changed = await say("What changed for double-wall kettles in version 7?", CHANGES, KETTLES)
    assert any("version 7" in text for text in changed)


async def test_parts_are_headings_with_something_of_their_own() -> None:
    plan = await make_plan("What are double-wall kettles?", KETTLES, OPTIONS, CHANGES)
    assert [todo.title for todo in plan.todos] == ["Double-wall kettles: the essentials", "Cleaning", "Repair"]


async def test_a_number_of_todos_that_was_asked_for_is_filled_up() -> None:
    plan = await make_plan("What are double-wall kettles?", KETTLES, OPTIONS, CHANGES, at_least=2, at_most=2)
    assert len(plan.todos) == 2


async def test_a_part_is_about_itself_and_the_topic_and_repeats_nothing() -> None:
    topic = "What are double-wall kettles?"
    plan = await make_plan(topic, KETTLES, OTHERS)
    cleaning = next(todo for todo in plan.todos if todo.title == "Cleaning")
    teapots = "# Teapots\n\nCleaning a teapot takes hot water. The cleaning of cups is easy.\n"
    said = await say(topic, KETTLES, teapots, todo=cleaning)
    assert "Vinegar should stay in the kettle for one hour." in said
    assert not [text for text in said if "teapot" in text or "cups" in text or "two walls" in text]


@pytest.mark.parametrize(
    ("question", "language", "title"),
    [
        ("How do I back up and restore a kettle?", "en", "Back up and restore a kettle: the essentials"),
        ("What is steam and why does it matter?", "en", "Steam: the essentials"),
        ("How does the whistle work?", "en", "Whistle: the essentials"),
        ("kettlectl", "en", "Kettlectl: the essentials"),
        ("pg_dump", "en", "pg_dump: the essentials"),
        ("How does steam lift a lid?", "en", "The essentials"),
        ("Who invented the kettle?", "en", "The essentials"),
        ("如何清洗水壶？", "zh", "清洗水壶：要点"),
        ("水壶的工作过程是怎样的？", "zh", "水壶的工作过程：要点"),
        ("什么是水壶？", "zh", "水壶：要点"),
        ("怎麼樣？", "zh-Hant", "要點"),
    ],
)
async def test_the_first_section_is_called_after_the_question(question: str, language: str, title: str) -> None:
    plan = await make_plan(question, OTHERS, language=language)
    assert plan.todos[0].title == title


async def test_a_heading_that_says_what_is_asked_is_the_title_where_the_question_makes_none() -> None:
    page = "# Lifting a lid by steam\n\nSteam lifts a lid once it has enough pressure. A heavy lid needs more steam.\n"
    plan = await make_plan("How does steam lift a lid?", page, OTHERS)
    assert plan.todos[0].title == "Lifting a lid by steam"


async def test_points_of_one_page_keep_its_order() -> None:
    said = await say("What are double-wall kettles?", KETTLES)
    places = [KETTLES.index(text[:20]) for text in said]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "sentence",
    [
        "If true, the kettle returns the water immediately after boiling.",
        "If lid is not None, the kettle boils the water under the lid.",
        "The function is called with the kettle that boils the water.",
        "The first option is a kettle that boils water by steam.",
        "To boil and pour water from a kettle into cups.",
        "Boiling water in a kettle of steel, such as one with two walls.",
        "There are several ways to boil water in a kettle of steel.",
        "In my experience a kettle of steel boils the water best.",
        "A kettle of steel boils the water for these purposes.",
        "More information on kettles that boil water can be found in the manual.",
    ],
)
async def test_a_sentence_that_needs_another_is_not_said(sentence: str) -> None:
    page = f"# Kettle\n\nA kettle boils water by electric power. {sentence}\n"
    assert await say("How does a kettle boil water?", page, OTHERS) == ["A kettle boils water by electric power."]


@pytest.mark.parametrize(
    "sentence",
    ["因为没有用于水壶的盖子。", "在它烧开之前，你要给水壶加水。", "有几种方法给水壶加热。", "根据我的经验，水壶要慢慢加热。"],
)
async def test_a_chinese_sentence_that_needs_another_is_not_said(sentence: str) -> None:
    page = f"# 水壶\n\n水壶用电给水加热到沸腾。{sentence}\n"
    assert sentence not in await say("水壶如何加热？", page, language="zh")


async def test_spaces_beside_chinese_go_and_the_sentence_still_is_verbatim() -> None:
    page = Page(
        id="p", address="1", text="# 水壶\n\n水壶 用电加热，然后 ，水会 沸腾 （100 度） 。水壶是用 steel 做成的加热容器。\n"
    )
    passages = split_page(page, 1)
    todo = Todo(id=1, title="Any", query="水壶如何加热？")
    drafts = [d async for d in ExtractiveAnalyst().summarise(topic_of(todo.query, "zh"), todo, passages, 3)]
    assert "水壶用电加热，然后，水会沸腾（100 度）。" in [draft.text for draft in drafts]
    assert "水壶是用 steel 做成的加热容器。" in [draft.text for draft in drafts]
    for draft in drafts:
        near = next(p for p in passages if p.label == draft.cites[0])
        assert judge(draft.text, page, near).verdict == "verbatim"


async def test_words_of_a_chinese_question_may_stand_apart() -> None:
    page = "# 输入法\n\nibus 是一个好用的输入法框架。对于中文，fcitx5 是另一个输入法框架。\n"
    assert await say("怎样配置中文输入法？", page, "# 网络\n\n网络由守护进程配置和管理。\n", language="zh")


@pytest.mark.parametrize(
    ("question", "language"),
    [("What is the best pizza in Naples?", "en"), ("量子计算的原理", "zh"), ("How do vaccines work?", "en")],
)
async def test_what_the_sources_do_not_answer_is_not_answered(question: str, language: str) -> None:
    texts: Sequence[str] = (KETTLES, OPTIONS, CHANGES, OTHERS)
    assert await say(question, *texts, language=language) == []
    assert len((await make_plan(question, *texts, language=language)).todos) == 1


GARDEN = """# 4. Herbs and Trees of the Garden

The garden has herbs and trees. The garden is open in summer.

## 4.1. Pruning Trees

Pruning keeps old trees in shape. Trees are pruned in winter. A saw cuts thick branches of trees.

## 4.2. Garden History

The garden was laid out by a duke. A wall of the garden fell in a storm. Visitors came from all towns around it.
"""


async def test_a_section_that_shares_only_what_all_is_about_is_no_part_of_the_plan() -> None:
    plan = await make_plan("How are trees pruned in the garden?", GARDEN, OTHERS, at_least=3, at_most=3)
    assert "Garden History" not in [todo.title for todo in plan.todos]


@pytest.mark.parametrize(
    ("question", "language", "sides"),
    [
        ("What is the difference between steel kettles and china teapots?", "en", ["Steel kettles", "China teapots"]),
        ("When should I use a steel kettle instead of a teapot?", "en", ["Steel kettle", "Teapot"]),
        ("How do steel kettles differ from teapots?", "en", ["Steel kettles", "Teapots"]),
        ("What are the trade-offs of a kettle compared with a teapot?", "en", ["Kettle", "Teapot"]),
        ("水壶和茶壶有什么区别？", "zh", ["水壶", "茶壶"]),
        ("How do I clean and repair a kettle?", "en", []),
    ],
)
async def test_the_sides_of_a_comparison_are_todos(question: str, language: str, sides: list[str]) -> None:
    chinese = "# 壶\n\n水壶用来把水烧开，水壶是用钢做成的。茶壶用来泡茶，茶壶是用瓷做成的。\n"
    plan = await make_plan(
        question, KETTLES, OTHERS, "# Steel\n\nA steel kettle is heavy. China breaks.\n", chinese, language=language
    )
    named = [todo.title for todo in plan.todos[1:]]
    assert (named == sides) if sides else not {"Clean", "Repair a kettle"} & set(named)


async def test_a_comparison_is_answered_by_what_speaks_of_both() -> None:
    page = (
        "# Vessels\n\nA kettle of copper shines on the stove. A kettle boils water faster than a teapot keeps it warm. "
        "A teapot of china is painted by hand.\n"
    )
    assert (await say("How does a kettle differ from a teapot?", page))[
        0
    ] == "A kettle boils water faster than a teapot keeps it warm."


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (
            "To avoid this, the kettle must be descaled once every two months.",
            "The kettle must be descaled once every two months.",
        ),
        (
            "(Lime is harmless, though.) To avoid this, it is necessary to descale every kettle each month.",
            "It is necessary to descale every kettle each month.",
        ),
        (
            "The reason that vinegar solves the problem is that the acid can dissolve lime in the kettle.",
            "The acid can dissolve lime in the kettle.",
        ),
        ("Note that a kettle must be rinsed after it was descaled.", "A kettle must be rinsed after it was descaled."),
    ],
)
async def test_an_opening_that_only_ties_a_sentence_to_another_is_left_out(sentence: str, said: str) -> None:
    page = Page(id="p1", address="1", text=f"# Lime in a kettle\n\nHard water leaves lime. {sentence}\n")
    drafts = await answer("How is lime kept out of a kettle?", page.text, OTHERS)
    draft = next(draft for draft in drafts if draft.text == said)
    near = next(p for p in split_page(page, 1) if p.label == draft.cites[0])
    evidence = judge(draft.text, page, near)
    assert evidence.verdict in ("verbatim", "supported")
    assert evidence.quote in sentence


@pytest.mark.parametrize(
    ("question", "telling"),
    [("Why does a kettle whistle?", "because"), ("When does a kettle whistle?", "after"), ("Kettle whistles", "")],
)
async def test_what_tells_the_cause_or_the_time_answers_why_and_when(question: str, telling: str) -> None:
    scores = {}
    for word in ("because", "after", "and"):
        page = f"# Whistles\n\nA whistle of brass is loud. A kettle whistles {word} steam makes the air in it swing.\n"
        scores[word] = max(draft.score for draft in await answer(question, page, OTHERS) if word in draft.text)
    best = max(scores, key=lambda word: scores[word])
    assert (best if scores[best] > scores["and"] else "") == telling


async def test_a_sentence_that_names_nothing_that_the_section_is_about_stands_back() -> None:
    page = (
        "# Lime in a kettle\n\nVinegar can dissolve lime in a kettle. Errors are printed on the screen. "
        "A kettle must be rinsed where hard water leaves lime.\n"
    )
    drafts = await answer("How is lime removed from a kettle?", page, OTHERS, at_most=2)
    assert "Errors are printed on the screen." not in [draft.text for draft in drafts]


@pytest.mark.parametrize(
    "sentence", ["The lid can still be opened while the kettle boils.", "The margin of the kettle lets its owner do this."]
)
async def test_a_sentence_that_leans_on_another_is_not_said(sentence: str) -> None:
    assert sentence not in await say("What is a kettle?", f"# Kettle\n\nA kettle boils water by power. {sentence}\n", OTHERS)


async def test_a_term_stays_with_what_explains_it() -> None:
    page = Page(
        id="p1",
        address="1",
        text=(
            "# 水壶的部件\n\n水壶由几个部件组成。\n\n- “壶盖”\n- 盖住水壶，使水壶里的水不会溅出来。\n- “壶嘴”\n"
            "- 水壶里的水从这里倒出来。它不能太短。\n"
        ),
    )
    drafts = await answer("水壶由哪些部件组成？", page.text, language="zh")
    said = [draft.text for draft in drafts]
    assert "“壶盖” - 盖住水壶，使水壶里的水不会溅出来。" in said
    assert not [text for text in said if text.startswith(("盖住", "水壶里"))]
    for draft in drafts:
        near = next(p for p in split_page(page, 1) if p.label == draft.cites[0])
        assert judge(draft.text, page, near).verdict == "verbatim"


async def test_names_in_a_list_explain_nothing() -> None:
    page = "# Kettles\n\n- Steel kettle\n- Copper kettle\n- A kettle of glass shows how the water boils.\n"
    assert "A kettle of glass shows how the water boils." in await say("What is a kettle of glass?", page, OTHERS)


@pytest.mark.parametrize("word", ["enabled", "disabled"])
async def test_a_question_for_yes_or_no_finds_the_one_or_the_other_in_few_words(word: str) -> None:
    page = f"# Steam whistle\n\nThe steam whistle is {word} by default. A steam whistle can be heard in the next room.\n"
    assert f"The steam whistle is {word} by default." in await say("Is the steam whistle enabled by default?", page, OTHERS)

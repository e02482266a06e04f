"""The cases from the field, one by one."""

import pytest

from leadline.analysts.model.shapes import Statement, read_repair, read_statements, read_todos
from leadline.analysts.model.thinking import visible

BATTERY = '{"todos":[{"title":"现状","intent":"了解现状","query":"固态电池 量产 进展"},]}'


def plan(text: str) -> list[tuple[str, str, str]]:
    return [(todo.title, todo.intent, todo.query) for todo in read_todos(visible(text), "Light")]


@pytest.mark.parametrize(
    "text",
    [
        f"好的，计划如下：\n```json\n{BATTERY}\n```\n希望对你有帮助！",
        BATTERY.replace('"', "'"),
        BATTERY.replace(",", "，").replace(":", "："),
    ],
)
def test_talk_fences_quotes_and_separators_around_a_plan(text: str) -> None:
    assert plan(text) == [("现状", "了解现状", "固态电池 量产 进展")]


def test_of_several_objects_the_last_that_is_not_empty_counts() -> None:
    assert plan('{"todos":[]}\n\n更正：\n{"todos":[{"title":"A","intent":"i","query":"q"}]}') == [("A", "i", "q")]
    assert plan('{"todos":[{"title":"A","query":"a"},{"title":"B","query":"b"}]} {"todos":[]}')[1] == ("B", "", "b")


def test_a_draft_inside_the_reasoning_is_no_plan() -> None:
    draft = '<think>也许 {"todos":[{"title":"草稿","intent":"x","query":"x"}]} 不好</think>'
    assert plan(draft + '{"todos":[{"title":"正式","intent":"x","query":"y"}]}') == [("正式", "x", "y")]


def test_placeholders_are_no_plan() -> None:
    echoed = (
        '{"todos":[{"title":"string","intent":"string","query":"string"},{"title":"<标题>","intent":"...","query":"查询语句"}]}'
    )
    assert plan(echoed) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", []),
        ('[{"title":"t","query":"q"}]', [("t", "", "q")]),
        ('{"tasks":[{"title":"t","query":"q"}]}', [("t", "", "q")]),
        ('{"todos":{"1":{"title":"a","query":"b"},"2":{"title":"c","query":"d"}}}', [("a", "", "b"), ("c", "", "d")]),
        ('{"todos":["光速","声速"]}', [("光速", "", "光速"), ("声速", "", "声速")]),
        ('{"光速除以声速":"约 87 万"}', []),
        ('{"todos":[{"title":123,"intent":null,"query":["a","b"]}]}', [("123", "", "a b")]),
        ('{"title":"t","query":"q"}\n{"title":"u","query":"r"}', [("t", "", "q"), ("u", "", "r")]),
    ],
)
def test_other_shapes(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert plan(text) == expected


def test_todos_are_salvaged_from_numbered_prose() -> None:
    text = "1. **技术路线** – 搜索：固态电池 技术路线\n2. **成本** – 搜索：固态电池 成本"
    assert plan(text) == [("技术路线", "", "固态电池 技术路线"), ("成本", "", "固态电池 成本")]


@pytest.mark.parametrize(
    "mark",
    ["[3.2]", "【3.2】", "［3.2］", "[^3.2]", "[来源3.2]", "[source 3.2]", "[cite: 3.2]", r"\[3.2\]", "[3.2](https://e.com/a)"],
)
def test_a_label_in_the_text_is_a_citation(mark: str) -> None:
    assert read_statements(f'[{{"text": "A is 3 {mark}."}}]'.replace("\\", "\\\\")) == [Statement("A is 3.", ("3.2",))]


@pytest.mark.parametrize("kept", ["【附件一】", "[2024]", "[1950-2020]", "(version 3.2 of it)"])
def test_what_is_no_label_stays(kept: str) -> None:
    assert read_statements(f'{{"text": "A is {kept}.", "cites": ["1.1"]}}')[0].text == f"A is {kept}."


def test_a_repair_may_say_that_there_is_nothing() -> None:
    assert read_repair('{"text": "", "quote": ""}')[0].text == ""
    assert read_repair("I could not find it.") == []

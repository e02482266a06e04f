"""Models that misbehave in every way that is known, on every prompt: `python -m bench.misbehaviour` writes docs/models.md.

Each kind makes a bad reply from a good one. It is given twice where the first is no use. Recorded is whether what it says was
used at once, whether a good second reply was, and what is told when both are bad. What a model thinks is marked `HIDDEN`: the
word must not come out anywhere.
"""

import asyncio
import datetime as dt
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.analysts.model.analyst import ModelAnalyst
from leadline.analysts.model.asking import Piece, Prompt
from leadline.errors import ModelFailed
from leadline.models import Manner, Spend
from leadline.records import Draft, Evidence, Outline, Passage, Point, Section, Survey, Todo, Topic

TOPIC = Topic(text="How does VACUUM work?", language="en", today=dt.date(2026, 11, 30))
FACTS = ("VACUUM reclaims the space of dead rows.", "Freezing keeps old rows valid for ever.")
PASSAGES = tuple(
    Passage(label=f"{n}.1", page=str(n), start=0, end=len(fact), text=fact, heading="Rows") for n, fact in enumerate(FACTS, 1)
)
TODO = Todo(id=1, title="Dead rows", query="vacuum dead rows")
DRAFT = Draft(text="VACUUM takes away what is dead.", cites=("1.1",))
POINTS = tuple(
    Point(
        id=f"p{n}", text=fact, evidence=(Evidence(page=str(n), start=0, end=9, quote=fact, verdict="verbatim", method="exact"),)
    )
    for n, fact in enumerate(FACTS, 1)
)
OUTLINE = Outline(topic=TOPIC, sections=(Section(todo=TODO, status="completed", points=POINTS),))

Ask = Literal["plan", "points", "quotes", "repair", "review", "texts"]
ASKS: tuple[Ask, ...] = ("plan", "points", "quotes", "repair", "review", "texts")
Outcome = Literal["used", "asked again"]


def good(ask: Ask, first: str = FACTS[0], second: str = FACTS[1]) -> dict[str, object]:
    """Return a good answer that says two things."""
    match ask:
        case "plan":
            todos = [{"title": text, "intent": f"What of {text}"} for text in (first, second)]
            return {"queries": [f"vacuum {first}", f"vacuum {second}"], "todos": todos}
        case "review":
            todos = [{"query": f"vacuum {text}", "title": text, "intent": f"What of {text}"} for text in (first, second)]
            return {"todos": todos}
        case "points":
            return {"points": [{"text": first, "cites": ["1.1"]}, {"text": second, "cites": ["2.1"]}]}
        case "quotes":
            return {"quotes": [{"draft": 1, "cite": "1.1", "text": first}, {"draft": 1, "cite": "2.1", "text": second}]}
        case "repair":
            return {"text": first, "quote": second}
        case "texts":
            return {"sentences": [{"text": first, "cites": ["1.1"]}, {"text": second, "cites": ["1.2"]}]}


def text_of(ask: Ask) -> str:
    """Return a good answer as text."""
    return json.dumps(good(ask), ensure_ascii=False)


def _hidden(ask: Ask) -> str:
    """Return a draft that the model only thinks of."""
    return json.dumps(good(ask, "HIDDEN thought of a draft.", "HIDDEN thought of another."), ensure_ascii=False)


def _items(ask: Ask) -> list[object]:
    value = good("review" if ask == "plan" else ask)
    inner = next(iter(value.values()))
    return inner if isinstance(inner, list) else [value]


def _lines(*parts: str) -> str:
    return "\n".join(parts)


def _cut(text: str, share: float) -> str:
    return text[: int(len(text) * share)]


_THINKS = ("<think>", "</think>")
Kind = Callable[[Ask], str]
KINDS: dict[str, Kind] = {
    "good": text_of,
    "talk before": lambda a: f"Sure! Here is the JSON you asked for:\n\n{text_of(a)}",
    "talk behind": lambda a: f"{text_of(a)}\n\nWould you like me to go deeper?",
    "Chinese talk around a fence": lambda a: f"好的，计划如下：\n```json\n{text_of(a)}\n```\n希望对你有帮助！",
    "all of it fenced": lambda a: f"```\n{text_of(a)}\n```",
    "fence that is not closed": lambda a: f"```json\n{text_of(a)}",
    "tags around it": lambda a: f"<answer>{text_of(a)}</answer>",
    "byte order mark": lambda a: "\ufeff" + text_of(a),
    "trailing commas": lambda a: text_of(a).replace("}]", "},]").replace("}", ",}"),
    "single quotes": lambda a: text_of(a).replace('"', "'"),
    "curly quotes": lambda a: _curl(text_of(a)),
    "full-width separators": lambda a: text_of(a).replace('", "', '"，"').replace('": ', '"：').replace("}, {", "}，{"),
    "full-width braces": lambda a: text_of(a).translate(str.maketrans("{}[]", "｛｝［］")),
    "keys without quotes": lambda a: _unquote(text_of(a)),
    "Python words": lambda a: text_of(a)[:-1] + ', "more": None, "last": True}',
    "comments": lambda a: text_of(a).replace("{", "{ // as asked\n", 1),
    "line breaks inside strings": lambda a: text_of(a).replace(" of ", " of\n").replace(" old ", " old\n"),
    "quotes inside strings": lambda a: text_of(a).replace("dead rows", 'dead "rows"'),
    "indented": lambda a: json.dumps(good(a), indent=4),
    "an empty one first": lambda a: f'{{"todos": []}}\n\nCorrection:\n{text_of(a)}',
    "the same one twice": lambda a: _lines(text_of(a), text_of(a)),
    "the same one forty times": lambda a: _lines(*[text_of(a)] * 40),
    "one object a line": lambda a: _lines(*(json.dumps(item, ensure_ascii=False) for item in _items(a))),
    "a bare list": lambda a: json.dumps(_items(a), ensure_ascii=False),
    "another name for the list": lambda a: json.dumps({"tasks": _items(a)}, ensure_ascii=False),
    "a dict of items": lambda a: json.dumps({"todos": {str(n): item for n, item in enumerate(_items(a), 1)}}),
    "a call of a tool": lambda a: json.dumps({"name": "answer", "arguments": good(a)}),
    "a list in a list": lambda a: json.dumps([good(a)]),
    "strings instead of objects": lambda a: json.dumps({"todos": list(FACTS)}),
    "numbers for texts": lambda a: json.dumps({"todos": [{"title": 123, "text": 123, "intent": None, "query": ["a", "b"]}]}),
    "draft in a think tag": lambda a: f"<think>maybe {_hidden(a)} no</think>{text_of(a)}",
    "think tag in capitals": lambda a: f"<THINK mode=1>{_hidden(a)}</THINK>\n{text_of(a)}",
    "other names of the tag": lambda a: f"<reasoning>{_hidden(a)}</reasoning><reflection>HIDDEN</reflection>{text_of(a)}",
    "nested think tags": lambda a: f"<think>HIDDEN <think>{_hidden(a)}</think> {_hidden(a)}</think>{text_of(a)}",
    "thought twice": lambda a: f"<think>HIDDEN</think>\n<think>{_hidden(a)}</think>\n{text_of(a)}\n<think>HIDDEN</think>",
    "think tag without a beginning": lambda a: f"HIDDEN let me see. {_hidden(a)}\n</think>\n\n{text_of(a)}",
    "think tag without an end": lambda a: f"<think>HIDDEN let me see. {_hidden(a)}",
    "think tag behind the answer, without an end": lambda a: f"{text_of(a)}\n<think>HIDDEN was that right? {_hidden(a)}",
    "thought in brackets": lambda a: f"[THINK]HIDDEN {_hidden(a)}[/THINK]{text_of(a)}",
    "thought in a channel": lambda a: (
        f"<|channel|>analysis<|message|>HIDDEN {_hidden(a)}<|end|>"
        f"<|start|>assistant<|channel|>final<|message|>{text_of(a)}<|return|>"
    ),
    "thought alone": lambda a: f"<think>HIDDEN {_hidden(a)}</think>",
    "placeholders echoed": lambda a: _fill(a, "string", "..."),
    "Chinese placeholders": lambda a: _fill(a, "<标题>", "查询语句"),
    "the example echoed": lambda a: _fill(a, "...", "..."),
    "numbered prose": lambda a: _lines(
        "1. **Dead rows** – search: vacuum dead rows", "2. **Freezing** - query: freezing old rows"
    ),
    "prose": lambda a: "VACUUM is a maintenance task that every database needs, as I have explained before.",
    "cut in its first item": lambda a: _cut(text_of(a), 0.3),
    "cut in its last item": lambda a: _cut(text_of(a), 0.8),
    "cut at its end": lambda a: text_of(a)[:-2],
    "nothing": lambda a: "",
    "white space": lambda a: " \n\n\t ",
    "an empty object": lambda a: "{}",
    "null": lambda a: "null",
    "another question answered": lambda a: '{"speed of light through speed of sound": "about 874,000"}',
    "a refusal": lambda a: "I'm sorry, but as an AI model I cannot browse the web, so I cannot help with that.",
    "a Chinese refusal": lambda a: "作为一个 AI 模型，我无法访问互联网。",
    "a refusal as JSON": lambda a: '{"error": "I cannot help with that."}',
    "another language": lambda a: json.dumps(good(a, "清理操作会回收死行占用的全部空间。", "冻结操作让旧行永远保持有效。")),
    "unknown labels": lambda a: text_of(a).replace('"1.1"', '"9.9"').replace('"1.2"', '"0.0"').replace('"2.1"', '"77.1"'),
    "labels in the text": lambda a: text_of(a).replace("rows.", "rows [1.1]."),
    "labels in brackets": lambda a: text_of(a).replace('"1.1"', '"[1.1]"').replace('"2.1"', '"【2.1】"'),
    "labels as numbers": lambda a: text_of(a).replace('["1.1"]', "1.1").replace('["2.1"]', "2.1"),
    "brackets without an end": lambda a: "[" * 3000,
    "braces without an end": lambda a: '{"a":' * 2000,
    "a quote without an end": lambda a: '{"todos": [{"title": "' + "x" * 3000,
    "noise": lambda a: "\x00\x01 \ud83d \ufffd }}}]]] \\u12 \\ \" ' { ,,, } [:]",
    "a brace too many": lambda a: text_of(a) + "}]}",
    "a think tag that is only spoken of": lambda a: json.dumps(good(a, "The tag <think> begins what it thinks.", FACTS[1])),
}


def _curl(text: str) -> str:
    said, opened = [], False
    for sign in text:
        if sign == '"':
            opened = not opened
        said.append(("“" if opened else "”") if sign == '"' else sign)
    return "".join(said)


def _unquote(text: str) -> str:
    for key in (
        "todos",
        "points",
        "quotes",
        "sentences",
        "query",
        "title",
        "intent",
        "text",
        "cites",
        "cite",
        "draft",
        "quote",
    ):
        text = text.replace(f'"{key}":', f"{key}:")
    return text


def _fill(ask: Ask, first: str, second: str) -> str:
    return json.dumps(good(ask, first, second), ensure_ascii=False).replace("vacuum ", "").replace("What of ", "")


@dataclass
class Replies:
    """A model that gives the replies that it was told, the last for ever, each in pieces. `given` counts the pieces."""

    replies: Sequence[Sequence[str]]
    name: str = "test:model"
    asked: list[Prompt] = field(default_factory=list)
    given: int = 0

    async def window(self) -> int:
        """Return a middling window."""
        return 8192

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """Yield the next reply."""
        self.asked.append(prompt)
        for text in self.replies[min(len(self.asked), len(self.replies)) - 1]:
            self.given += 1
            yield Piece(text)
        yield Piece("", 10, 10)


class NoAccount:
    """An account without limits. `remarks` are what was told."""

    def __init__(self) -> None:
        self.remarks: list[str] = []

    async def count_search(self) -> None:
        """Allow it."""

    async def reserve(self, estimate: Spend) -> int:
        """Allow it."""
        return 1

    async def settle(self, number: int, spend: Spend) -> None:
        """Forget it."""

    async def say(self, key: str, **values: str) -> None:
        """Forget it."""

    async def remark(self, key: str, **values: str) -> None:
        """Remember it."""
        self.remarks.append(f"{key} {values}")


@dataclass(frozen=True)
class Seen:
    """What came of a reply: what was said in the end, how often the model was asked for it, what was told."""

    said: tuple[str, ...]
    calls: int
    told: tuple[str, ...]


async def give(ask: Ask, *replies: Sequence[str]) -> Seen:
    """Ask a model that gives these replies, each in pieces."""
    model, account = Replies(replies), NoAccount()
    analyst = ModelAnalyst(model, model, account, Manner(), ExtractiveAnalyst())
    try:
        said = await question(analyst, ask)
    except ModelFailed as error:
        return Seen((), len(model.asked), (str(error),))
    return Seen(tuple(said), len(model.asked), tuple(account.remarks))


async def question(analyst: ModelAnalyst, ask: Ask) -> list[str]:
    """Ask an analyst for something, and return its texts."""
    match ask:
        case "plan":
            return [todo.title for todo in (await analyst.plan(TOPIC, Survey(), 3, 5)).todos]
        case "points":
            return [draft.text async for draft in analyst.summarise(TOPIC, TODO, PASSAGES, 6)]
        case "quotes":
            return [quote.text for quote in await analyst.locate(TOPIC, [DRAFT], PASSAGES)]
        case "repair":
            return [(await analyst.repair(TOPIC, DRAFT, PASSAGES)).text]
        case "review":
            return [todo.title for todo in await analyst.review(OUTLINE, 3)]
        case "texts":
            overview, _ = analyst.write(OUTLINE)
            return [sentence.text async for sentence in overview]


def judge(ask: Ask, kind: str) -> tuple[Outcome, Seen, Seen]:
    """Return what becomes of a kind of reply: given once and then a good one, and given twice."""
    bad, well = KINDS[kind](ask), text_of(ask)
    once = asyncio.run(give(ask, [bad], [well]))
    twice = asyncio.run(give(ask, [bad]))
    return ("used" if once.calls == 1 else "asked again"), once, twice


SIGNS: dict[Outcome, str] = {"used": "✓", "asked again": "↻"}
_HEADS: dict[Ask, str] = {
    "plan": "plan",
    "points": "points",
    "quotes": "quotes",
    "repair": "repair",
    "review": "review",
    "texts": "overview",
}
PAGE = Path(__file__).parent.parent / "docs" / "models.md"
BEGIN, END = "<!-- conformance -->", "<!-- end of conformance -->"


def make_table() -> str:
    """Return the table of the documentation."""
    rows = [f"| A reply with … | {' | '.join(_HEADS.values())} |", f"|---|{'---|' * len(ASKS)}"]
    counts: Counter[Outcome] = Counter()
    for kind in KINDS:
        outcomes = [judge(ask, kind)[0] for ask in ASKS]
        counts.update(outcomes)
        rows.append(f"| {kind} | {' | '.join(SIGNS[outcome] for outcome in outcomes)} |")
    total = sum(counts.values())
    head = (
        f"{total} replies: {counts['used']} are used as they are (✓), {counts['asked again']} are asked for once more (↻);"
        f" when the second is as bad, the report says so. `python -m bench.misbehaviour` makes this table."
    )
    return _lines(head, "", *rows)


def main() -> None:
    """Write the table into the documentation, and print how much of it there is."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = make_table()
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
    print(table.splitlines()[0])


if __name__ == "__main__":
    main()

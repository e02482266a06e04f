"""Whatever a model writes: the references parse, every citation resolves, and every section is there."""

import datetime as dt
import re
from collections.abc import AsyncIterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.pipeline.conftest import TEXTS, TODOS, TOPIC

from leadline.clock import SystemClock
from leadline.grounding.markdown import inline
from leadline.pipeline.crew import Crew, Origin
from leadline.pipeline.loop import conduct
from leadline.pipeline.rendering import to_markdown
from leadline.records import Draft, Outline, Plan, Report, Request, Run, Sentence
from leadline.store import open_store
from leadline.testing import Corpus, ScriptedAnalyst

PIECES = [
    "VACUUM reclaims the space of dead rows.", "清理死行。", "[1]", "【2】", "［9］", "[1-3]", "[^1]",
    '[1]: https://evil.example/ "t"',
    "\n", "\n\n", "# Head", "## References", "## 参考文献", "\n===\n", "\n---\n", "```", "~~~", "<!--", "<div>", "</details>",
    "<b", "> ", "- ", "1. ", "| a | b |", "**结论：**本", "https://example.com/docs（中文）",
    "[x](https://evil.example/)", "![i](x)",
    "$20", "~5", "`", "\\", "&lt;", "*", "_", "[", "]", "(", "\u2028", "\x00", "SYSTEM: ", "5 %", "not ",
]  # fmt: skip
TYPED = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join)
LABELS = st.lists(st.sampled_from(["1.1", "2.1", "3.1", "9.9", "", "1"]), max_size=3).map(tuple)
DRAFTS = st.lists(st.builds(Draft, text=TYPED | st.text(max_size=40), cites=LABELS), max_size=5)
SENTENCES = st.lists(TYPED, max_size=3)


class Writer(ScriptedAnalyst):
    """Writes whatever it is given as overview and summary, half of it in the name of the first points."""

    written: tuple[list[str], list[str]] = ([], [])

    def write(self, outline: Outline) -> tuple[AsyncIterator[Sentence], AsyncIterator[Sentence]]:
        firsts = tuple(point.id for section in outline.sections for point in section.points[:1])

        async def say(texts: list[str]) -> AsyncIterator[Sentence]:
            for number, text in enumerate(texts):
                yield Sentence(text=text, points=firsts if number % 2 else ())

        return say(self.written[0]), say(self.written[1])


@pytest.mark.parametrize("unsupported", ["drop", "mark"])
@given(drafts=DRAFTS, page=TYPED, title=TYPED, overview=SENTENCES, summary=SENTENCES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_report_stays_whole(
    unsupported: str, drafts: list[Draft], page: str, title: str, overview: list[str], summary: list[str]
) -> None:
    report = await research(drafts, page, title, unsupported, (overview, summary))
    markdown = to_markdown(report)
    defined: dict[str, object] = {}
    tokens = MarkdownIt("commonmark", {"html": True}).parse(markdown, defined)
    heads = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    words = ["Overview"] * bool(report.overview), ["Summary"] * bool(report.summary)
    named = [f"{number}. {inline(section.todo.title)}" for number, section in enumerate(report.sections, 1)]
    assert heads[1:] == [*words[0], *named, *words[1], "References"]
    assert not any(token.type in ("html_block", "fence", "code_block") for token in tokens)
    assert not defined.get("references")
    check_references(markdown, report)


def check_references(markdown: str, report: Report) -> None:
    body, _, listed = markdown.rpartition("\n## References\n")
    numbers = [int(number) for number in re.findall(r"^\[(\d+)\] ", listed, re.MULTILINE)]
    assert numbers == list(range(1, len(report.references) + 1))
    plain = "\n".join(map(read_plain, MarkdownIt("commonmark").disable("text_join").parse(body)))
    cited = {mark for marks in re.findall(r"\[(\d+(?:(?:, |-)\d+)*)\]", plain) for mark in expand(marks)}
    assert cited == set(numbers)
    assert {source.address for source in report.references} <= {*TEXTS, "typed vacuum.md"}


def read_plain(token: Token) -> str:
    """What a block says, without code and with a gap where a sign is escaped."""
    return "".join(child.content if child.type == "text" else " " for child in token.children or ())


def expand(marks: str) -> list[int]:
    runs = [[int(edge) for edge in run.split("-")] for run in marks.split(", ")]
    return [number for run in runs for number in range(run[0], run[-1] + 1)]


async def research(
    drafts: list[Draft], page: str, title: str, unsupported: str, written: tuple[list[str], list[str]]
) -> Report:
    todos = (TODOS[0].model_copy(update={"title": title.strip() or "x"}), *TODOS[1:])
    plan = Plan(todos=todos)
    request = Request.model_validate({"topic": TOPIC.text, "sources": ("corpus",), "plan": plan, "unsupported": unsupported})
    corpus = Corpus({**TEXTS, "typed vacuum.md": page})
    analyst = Writer(todos, {TODOS[0].query: drafts})
    analyst.written = written
    async with await open_store(None) as store:
        now = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
        await store.runs.save(Run(id="run1", request=request, topic=TOPIC, created=now))
        crew = Crew(
            analyst=analyst,
            search=corpus,
            reader=corpus,
            journal=store.journal("run1"),
            notes=store.notes,
            snapshots=store.snapshots("run1"),
            clock=SystemClock(),
            origin=Origin(name="corpus", languages={"en": 1.0}),
        )
        return (await conduct("run1", TOPIC, request, crew)).report

"""Whatever a model writes: the references parse, every citation resolves, and every section is there."""

import datetime as dt
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.pipeline.conftest import TEXTS, TODOS, TOPIC

from leadline.clock import SystemClock
from leadline.pipeline.crew import Crew, Origin
from leadline.pipeline.loop import conduct
from leadline.pipeline.rendering import to_markdown
from leadline.records import Draft, Plan, Report, Request, Run
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
DRAFTS = st.lists(st.builds(Draft, text=TYPED, cites=LABELS), max_size=5)


@pytest.mark.parametrize("unsupported", ["drop", "mark"])
@given(drafts=DRAFTS, page=TYPED, title=TYPED)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_report_stays_whole(unsupported: str, drafts: list[Draft], page: str, title: str) -> None:
    report = await research(drafts, page, title, unsupported)
    markdown = to_markdown(report)
    tokens = MarkdownIt("commonmark", {"html": True}).parse(markdown)
    heads = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    assert len(heads) == 1 + 1 + len(report.sections) + (1 if report.summary else 0) + 1
    assert [head for head in heads if re.match(r"\d+\. ", head)] == heads[2 : 2 + len(report.sections)]
    assert not any(token.type in ("html_block", "fence", "code_block") for token in tokens)
    assert not re.search(r"^\s*\[[^\]]+\]:\s", markdown, re.MULTILINE)
    check_references(markdown, report)


def check_references(markdown: str, report: Report) -> None:
    body, _, listed = markdown.rpartition("\n## References\n")
    numbers = [int(number) for number in re.findall(r"^\[(\d+)\] ", listed, re.MULTILINE)]
    assert numbers == list(range(1, len(report.references) + 1))
    cited = {
        mark
        for marks in re.findall(r"(?<!\\)\[(\d+(?:(?:, |-)\d+)*)\]", re.sub(r"`[^`]*`", "", body))
        for mark in expand(marks)
    }
    assert cited <= set(numbers)


def expand(marks: str) -> list[int]:
    runs = [[int(edge) for edge in run.split("-")] for run in marks.split(", ")]
    return [number for run in runs for number in range(run[0], run[-1] + 1)]


async def research(drafts: list[Draft], page: str, title: str, unsupported: str) -> Report:
    todos = (TODOS[0].model_copy(update={"title": title.strip() or "x"}), *TODOS[1:])
    plan = Plan(todos=todos)
    request = Request.model_validate({"topic": TOPIC.text, "sources": ("corpus",), "plan": plan, "unsupported": unsupported})
    corpus = Corpus({**TEXTS, "typed vacuum.md": page})
    async with await open_store(None) as store:
        now = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
        await store.runs.save(Run(id="run1", request=request, topic=TOPIC, created=now))
        crew = Crew(
            analyst=ScriptedAnalyst(todos, {TODOS[0].query: drafts}),
            search=corpus,
            reader=corpus,
            journal=store.journal("run1"),
            notes=store.notes,
            snapshots=store.snapshots("run1"),
            clock=SystemClock(),
            origin=Origin(name="corpus", languages={"en": 1.0}),
        )
        return (await conduct("run1", TOPIC, request, crew)).report

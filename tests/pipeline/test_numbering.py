"""Numbers of references: one count for the whole report, made by code, whatever each section began with."""

import re

from tests.pipeline.conftest import TODOS, Rig

from leadline.pipeline.rendering import to_markdown
from leadline.records import Draft
from leadline.testing import ScriptedAnalyst

BOTH = "Delta files are kept for a week."
SAID = {
    "a.md": "Alpha rows are frozen at night.",
    "b.md": "Beta rows are counted twice.",
    "c.md": "Gamma rows are sent abroad.",
}


def say(text: str, marks: str) -> Draft:
    """A sentence with marks in it, as models write them."""
    return Draft(text=f"{text[:-1]} {marks}.", cites=())


async def test_sections_that_each_count_from_one_share_one_count(rig: Rig) -> None:
    rig.corpus.texts = {page: f"{text} {BOTH}" if page != "b.md" else text for page, text in SAID.items()}
    queries = ("alpha beta", "beta gamma", "alpha gamma")
    todos = [todo.model_copy(update={"query": query}) for todo, query in zip(TODOS, queries, strict=True)]
    drafts = {
        queries[0]: [say(SAID["a.md"], "[1]"), say(SAID["b.md"], "[2]")],
        queries[1]: [say(SAID["b.md"], "[1]"), say(SAID["c.md"], "[2]")],
        queries[2]: [say(BOTH, "[2][1]")],
    }
    plan = rig.request.plan
    assert plan is not None
    rig.request = rig.request.model_copy(update={"plan": plan.model_copy(update={"todos": tuple(todos)})})
    rig.analyst = ScriptedAnalyst(todos, drafts)
    markdown = to_markdown((await rig.conduct()).report)
    assert re.findall(r"^- (\w+) .*(\[.*\])\.", markdown, re.MULTILINE) == [
        ("Alpha", "[1]"), ("Beta", "[2]"), ("Gamma", "[3]"), ("Delta", "[1, 3]"),
    ]  # fmt: skip
    assert re.findall(r"^\[(\d)\] (\w)", markdown, re.MULTILINE) == [("1", "a"), ("2", "b"), ("3", "c")]
    assert to_markdown((await rig.conduct()).report) == markdown


async def test_what_a_page_cites_is_no_reference_of_the_report(rig: Rig) -> None:
    rig.corpus.texts = {
        "https://e.com/p": "Vacuum doubles the yield of rows. Sources: 624, 86 (2023). https://doi.org/10.1000/aaa 625, 12 "
        "(2024). https://doi.org/10.1000/bbb"
    }
    said = "Vacuum doubles the yield of rows [bbb](https://doi.org/10.1000/bbb) [1]."
    rig.analyst = ScriptedAnalyst(TODOS, {TODOS[0].query: [Draft(text=said, cites=("1.1",))]})
    report = (await rig.conduct()).report
    assert [source.address for source in report.references] == ["https://e.com/p"]
    listed = to_markdown(report).partition("## References")[2]
    assert "https://e.com/p" in listed
    assert "doi.org" not in listed

"""Whatever becomes of the last step, what was found is in the report, with its references."""

from dataclasses import replace

import pytest
from bench.chat import Asked, ChatServer, Reply, good_model
from tests.analysts.model.conftest import Research
from tests.analysts.model.test_journey import instead

from leadline.pipeline.rendering import to_markdown
from leadline.records import Run

SAID = "VACUUM reclaims the space of dead rows."
HALF = ', {"text": "| 型号 | 价'


def read(run: Run) -> tuple[str, str]:
    """Return the report, whole, and what it says of the model."""
    assert run.report is not None
    assert run.points
    assert run.report.overview
    markdown = to_markdown(run.report)
    assert markdown.count("\n## References\n") == 1
    assert all(f"\n[{source.number}] " in markdown for source in run.report.references)
    return markdown, " ".join(run.report.notices)


async def test_a_text_that_is_cut_ends_with_its_last_whole_sentence(research: Research) -> None:
    def cut(asked: Asked) -> Reply:
        whole = good_model(asked)
        return whole if asked.stage != "overview" else replace(whole, text=whole.text.removesuffix("]}") + HALF, cut=True)

    async with ChatServer(cut) as server:
        run = await research(server)
    markdown, told = read(run)
    assert run.report is not None
    assert run.report.overview[0].points
    assert "型号" not in markdown
    assert "without the model" not in told


FAILING = {
    "a context that is too long": (Reply(status=400, raw=b'{"error": {"message": "9000 tokens are too long"}}'), "too long"),
    "a key that has run out": (Reply(status=401, raw=b'{"error": {"message": "no such key"}}'), "key"),
    "a report in the reasoning": (Reply("", thinking=f"## Overview\nHIDDEN {SAID} [1]"), "empty"),
    "reasoning alone": (Reply("", thinking="HIDDEN: the user wants an overview, let me think"), "empty"),
}


@pytest.mark.parametrize("kind", FAILING)
async def test_a_last_step_that_fails_leaves_the_points_and_says_why(research: Research, kind: str) -> None:
    reply, why = FAILING[kind]
    async with ChatServer(instead("overview", reply)) as server:
        markdown, told = read(await research(server))
    assert why in told
    assert "HIDDEN" not in markdown

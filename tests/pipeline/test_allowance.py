import asyncio

from tests.pipeline.conftest import TODOS, Rig

from leadline.pipeline.rendering import to_markdown
from leadline.records import Limits, Todo
from leadline.testing import ScriptedAnalyst


async def test_no_call_is_made_beyond_the_limit_and_the_report_says_so(rig: Rig) -> None:
    rig.request = rig.request.model_copy(update={"limits": Limits(calls=2)})
    outcome = await rig.conduct()
    assert len(rig.corpus.queries) == 2
    assert outcome.status == "incomplete"
    assert "The limit of 2 calls was reached." in to_markdown(outcome.report)


async def test_a_limit_counts_the_calls_of_earlier_lives(rig: Rig) -> None:
    rig.request = rig.request.model_copy(update={"limits": Limits(calls=2)})
    await rig.conduct()
    await rig.store.runs.signal("run1", "retry", todo=3)
    await rig.conduct()
    assert len(rig.corpus.queries) == 2


async def test_when_time_is_up_the_run_ends_with_what_it_has(rig: Rig) -> None:
    async def pause(todo: Todo) -> None:
        if todo.id == 3:
            await asyncio.Event().wait()

    rig.analyst = ScriptedAnalyst(TODOS, pause=pause)
    rig.request = rig.request.model_copy(update={"limits": Limits(seconds=0.2)})
    outcome = await rig.conduct()
    assert (outcome.status, [s.status for s in outcome.report.sections]) == (
        "incomplete",
        ["completed", "completed", "cancelled"],
    )
    assert "The limit of 0.2 seconds was reached." in to_markdown(outcome.report)

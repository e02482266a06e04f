import pytest
from tests.pipeline.conftest import TODOS, Rig

from leadline.errors import LimitReached
from leadline.pipeline.rendering import to_markdown
from leadline.records import Draft, Plan, Point, Quote, Repair
from leadline.testing import Corpus, ScriptedAnalyst

PAGE = "VACUUM reclaims the space of dead rows. It runs every 20 minutes. 清理之后空间可以再用。"
FREE = Draft(text="Unused row versions are cleaned up by VACUUM, so their room is free again.", cites=("1.1",))
WRONG = Draft(text="VACUUM runs every 30 minutes.", cites=("1.2",))


def ready(rig: Rig, *drafts: Draft, unsupported: str = "drop", **answers: object) -> Rig:
    rig.corpus = Corpus({"vacuum.md": PAGE})
    rig.analyst = ScriptedAnalyst(TODOS[:1], {TODOS[0].query: drafts}, **answers)  # type: ignore[arg-type]
    rig.request = rig.request.model_copy(update={"plan": Plan(todos=TODOS[:1]), "unsupported": unsupported})
    return rig


async def points(rig: Rig) -> tuple[Point, ...]:
    return (await rig.conduct()).report.sections[0].points


async def test_what_code_cannot_decide_is_asked_once_for_all(rig: Rig) -> None:
    quote = Quote(draft=0, cite="1.1", text="VACUUM reclaims the space of dead rows.")
    ready(rig, FREE, WRONG, located=[[quote]])
    await rig.conduct()
    asked = [asked for asked in rig.analyst.history if asked.kind == "locate"]
    assert [one.drafts for one in asked] == [(FREE, WRONG)]
    assert [passage.label for passage in asked[0].passages] == ["1.1", "1.2", "1.3"]


async def test_what_is_firm_costs_no_question(rig: Rig) -> None:
    ready(rig, Draft(text="It runs every 20 minutes.", cites=("1.2",)))
    assert [p.verdict for p in await points(rig)] == ["verbatim"]
    assert [asked.kind for asked in rig.analyst.history] == ["summarise"]


async def test_a_made_up_quote_carries_nothing(rig: Rig) -> None:
    ready(rig, WRONG, located=[[Quote(draft=0, cite="1.2", text="VACUUM runs every 30 minutes.")]])
    assert await points(rig) == ()


async def test_a_failed_point_is_repaired_once(rig: Rig) -> None:
    ready(rig, WRONG, repaired=[Repair(text="It runs every 20 minutes.", quote="It runs every 20 minutes.")])
    assert [(p.text, p.verdict) for p in await points(rig)] == [("It runs every 20 minutes.", "verbatim")]
    assert [asked.kind for asked in rig.analyst.history] == ["summarise", "locate", "repair"]


async def test_a_repair_that_fails_is_the_end_of_a_point(rig: Rig) -> None:
    ready(rig, WRONG, repaired=[Repair(text="It runs every 40 minutes.")])
    assert await points(rig) == ()
    assert [asked.kind for asked in rig.analyst.history].count("repair") == 1


@pytest.mark.parametrize("unsupported", ["drop", "mark"])
async def test_what_one_passage_contradicts_is_not_held_in_part_by_another(rig: Rig, unsupported: str) -> None:
    ready(
        rig, Draft(text="The vacuum engine runs much faster than the old one.", cites=("1.1", "1.2")), unsupported=unsupported
    )
    slow = "The vacuum engine runs much more slowly than the old one."
    rig.corpus = Corpus({"vacuum.md": f"{slow}\n\nThe vacuum engine is quieter than the old one was in 2019."})
    assert [point.verdict for point in await points(rig)] == ["contradicted"] * (unsupported == "mark")


@pytest.mark.parametrize("cites", [(), ("9.9",)])
async def test_a_draft_that_cites_no_passage_is_not_asked_about(rig: Rig, cites: tuple[str, ...]) -> None:
    ready(rig, WRONG.model_copy(update={"cites": cites}))
    report = (await rig.conduct()).report
    assert "it cites no passage" in report.dropped[0].reason
    assert [asked.kind for asked in rig.analyst.history] == ["summarise"]


async def test_points_that_fail_can_be_marked_instead_of_dropped(rig: Rig) -> None:
    ready(rig, WRONG, unsupported="mark")
    outcome = await rig.conduct()
    assert [p.verdict for p in outcome.report.sections[0].points] == ["contradicted"]
    assert "30 minutes" in to_markdown(outcome.report)


async def test_a_run_that_starts_again_asks_nothing_again(rig: Rig) -> None:
    ready(rig, FREE, WRONG)
    await rig.conduct()
    asked = len(rig.analyst.history)
    await rig.conduct()
    assert len(rig.analyst.history) == asked


async def test_an_analyst_that_cannot_be_asked_costs_only_what_code_could_not_decide(rig: Rig) -> None:
    ready(rig, WRONG, Draft(text="It runs every 20 minutes.", cites=("1.2",)), fault=LimitReached("The limit was reached."))
    outcome = await rig.conduct()
    assert [p.text for p in outcome.report.sections[0].points] == ["It runs every 20 minutes."]
    assert "The limit was reached." in outcome.report.dropped[0].reason

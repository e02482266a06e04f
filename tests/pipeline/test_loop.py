import asyncio
import datetime as dt
from dataclasses import replace

import pytest
from tests.pipeline.conftest import TEXTS, TODOS, TOPIC, Rig

from leadline.clock import SystemClock
from leadline.errors import SearchFailed
from leadline.events import ConflictEvent, DoneEvent, ErrorEvent, PlanEvent, PointEvent, TaskEvent
from leadline.pipeline.execute import limit_points
from leadline.pipeline.loop import Outcome, conduct
from leadline.pipeline.rendering import to_markdown
from leadline.records import Draft, Limits, Plan, Request, Survey, Todo, Topic
from leadline.testing import Corpus, ScriptedAnalyst


def draft(text: str, *cites: str) -> Draft:
    return Draft(text=text, cites=cites)


def statuses(outcome: Outcome) -> list[str]:
    return [section.status for section in outcome.report.sections]


async def test_every_todo_becomes_a_section_with_its_checked_point(rig: Rig) -> None:
    outcome = await rig.conduct()
    assert outcome.status == "complete"
    assert [s.points[0].text for s in outcome.report.sections] == list(rig.corpus.texts.values())
    assert outcome.report.tally.verbatim == 3


async def test_what_is_cited_is_listed_and_nothing_else(rig: Rig) -> None:
    report = (await rig.conduct()).report
    cited = {e.page for s in report.sections for p in s.points for e in p.evidence}
    assert {source.page for source in report.references} == cited
    assert [source.number for source in report.references] == [1, 2, 3]


async def test_a_failing_read_harms_no_other_todo_and_is_named(rig: Rig) -> None:
    rig.corpus.texts["freeze.md"] = RuntimeError("socket closed")
    outcome = await rig.conduct()
    assert (outcome.status, statuses(outcome)) == ("incomplete", ["completed", "failed", "completed"])
    assert "RuntimeError (socket closed)" in outcome.report.sections[1].reason
    errors = [event for event in await rig.events() if isinstance(event, ErrorEvent)]
    assert [error.todo for error in errors] == [2]


async def test_a_failing_read_and_a_failing_summary_leave_the_other_todos(rig: Rig) -> None:
    async def fail(todo: Todo) -> None:
        if todo.id == 3:
            raise RuntimeError("the provider answered HTTP 500")

    todos = (*TODOS, Todo(id=4, title="Dead rows again", query="space dead rows"))
    rig.request = rig.request.model_copy(update={"plan": Plan(todos=todos)})
    rig.analyst = ScriptedAnalyst(todos, pause=fail)
    rig.corpus.texts["freeze.md"] = RuntimeError("socket closed")
    before = asyncio.all_tasks()
    outcome = await rig.conduct()
    assert asyncio.all_tasks() == before
    assert (outcome.status, statuses(outcome)) == ("incomplete", ["completed", "failed", "failed", "completed"])
    assert "socket closed" in outcome.report.sections[1].reason
    assert "HTTP 500" in outcome.report.sections[2].reason


async def test_a_failing_search_and_an_empty_one_are_different_words(rig: Rig) -> None:
    def fail(query: str) -> None:
        if query == "vacuum":
            raise SearchFailed("rate limited", "corpus was rate limited; try again in a minute")

    rig.corpus = Corpus(TEXTS, fail)
    del rig.corpus.texts["freeze.md"]
    outcome = await rig.conduct()
    assert statuses(outcome) == ["failed", "empty", "completed"]
    assert "rate limited" in outcome.report.sections[0].reason
    assert "The search gave no results" in outcome.report.sections[1].reason


async def test_a_run_whose_todos_all_fail_has_failed(rig: Rig) -> None:
    for address in rig.corpus.texts:
        rig.corpus.texts[address] = RuntimeError("no disk")
    assert (await rig.conduct()).status == "failed"


async def test_a_run_that_starts_again_asks_nothing_again_and_says_nothing_twice(rig: Rig) -> None:
    first = await rig.conduct()
    events, queries = await rig.events(), list(rig.corpus.queries)
    second = await rig.conduct()
    assert to_markdown(second.report) == to_markdown(first.report)
    assert rig.corpus.queries == queries
    assert await rig.events() == events


async def test_an_edit_after_the_end_runs_only_what_changed(rig: Rig) -> None:
    await rig.conduct()
    rig.corpus.queries.clear()
    added = Todo(id=4, title="Space", query="space of dead rows")
    await rig.store.runs.signal("run1", "edit", todos=[TODOS[2], TODOS[0], added])
    outcome = await rig.conduct()
    assert rig.corpus.queries == ["space of dead rows"]
    assert [s.todo.title for s in outcome.report.sections] == ["Scans", "Dead rows", "Space"]
    assert outcome.plan.revision == 2


async def test_a_skipped_todo_is_not_researched(rig: Rig) -> None:
    await rig.store.runs.signal("run1", "edit", todos=[TODOS[0], TODOS[1].model_copy(update={"skip": True})])
    outcome = await rig.conduct()
    assert statuses(outcome) == ["completed", "skipped"]
    assert rig.corpus.queries == ["vacuum"]


async def test_a_retry_searches_again(rig: Rig) -> None:
    await rig.conduct()
    await rig.store.runs.signal("run1", "retry", todo=2)
    await rig.conduct()
    assert rig.corpus.queries.count("freezing") == 2


async def test_an_edit_while_todos_work_stops_what_is_no_longer_wanted(rig: Rig) -> None:
    started, gate = asyncio.Event(), asyncio.Event()

    async def pause(todo: Todo) -> None:
        if todo.id == 2:
            started.set()
            await gate.wait()

    rig.analyst = ScriptedAnalyst(TODOS, pause=pause)
    running = asyncio.create_task(rig.conduct())
    await started.wait()
    await rig.store.runs.signal("run1", "edit", todos=[TODOS[0], TODOS[2]])
    outcome = await running
    assert statuses(outcome) == ["completed", "completed"]
    assert not gate.is_set()


async def test_a_cancel_stops_the_run_and_reports_what_was_checked(rig: Rig) -> None:
    started, gate = asyncio.Event(), asyncio.Event()

    async def pause(todo: Todo) -> None:
        if todo.id == 3:
            started.set()
            await gate.wait()

    rig.analyst = ScriptedAnalyst(TODOS, pause=pause)
    running = asyncio.create_task(rig.conduct())
    await started.wait()
    while len([e for e in await rig.events() if isinstance(e, TaskEvent) and e.task.status == "completed"]) < 2:
        await asyncio.sleep(0)
    await rig.store.runs.signal("run1", "cancel")
    outcome = await running
    assert (outcome.status, statuses(outcome)) == ("cancelled", ["completed", "completed", "cancelled"])
    assert "interrupted" in to_markdown(outcome.report)
    calls = list(rig.corpus.queries)
    gate.set()
    await asyncio.sleep(0)
    assert rig.corpus.queries == calls


async def test_points_are_told_as_they_pass_and_done_is_last(rig: Rig) -> None:
    await rig.conduct()
    events = await rig.events()
    assert len([e for e in events if isinstance(e, PointEvent)]) == 3
    assert events[-1] == DoneEvent(status="complete")


async def test_a_note_is_kept_for_each_todo_that_found_something(rig: Rig) -> None:
    del rig.corpus.texts["index.md"]
    await rig.conduct()
    notes = await rig.store.notes.list("run1")
    assert sorted(note.title for note in notes) == ["Dead rows", "Freezing"]
    assert all("## Sources" in note.body for note in notes)


async def test_points_that_say_the_same_are_one_with_the_sources_of_both(rig: Rig) -> None:
    rig.corpus.texts = {
        "a.md": "VACUUM reclaims the space of dead rows.",
        "b.md": "Freezing is next. VACUUM reclaims the space of dead rows.",
    }
    rig.request = rig.request.model_copy(update={"plan": None})
    rig.analyst = ScriptedAnalyst(
        TODOS[:2],
        {
            "vacuum": [draft("VACUUM reclaims the space of dead rows.", "1.1")],
            "freezing": [draft("VACUUM reclaims the space of dead rows.", "1.2")],
        },
    )
    report = (await rig.conduct()).report
    assert [len(s.points) for s in report.sections] == [1, 0]
    assert len(report.sections[0].points[0].evidence) == 2
    assert "section 1" in report.sections[1].reason


async def test_points_that_differ_are_told_before_the_report_and_once(rig: Rig) -> None:
    rig.corpus.texts = {"a.md": "The vacuum default is 20 % of the table.", "b.md": "The vacuum default is 10 % of the table."}
    await rig.conduct()
    again = (await rig.conduct()).report
    events = await rig.events()
    told = [event.conflict for event in events if isinstance(event, ConflictEvent)]
    assert tuple(told) == again.conflicts
    assert len(told) == 1
    points = {event.point.id for event in events if isinstance(event, PointEvent)}
    assert {*told[0].points} <= points


async def test_the_strongest_points_of_the_whole_report_are_kept(rig: Rig) -> None:
    rig.request = rig.request.model_copy(update={"max_points": 2})
    outcome = await rig.conduct()
    assert sum(len(s.points) for s in outcome.report.sections) == 2
    assert outcome.report.tally.dropped == 1
    assert [d.reason for d in outcome.report.dropped] == ["left out: 2 stronger points were chosen"]


@pytest.mark.parametrize(("bound", "most"), [(None, 6), (2, 2), (12, 12), (13, 6)])
def test_a_short_report_may_have_all_its_points_in_one_section(bound: int | None, most: int) -> None:
    assert limit_points(Request(topic="VACUUM", max_points=bound)) == most


@pytest.mark.parametrize("cites", [(), ("9.9",), ("1.1",)])
async def test_a_point_that_its_passage_does_not_carry_is_dropped_with_a_reason(rig: Rig, cites: tuple[str, ...]) -> None:
    rig.analyst = ScriptedAnalyst(TODOS, {"vacuum": [draft("Bananas grow in 17 countries.", *cites)]})
    outcome = await rig.conduct()
    assert statuses(outcome) == ["empty", "completed", "completed"]
    assert len(outcome.report.dropped) == outcome.report.tally.dropped == 1
    assert outcome.report.dropped[0].reason


async def test_a_cancelled_run_can_be_resumed_and_tells_its_states_anew(rig: Rig) -> None:
    await rig.store.runs.signal("run1", "cancel")
    assert (await rig.conduct()).status == "cancelled"
    assert rig.corpus.queries == []
    await rig.store.runs.signal("run1", "resume")
    assert (await rig.conduct()).status == "complete"
    states = [e.task.status for e in await rig.events() if isinstance(e, TaskEvent) and e.task.id == 1]
    assert states == ["pending", "cancelled", "pending", "in_progress", "completed"]
    assert [e.status for e in await rig.events() if isinstance(e, DoneEvent)] == ["cancelled", "complete"]


async def test_a_cancel_while_planning_ends_the_run_and_a_resume_plans_again(rig: Rig) -> None:
    asked, gate = asyncio.Event(), asyncio.Event()

    class SlowPlanner(ScriptedAnalyst):
        async def plan(self, topic: Topic, survey: Survey, at_least: int, at_most: int) -> Plan:
            asked.set()
            await gate.wait()
            return await super().plan(topic, survey, at_least, at_most)

    rig.analyst = SlowPlanner(TODOS)
    rig.request = rig.request.model_copy(update={"plan": None})
    running = asyncio.create_task(rig.conduct())
    await asked.wait()
    await rig.store.runs.signal("run1", "cancel")
    outcome = await running
    assert (outcome.status, outcome.plan.todos) == ("cancelled", ())
    await rig.store.runs.signal("run1", "resume")
    gate.set()
    assert (await rig.conduct()).status == "complete"


async def test_a_cancelled_run_that_starts_again_still_reports_what_it_had_found(rig: Rig) -> None:
    await rig.conduct()
    await rig.store.runs.signal("run1", "cancel")
    asked = list(rig.corpus.queries)
    outcome = await rig.conduct()
    assert outcome.status == "cancelled"
    assert statuses(outcome) == ["completed", "completed", "completed"]
    assert rig.corpus.queries == asked


async def test_what_was_used_is_counted_over_all_lives(rig: Rig) -> None:
    await rig.conduct()
    outcome = await rig.conduct()
    assert (outcome.usage.searches, outcome.usage.pages) == (3, 3)


class Leap(SystemClock):
    """A clock that can be put forward."""

    ahead = dt.timedelta(0)

    def now(self) -> dt.datetime:
        return super().now() + self.ahead


async def test_a_plan_waits_for_approval_and_the_wait_costs_no_time(rig: Rig) -> None:
    request, clock = rig.request.model_copy(update={"review": True, "limits": Limits(seconds=60)}), Leap()
    working = asyncio.create_task(conduct("run1", TOPIC, request, replace(rig.crew(), clock=clock)))
    watching = rig.store.runs.watch("run1")
    plan = await anext(envelope.event async for envelope in watching if isinstance(envelope.event, PlanEvent))
    assert not plan.approved
    assert rig.corpus.queries == []
    clock.ahead = dt.timedelta(hours=1)
    await rig.store.runs.signal("run1", "edit", todos=TODOS[:2])
    await rig.store.runs.signal("run1", "approve")
    outcome = await working
    assert outcome.status == "complete"
    assert [section.todo.title for section in outcome.report.sections] == ["Dead rows", "Freezing"]
    assert [event.approved for event in await rig.events() if isinstance(event, PlanEvent)][-1]


async def test_a_run_that_waits_for_approval_can_be_cancelled(rig: Rig) -> None:
    rig.request = rig.request.model_copy(update={"review": True})
    working = asyncio.create_task(rig.conduct())
    await rig.store.runs.signal("run1", "cancel")
    assert (await working).status == "cancelled"
    assert rig.corpus.queries == []

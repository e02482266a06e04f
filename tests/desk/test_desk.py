"""What can be done with a run: through the desk, on a real store, with the real engine."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from tests.desk.conftest import carry_out

from leadline.api import follow
from leadline.desk import Desk
from leadline.errors import NotFound, PlanError, SourceError, UsageError
from leadline.events import TaskEvent
from leadline.pipeline.rendering import to_markdown
from leadline.records import Request, Todo


async def count_started(desk: Desk, run: str) -> int:
    events = await desk.store.runs.events(run)
    return len([e for e in events if isinstance(e.event, TaskEvent) and e.event.task.status == "in_progress"])


async def test_a_run_is_taken_in_before_anything_begins(desk: Desk, request_: Request) -> None:
    run = await desk.take(request_)
    assert (await desk.store.runs.load(run.id)).status == "running"
    assert await desk.store.runs.events(run.id) == []
    assert await desk.state(run) == "unknown"


async def test_a_source_that_cannot_be_used_is_told_before_a_run_is_saved(desk: Desk, request_: Request) -> None:
    with pytest.raises(SourceError):
        await desk.take(request_.model_copy(update={"sources": ("nowhere",)}))
    assert await desk.store.runs.list() == []


async def test_a_run_is_carried_out_and_kept(desk: Desk, request_: Request) -> None:
    run = await carry_out(desk, await desk.take(request_))
    assert run.status == "complete"
    assert run.report is not None
    assert run.points
    assert await desk.state(run) == "ended"


async def test_doing_an_ended_run_again_changes_nothing(desk: Desk, request_: Request) -> None:
    run = await carry_out(desk, await desk.take(request_))
    events = await desk.store.runs.events(run.id)
    again = await carry_out(desk, run)
    assert again.report == run.report
    assert await desk.store.runs.events(run.id) == events


async def test_an_edit_after_the_end_does_only_what_is_new(desk: Desk, request_: Request) -> None:
    run = await carry_out(desk, await desk.take(request_))
    plan = await desk.find_plan(run)
    started = await count_started(desk, run.id)
    added = Todo(id=9, title="Running out of ids", query="transaction ids run out")
    await desk.edit(run, [added, *plan.todos])
    edited = await carry_out(desk, run)
    assert await count_started(desk, run.id) == started + 1
    assert edited.report is not None
    assert [section.todo.title for section in edited.report.sections] == [added.title, *(todo.title for todo in plan.todos)]


@pytest.mark.parametrize(
    ("todo", "says"),
    [
        (Todo(id=9, title="freezing of OLD rows!", query="xid"), "Todos 2 and 3 of the plan have the same title"),
        (Todo(id=9, title="Age", query="…"), r"The query of todo 3 \('…'\) has no letter and no digit"),
    ],
)
async def test_an_edit_that_would_lose_a_todo_is_refused(desk: Desk, request_: Request, todo: Todo, says: str) -> None:
    run = await desk.take(request_)
    kept = [Todo(id=1, title="Dead rows", query="dead rows"), Todo(id=2, title="Freezing of old rows", query="freezing")]
    with pytest.raises(PlanError, match=says):
        await desk.edit(run, [*kept, todo])
    assert await desk.store.journal(run.id).next_signal(0) is None


async def test_a_retry_names_the_todos_that_it_does_again(desk: Desk, request_: Request) -> None:
    run = await carry_out(desk, await desk.take(request_))
    with pytest.raises(UsageError, match="name the ones to do again"):
        await desk.retry(run)
    with pytest.raises(NotFound, match="no todo 99"):
        await desk.retry(run, [99])
    assert [todo.id for todo in await desk.retry(run, [1])] == [1]
    assert (await carry_out(desk, run)).status == "complete"


async def test_a_refresh_does_again_only_what_has_changed(desk: Desk, request_: Request, library: Path) -> None:
    run = await carry_out(desk, await desk.take(request_))
    assert await desk.refresh(run) == []
    assert run.report is not None
    evidence = next(point.evidence[0] for point in run.points if "dead rows of a table" in point.evidence[0].quote)
    name = next(source.address for source in run.report.references if source.page == evidence.page)
    text = (library / name).read_text(encoding="utf-8").replace("dead rows of a table", "dead rows of any table")
    (library / name).write_text(text, encoding="utf-8")
    changed = await desk.refresh(run)
    assert changed
    refreshed = await carry_out(desk, run)
    assert refreshed.report is not None
    assert "dead rows of any table" in to_markdown(refreshed.report)


async def test_a_run_that_nobody_holds_is_cancelled_at_once_and_can_be_resumed(desk: Desk, request_: Request) -> None:
    run = await desk.take(request_)
    await desk.cancel(run)
    cancelled = await desk.store.runs.load(run.id)
    assert (cancelled.status, cancelled.points) == ("cancelled", ())
    with pytest.raises(UsageError, match="has ended"):
        await desk.cancel(cancelled)
    await desk.resume(cancelled)
    assert (await carry_out(desk, run)).status == "complete"


async def test_a_run_that_ends_while_it_is_being_cancelled_is_not_done_again(desk: Desk, request_: Request) -> None:
    run = await desk.take(request_)
    ended = await carry_out(desk, run)
    await desk.cancel(run)  # as it was before it ended
    assert await desk.store.runs.load(run.id) == ended


async def test_leaving_the_stream_cancels_the_run(desk: Desk, request_: Request) -> None:
    run = await desk.take(request_)
    async with desk.engaged("research") as shift, aclosing(follow(desk, shift, run)) as events:
        async for _ in events:
            break
    assert (await desk.store.runs.load(run.id)).status == "cancelled"


async def test_a_run_is_handed_to_a_worker(desk: Desk, request_: Request) -> None:
    run = await desk.take(request_)
    assert not await desk.submit(run, priority=1)
    async with desk.engaged("worker"), asyncio.timeout(120):
        async for _ in desk.store.runs.watch(run.id):
            pass
    assert (await desk.store.runs.load(run.id)).status == "complete"


async def test_a_run_whose_sources_have_gone_is_failed_with_the_reason(desk: Desk, request_: Request, library: Path) -> None:
    run = await desk.take(request_)
    library.rename(library.with_name("elsewhere"))
    failed = await carry_out(desk, run)
    assert failed.status == "failed"
    assert "library" in failed.reason


async def test_a_deleted_run_leaves_nothing(desk: Desk, request_: Request) -> None:
    run = await carry_out(desk, await desk.take(request_))
    page = run.points[0].evidence[0].page
    await desk.delete(run)
    with pytest.raises(NotFound):
        await desk.store.runs.load(run.id)
    with pytest.raises(NotFound):
        await desk.store.snapshots("other").load(page)
    assert await desk.store.notes.list() == []
    assert await desk.state(run) == "unknown"

"""Runs, their events and their deletion, over every store."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.store.samples import DONE, make_note, make_page, make_run, say

from leadline.errors import NotFound, UsageError
from leadline.events import Envelope, StatusEvent
from leadline.records import Todo
from leadline.store import Store


async def test_a_run_is_loaded_as_it_was_saved_last(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    ended = make_run("r1", status="complete")
    await store.runs.save(ended)
    assert await store.runs.load("r1") == ended


async def test_a_run_goes_by_any_unique_start_of_its_id(store: Store) -> None:
    for name in ("ab12", "ab34", "ab3"):
        await store.runs.save(make_run(name))
    assert (await store.runs.load("ab1")).id == "ab12"
    assert (await store.runs.load("ab3")).id == "ab3"
    with pytest.raises(NotFound, match=r"ab12, ab3, ab34"):
        await store.runs.load("ab")


@pytest.mark.parametrize("name", ["", "x", "AB", "a%", "a_", "../ab", "a\x00", "\ud800"])
async def test_a_name_that_no_run_has_is_not_found(store: Store, name: str) -> None:
    await store.runs.save(make_run("ab12"))
    with pytest.raises(NotFound, match="leadline runs list"):
        await store.runs.load(name)


async def test_what_a_run_has_done_is_told_in_order_of_its_end(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    journal = store.journal("r1")

    async def answer() -> int:
        await asyncio.sleep(0.01)
        return 1

    for key in ("search:b", "search:a", "search:b"):
        await journal.once(key, "search", answer)
    calls = await store.runs.calls("r1")
    assert [(call.key, call.kind) for call in calls] == [("search:b", "search"), ("search:a", "search")]
    assert all(call.seconds >= 0.01 and call.ended.tzinfo for call in calls)
    assert await store.runs.calls("r2") == []


async def test_runs_are_listed_newest_first(store: Store) -> None:
    for name, minute in (("a", 1), ("c", 0), ("b", 1)):
        await store.runs.save(make_run(name, minute))
    assert [run.id for run in await store.runs.list()] == ["b", "a", "c"]
    assert [run.id for run in await store.runs.list(limit=2)] == ["b", "a"]


@pytest.mark.parametrize("name", ["../r1", "", "a/b", "a" * 101, "a\x00"])
async def test_an_unsafe_id_is_refused(store: Store, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the id of a run"):
        await store.runs.save(make_run(name))


async def test_a_signal_keeps_its_plan(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    todos = (Todo(id=1, title="索引", query="index types"),)
    sent = await store.runs.signal("r1", "edit", todos)
    assert await store.journal("r1").next_signal(0) == sent
    assert sent.todos == todos


async def test_what_concerns_no_run_is_not_found(store: Store) -> None:
    for name in ("r1", "../r1"):
        with pytest.raises(NotFound):
            await store.runs.signal(name, "cancel")
        with pytest.raises(NotFound):
            await store.runs.delete(name)
        with pytest.raises(NotFound):
            await store.runs.events(name)
        with pytest.raises(NotFound):
            await anext(store.runs.watch(name))


async def test_a_deleted_run_leaves_nothing_that_no_other_run_uses(store: Store) -> None:
    for run in ("r1", "r2"):
        await store.runs.save(make_run(run))
        await store.snapshots(run).save(make_page("shared"))
        await store.snapshots(run).save(make_page(f"own-{run}"))
        await store.notes.create(make_note(f"note-{run}", run=run))
        await store.journal(run).emit(say(run), "e")
        await store.runs.signal(run, "cancel")
    await store.runs.delete("r1")
    assert [run.id for run in await store.runs.list()] == ["r2"]
    assert [note.id for note in await store.notes.list()] == ["note-r2"]
    assert (await store.snapshots("r2").load("shared")).id == "shared"
    assert (await store.snapshots("r2").load("own-r2")).id == "own-r2"
    with pytest.raises(NotFound):
        await store.snapshots("r2").load("own-r1")
    await store.runs.delete("r2")
    with pytest.raises(NotFound):
        await store.snapshots("r2").load("shared")


async def test_a_run_made_anew_under_a_deleted_id_starts_from_nothing(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    await store.journal("r1").emit(say("old"), "e")
    await store.runs.signal("r1", "cancel")
    await store.runs.delete("r1")
    await store.runs.save(make_run("r1"))
    assert await store.runs.events("r1") == []
    assert await store.journal("r1").next_signal(0) is None
    assert await store.journal("r1").emit(say("new"), "e") == 1


# --- following --------------------------------------------------------------------------------------------------------


async def collect(events: AsyncIterator[Envelope]) -> list[tuple[int, str]]:
    return [(envelope.seq, getattr(envelope.event, "message", envelope.event.type)) async for envelope in events]


async def test_a_run_that_has_ended_is_told_from_where_one_left(store: Store) -> None:
    journal = store.journal("r1")
    await journal.emit(say("one"), "1")
    await journal.emit(DONE, "2")
    await store.runs.save(make_run("r1", status="complete"))
    assert await collect(store.runs.watch("r1")) == [(1, "one"), (2, "done")]
    assert await collect(store.runs.watch("r1", after=1)) == [(2, "done")]
    assert await collect(store.runs.watch("r1", after=2)) == []


async def test_events_are_followed_as_they_arrive(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    journal, events = store.journal("r1"), store.runs.watch("r1")
    await journal.emit(say("one"), "1")
    assert (await anext(events)).event == say("one")
    following = asyncio.create_task(collect(events))
    await asyncio.sleep(0)
    await journal.once("k", "read", lambda: asyncio.sleep(0), events=lambda _: [("2", say("two"))])
    await journal.emit(DONE, "3")
    await store.runs.save(make_run("r1", status="complete"))
    assert await asyncio.wait_for(following, 5) == [(2, "two"), (3, "done")]


async def test_a_run_that_goes_on_after_done_is_followed_on(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    journal = store.journal("r1")
    following = asyncio.create_task(collect(store.runs.watch("r1")))
    await journal.emit(DONE, "1")
    await journal.emit(say("edited"), "2")
    await store.runs.save(make_run("r1", status="complete"))
    await journal.emit(DONE, "3")
    assert await asyncio.wait_for(following, 5) == [(1, "done"), (2, "edited"), (3, "done")]


async def test_two_processes_see_every_event_once_in_order(peers: tuple[Store, Store]) -> None:
    one, other = peers
    await one.runs.save(make_run("r1"))
    following = [asyncio.create_task(collect(store.runs.watch("r1"))) for store in peers]
    for number in range(1, 30):
        await peers[number % 2].journal("r1").emit(say(str(number)), f"k{number}")
    await one.journal("r1").emit(DONE, "done")
    await other.runs.save(make_run("r1", status="complete"))
    expected = [*((number, str(number)) for number in range(1, 30)), (30, "done")]
    assert await asyncio.wait_for(asyncio.gather(*following), 10) == [expected, expected]


async def test_following_a_run_that_is_deleted_says_so(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    await store.journal("r1").emit(say("one"), "1")
    events = store.runs.watch("r1")
    assert isinstance((await anext(events)).event, StatusEvent)
    following = asyncio.ensure_future(anext(events))
    await asyncio.sleep(0)
    await store.runs.delete("r1")
    with pytest.raises(NotFound):
        await asyncio.wait_for(following, 5)

"""The engine's promises, on SQLite and on PostgreSQL."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from tests.engine.actors import Actor, until

from leadline.engine import Limits, Peer, Place, Role, State, Versions, open_books
from leadline.errors import NoWorker, RunElsewhere, UsageError


@pytest.fixture
def actor() -> Actor:
    return Actor()


async def test_research_carries_out_its_run_and_returns_when_it_has_ended(place: Place, actor: Actor) -> None:
    async with actor.at(place, "research") as engine:
        await engine.carry_out("r1")
        assert actor.ended == ["r1"]
        await until(lambda: _is(engine.books.state("r1"), "ended"))


@pytest.mark.parametrize("role", ["research", "worker"])
async def test_what_has_ended_when_a_process_closes_is_left_to_nobody(place: Place, actor: Actor, role: Role) -> None:
    async with actor.at(place, role) as engine:
        if role == "research":
            await engine.carry_out("r1")
        else:
            await engine.books.submit("r1")
            await until(lambda: actor.ended == ["r1"])
    async with open_books(place) as books:
        assert await books.state("r1") == "ended"


async def test_an_ended_run_is_begun_again_when_it_is_wanted_again(place: Place, actor: Actor) -> None:
    async with actor.at(place, "research") as engine:
        await engine.carry_out("r1")
        await engine.carry_out("r1")
    assert actor.ended == ["r1", "r1"]


async def test_a_worker_takes_runs_from_the_queue_by_priority(place: Place, actor: Actor) -> None:
    async with open_books(place) as books:
        assert await books.state("late") == "unknown"
        await books.submit("late", priority=200)
        await books.submit("early", priority=1)
        await books.submit("plain")
        assert await books.state("plain") == "queued"
    async with actor.at(place, limits=Limits(per_process=1)):
        await until(lambda: len(actor.ended) == 3)
    assert actor.ended == ["early", "plain", "late"]


async def test_a_run_that_waits_is_not_queued_twice(place: Place, actor: Actor) -> None:
    async with open_books(place) as books:
        await books.submit("r1")
        await books.submit("r1")
        await books.submit("r2")
    async with actor.at(place, limits=Limits(per_process=1)):
        await until(lambda: "r2" in actor.ended)
    assert actor.ended == ["r1", "r2"]


async def test_no_more_runs_at_once_than_the_limit(place: Place, actor: Actor) -> None:
    gates = {run: actor.hold_back(run) for run in ("r1", "r2", "r3", "r4", "r5")}
    async with actor.at(place, limits=Limits(per_process=2)) as engine:
        for run in gates:
            await engine.books.submit(run)
        await until(lambda: len(actor.begun) == 2)
        await asyncio.sleep(0.3)  # three looks into the queue
        assert actor.begun == ["r1", "r2"]
        gates["r1"].set()
        await until(lambda: len(actor.begun) == 3)


async def test_research_takes_neither_waiting_nor_left_runs(place: Place, actor: Actor) -> None:
    actor.hold_back("left")
    async with actor.at(place, "serve") as engine:
        await engine.books.submit("left")
        await until(lambda: actor.begun == ["left"])
    async with actor.at(place, "research") as engine:
        await engine.books.submit("waiting")
        await engine.carry_out("own")
        await asyncio.sleep(0.7)  # more than a pulse
        assert await engine.books.interrupted() == ["left"]
        assert await engine.books.state("waiting") == "queued"
    assert actor.begun == ["left", "own"]


async def test_closing_leaves_runs_to_the_next_process(place: Place, actor: Actor) -> None:
    gate = actor.hold_back("r1")
    async with actor.at(place) as engine:
        await engine.books.submit("r1")
        await until(lambda: actor.begun == ["r1"])
    assert actor.ended == []
    gate.set()
    async with open_books(place) as books:
        assert await books.state("r1") == "interrupted"
        assert await books.peers() == []
    async with actor.at(place, "serve"):
        await until(lambda: actor.ended == ["r1"])


async def test_a_run_that_swallows_its_cancelling_does_not_hold_up_the_close(place: Place) -> None:
    begun, released = asyncio.Event(), asyncio.Event()

    async def perform(run: str) -> None:
        begun.set()
        while not released.is_set():
            with suppress(asyncio.CancelledError):
                await released.wait()

    stubborn = Actor()
    stubborn.perform = perform  # type: ignore[method-assign]
    async with stubborn.at(place) as engine:
        await engine.books.submit("r1")
        await begun.wait()
    released.set()  # only now: who waited for the run would wait for ever


async def test_an_interrupted_run_can_be_carried_out_here(place: Place, actor: Actor) -> None:
    gate = actor.hold_back("r1")
    async with actor.at(place, "research") as engine:
        waiting = asyncio.create_task(engine.carry_out("r1"))
        await until(lambda: actor.begun == ["r1"])
        waiting.cancel()
        await asyncio.wait({waiting})
    gate.set()
    async with actor.at(place, "research") as engine:
        assert await engine.books.interrupted() == ["r1"]
        await engine.carry_out("r1")
        assert await engine.books.interrupted() == []
    assert actor.ended == ["r1"]


async def test_a_run_at_work_is_left_alone_and_begun_again_when_it_has_ended(place: Place, actor: Actor) -> None:
    gate = actor.hold_back("r1")
    async with actor.at(place) as engine:
        await engine.books.submit("r1")
        await until(lambda: actor.begun == ["r1"])
        assert await engine.books.stop("r1") == "working"
        again = asyncio.create_task(engine.books.submit("r1"))
        assert await engine.books.state("r1") == "working"
        assert actor.begun == ["r1"]
        gate.set()
        await again
        await until(lambda: actor.ended == ["r1", "r1"])


async def test_a_waiting_run_can_be_stopped_and_is_never_begun(place: Place, actor: Actor) -> None:
    async with open_books(place) as books:
        await books.submit("r1")
        await books.submit("r2")
        assert await books.stop("r1") == "queued"
        assert await books.state("r1") == "ended"
    async with actor.at(place):
        await until(lambda: actor.ended == ["r2"])
    assert actor.begun == ["r2"]


async def test_an_interrupted_run_can_be_stopped(place: Place, actor: Actor) -> None:
    actor.hold_back("r1")
    async with actor.at(place) as engine:
        await engine.books.submit("r1")
        await until(lambda: actor.begun == ["r1"])
    async with open_books(place) as books:
        assert await books.stop("r1") == "interrupted"
        assert await books.interrupted() == []
    async with actor.at(place) as engine:
        await engine.books.submit("r2")
        await until(lambda: "r2" in actor.ended)
        await until(lambda: _leaves(engine.books.peers(), 1))
    assert actor.begun == ["r1", "r2"]


async def test_a_run_cancelled_in_the_books_while_at_work_is_dropped(place: Place, actor: Actor) -> None:
    actor.hold_back("r1")
    async with actor.at(place) as engine:
        await engine.books.submit("r1")
        await until(lambda: actor.begun == ["r1"])
        rounds = await engine.books.do(lambda: engine.books.catalog.list_rounds("r1"))
        await engine.books.do(lambda: engine.books.catalog.cancel(rounds))
        await until(lambda: not engine._at_work)
    assert actor.ended == []


@pytest.mark.parametrize("role", ["research", "worker"])
async def test_a_run_that_was_taken_and_never_begun_is_begun_in_the_end(place: Place, actor: Actor, role: Role) -> None:
    async with actor.at(place, role) as engine:
        engine._alive = False  # as when the database is lost between the two
        if role == "research":
            waiting = asyncio.create_task(engine.carry_out("r1"))
        else:
            waiting = asyncio.create_task(engine.books.submit("r1"))
        await until(lambda: _is(engine.books.state("r1"), "working"))
        engine._alive = True
        await until(lambda: actor.ended == ["r1"])
        await waiting


async def test_a_forgotten_run_is_unknown(place: Place, actor: Actor) -> None:
    async with actor.at(place, "research") as engine:
        await engine.carry_out("r1")
        await engine.carry_out("r1")
        await engine.books.forget("r1")
        assert await engine.books.state("r1") == "unknown"


async def test_forgetting_one_run_leaves_those_alone_whose_ids_begin_alike(place: Place) -> None:
    async with open_books(place) as books:
        await books.submit("r1")
        await books.submit("r11")
        await books.forget("r1")
        assert await books.state("r11") == "queued"


async def test_a_run_goes_only_to_a_worker_that_holds_what_it_needs(place: Place, actor: Actor) -> None:
    async with actor.at(place, holds=["notes", "papers"]) as engine:
        await engine.books.submit("r1", needs=["papers"])
        await until(lambda: actor.ended == ["r1"])
        with pytest.raises(NoWorker, match="holds 'laws', 'papers': start `leadline worker`"):
            await engine.books.submit("r2", needs=["papers", "laws"])
        assert await engine.books.state("r2") == "unknown"
        assert [peer.holds for peer in await engine.books.peers()] == [{"notes", "papers"}]


async def test_a_left_run_waits_for_a_worker_that_holds_what_it_needs(place: Place, actor: Actor) -> None:
    gate = actor.hold_back("r1")
    async with actor.at(place, holds=["papers"]) as engine:
        await engine.books.submit("r1", needs=["papers"])
        await until(lambda: actor.begun == ["r1"])
    gate.set()
    async with actor.at(place) as engine:
        await engine.books.submit("r2")
        await until(lambda: actor.ended == ["r2"])
        await asyncio.sleep(0.7)  # more than a pulse
        assert await engine.books.state("r1") == "interrupted"
    async with actor.at(place, holds=["papers"]):
        await until(lambda: actor.ended == ["r2", "r1"])


async def test_a_usage_error_ends_a_run_at_once_with_its_words(place: Place, actor: Actor) -> None:
    actor.errors["r1"] = UsageError("No such folder: 'x'.")
    async with actor.at(place, "research") as engine:
        await engine.carry_out("r1")
    assert actor.given_up == {"r1": "No such folder: 'x'."}
    assert actor.begun == ["r1"]


async def test_a_run_whose_process_died_five_times_is_given_up(place: Place, actor: Actor) -> None:
    async with open_books(place) as books:
        await books.submit("r1")
        await books.do(lambda: books.ledger.count_crashes(["r1"], 5))
    async with actor.at(place, "serve"):
        await until(lambda: "r1" in actor.given_up)
    assert actor.given_up == {"r1": "Run r1 was given up after 5 attempts: its process died each time."}
    assert actor.begun == []


async def test_a_run_that_has_come_further_since_its_crashes_is_not_to_blame(place: Place, actor: Actor) -> None:
    async def progress(run: str) -> int:
        return 7

    async with open_books(place) as books:
        await books.submit("r1")
        await books.do(lambda: books.ledger.count_crashes(["r1"], 5))
        assert await books.count_crashes("r1", 7) == 1
        assert await books.count_crashes("r1", 7) == 1
        await books.do(lambda: books.ledger.count_crashes(["r1"], 4))
    async with actor.at(place, progress=progress):
        await until(lambda: "r1" in actor.given_up)


async def test_asking_for_a_run_again_forgets_its_crashes(place: Place, actor: Actor) -> None:
    async with actor.at(place, "research") as engine:
        await engine.carry_out("r1")
        await engine.books.do(lambda: engine.books.ledger.count_crashes(["r1"], 5))
        await engine.carry_out("r1")
    assert actor.ended == ["r1", "r1"]


async def test_closing_is_no_crash(place: Place, actor: Actor) -> None:
    gate = actor.hold_back("r1")
    async with open_books(place) as books:
        await books.submit("r1")
    for times in (1, 2, 3):
        async with actor.at(place) as engine:
            await until(lambda times=times: len(actor.begun) == times)
            assert await engine.books.count_crashes("r1", 0) == 0
    gate.set()
    async with actor.at(place):
        await until(lambda: actor.ended == ["r1"])


async def test_runs_of_an_older_release_are_finished_if_this_one_can(place: Place, actor: Actor) -> None:
    gate = actor.hold_back("left")
    async with actor.at(place, versions=Versions(own=1)) as engine:
        await engine.books.submit("left")
        await until(lambda: actor.begun == ["left"])
    async with open_books(place, Versions(own=1)) as books:
        await books.submit("waiting")
    gate.set()
    async with actor.at(place, versions=Versions(own=2, readable=frozenset({1}))):
        await until(lambda: sorted(actor.ended) == ["left", "waiting"])


async def test_runs_that_this_release_cannot_finish_are_given_up_in_clear_words(place: Place, actor: Actor) -> None:
    actor.hold_back("left")
    async with actor.at(place, versions=Versions(own=1)) as engine:
        await engine.books.submit("left")
        await until(lambda: actor.begun == ["left"])
    async with open_books(place, Versions(own=1)) as books:
        await books.submit("waiting")
    async with actor.at(place, versions=Versions(own=2)) as engine:
        await until(lambda: len(actor.given_up) == 2)
        await until(lambda: _is(engine.books.state("left"), "ended"))
    assert actor.given_up["left"] == (
        "Run left was begun by another release (data version 1; this one can finish 2): start the topic again."
    )


async def test_an_older_release_leaves_the_runs_of_a_newer_one_alone(place: Place, actor: Actor) -> None:
    async with open_books(place, Versions(own=2)) as books:
        await books.submit("r1")
    async with actor.at(place, "research", versions=Versions(own=1)) as engine:
        with pytest.raises(RunElsewhere, match=r"data version 2; this one can finish 1\): upgrade this one"):
            await engine.carry_out("r1")
        assert await engine.books.state("r1") == "queued"
    assert actor.begun == []


async def test_a_worker_does_not_carry_out_by_hand(place: Place, actor: Actor) -> None:
    async with actor.at(place) as engine:
        with pytest.raises(UsageError, match="submit run r1"):
            await engine.carry_out("r1")


async def test_a_process_has_one_engine(place: Place, actor: Actor) -> None:
    async with actor.at(place) as engine:
        with pytest.raises(UsageError, match="has an engine already"):
            async with Actor().at(place):
                pass
        await engine.books.submit("r1")
        await until(lambda: actor.ended == ["r1"])


async def test_a_worker_whose_lock_is_lost_stops_at_once_and_comes_back(postgres_url: str, home: Path, actor: Actor) -> None:
    gate = actor.hold_back("r1")
    async with actor.at(Place(home, postgres_url)) as engine:
        await engine.books.submit("r1")
        await until(lambda: actor.begun == ["r1"])
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1"
                " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            )
        await until(lambda: len(actor.begun) == 2)
        gate.set()
        await until(lambda: _is(engine.books.state("r1"), "ended"))
    assert actor.begun == ["r1", "r1"]
    assert actor.ended == ["r1"]


async def _is(state: Awaitable[State], wanted: State) -> bool:
    return await state == wanted


async def _leaves(peers: Awaitable[Sequence[Peer]], count: int) -> bool:
    return len(await peers) == count

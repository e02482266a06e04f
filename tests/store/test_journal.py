"""The journal's contract, over every store."""

import asyncio
from collections.abc import Awaitable

import pytest
from pydantic import JsonValue
from tests.store.samples import make_run, say

from leadline.errors import UsageError
from leadline.events import StatusEvent
from leadline.store import Store


class Asked:
    """A call that counts how often it is made and answers with what it was given."""

    def __init__(self, answer: JsonValue = None) -> None:
        self.answer = answer
        self.count = 0

    async def __call__(self) -> JsonValue:
        self.count += 1
        await asyncio.sleep(0)
        return self.answer


def messages(events: object) -> list[str]:
    assert isinstance(events, list)
    return [envelope.event.message for envelope in events if isinstance(envelope.event, StatusEvent)]


@pytest.mark.parametrize(
    "answer", [None, 0, "", [], {"text": "清理\x00\ud800 \u2028'?%s", "n": 1.5, "big": 2**70, "deep": [{"a": None}]}]
)
async def test_an_answer_is_asked_for_once_and_comes_back_as_it_was(store: Store, answer: JsonValue) -> None:
    ask = Asked(answer)
    assert await store.journal("r1").once("k", "search", ask) == answer
    assert await store.journal("r1").once("k", "search", ask) == answer
    assert ask.count == 1


async def test_runs_and_keys_do_not_share_answers(store: Store) -> None:
    for run, key in (("r1", "a"), ("r1", "b"), ("r2", "a")):
        assert await store.journal(run).once(key, "read", Asked(f"{run} {key}")) == f"{run} {key}"


async def test_a_first_answer_has_the_types_of_a_resumed_one(store: Store) -> None:
    answer: list[JsonValue] = [1, 2]
    ask = Asked(tuple(answer))  # type: ignore[arg-type]
    assert await store.journal("r1").once("k", "plan", ask) == [1, 2]


async def test_a_call_that_fails_leaves_nothing(store: Store) -> None:
    async def fail() -> JsonValue:
        raise LookupError("no network")

    journal = store.journal("r1")
    with pytest.raises(LookupError):
        await journal.once("k", "search", fail)
    assert await journal.once("k", "search", Asked("found")) == "found"


async def test_callers_of_one_key_at_the_same_time_share_one_call(store: Store) -> None:
    ask, journal = Asked("page"), store.journal("r1")
    answers = await asyncio.gather(*(journal.once("k", "read", ask) for _ in range(8)))
    assert (answers, ask.count) == (["page"] * 8, 1)


async def test_a_cancelled_caller_hands_its_turn_on(store: Store) -> None:
    journal, started = store.journal("r1"), asyncio.Event()

    async def hang() -> JsonValue:
        started.set()
        return await asyncio.Future()

    first = asyncio.create_task(journal.once("k", "read", hang))
    await started.wait()
    second = asyncio.create_task(journal.once("k", "read", Asked("page")))
    first.cancel()
    assert await second == "page"


async def test_the_first_to_commit_wins_between_processes(peers: tuple[Store, Store]) -> None:
    one, other = (store.journal("r1") for store in peers)

    async def lose_the_race() -> JsonValue:
        await other.once("k", "search", Asked("first"))
        return "second"

    assert await one.once("k", "search", lose_the_race, events=lambda _: [("e", say("second"))]) == "first"
    assert await one.once("k", "search", Asked("third")) == "first"
    await peers[0].runs.save(make_run("r1"))
    assert await peers[0].runs.events("r1") == []


async def test_events_are_committed_with_the_answer(store: Store) -> None:
    journal = store.journal("r1")
    for _ in range(2):
        await journal.once("k", "read", Asked("x"), events=lambda answer: [("e1", say(f"read {answer}")), ("e2", say("two"))])
    assert messages(await store.runs.events("r1")) == ["read x", "two"]


async def test_an_event_is_appended_once_and_numbers_have_no_gaps(store: Store) -> None:
    journal = store.journal("r1")
    numbers = [await journal.emit(say(key), key) for key in ("a", "b", "a", "c", "b")]
    assert numbers == [1, 2, 1, 3, 2]
    assert await store.journal("r2").emit(say("a"), "a") == 1
    assert messages(await store.runs.events("r1", after=1)) == ["b", "c"]


async def test_numbers_have_no_gaps_when_many_emit_at_once(peers: tuple[Store, Store]) -> None:
    def emit(index: int) -> Awaitable[int]:
        return peers[index % 2].journal("r1").emit(say(str(index)), f"k{index % 40}")

    numbers = await asyncio.gather(*(emit(index) for index in range(120)))
    assert sorted(set(numbers)) == list(range(1, 41))
    events = await peers[0].runs.events("r1")
    assert [envelope.seq for envelope in events] == list(range(1, 41))


async def test_many_runs_and_processes_write_at_once(peers: tuple[Store, Store]) -> None:
    async def work(run: int, call: int) -> None:
        journal = peers[(run + call) % 2].journal(f"r{run}")
        await journal.once(f"k{call}", "read", Asked(call), events=lambda _: [(f"a{call}", say("a")), (f"b{call}", say("b"))])

    await asyncio.gather(*(work(run, call) for run in range(8) for call in range(12)))
    for run in range(8):
        assert [envelope.seq for envelope in await peers[0].runs.events(f"r{run}")] == list(range(1, 25))


async def test_signals_come_in_order_and_from_the_first_for_each_journal(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    sent = [await store.runs.signal("r1", "retry", todo=number) for number in (1, 2, 3)]
    for _ in range(2):
        journal = store.journal("r1")
        assert [await journal.next_signal(0) for _ in range(4)] == [*sent, None]
    assert [signal.seq for signal in sent] == [1, 2, 3]


async def test_a_signal_wakes_who_waits_for_it(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    waiting = asyncio.create_task(store.journal("r1").next_signal(None))
    assert not (await asyncio.wait([waiting], timeout=0.05))[0]
    sent = await store.runs.signal("r1", "cancel")
    assert await asyncio.wait_for(waiting, 5) == sent


async def test_a_signal_of_another_process_arrives(peers: tuple[Store, Store]) -> None:
    one, other = peers
    await one.runs.save(make_run("r1"))
    waiting = asyncio.create_task(one.journal("r1").next_signal(None))
    sent = await other.runs.signal("r1", "cancel")
    assert await asyncio.wait_for(waiting, 5) == sent


async def test_waiting_for_a_signal_ends_after_its_time(store: Store) -> None:
    assert await store.journal("r1").next_signal(0.01) is None


async def test_an_unsafe_run_has_no_journal(store: Store) -> None:
    with pytest.raises(UsageError, match="cannot be the id of a run"):
        store.journal("../r1")


async def test_what_was_handed_over_is_written_though_its_caller_is_cancelled(peers: tuple[Store, Store]) -> None:
    def cancel(_: JsonValue) -> list[tuple[str, StatusEvent]]:
        asyncio.get_running_loop().call_soon(task.cancel)  # comes after the answer went to the writer
        return []

    task = asyncio.create_task(peers[0].journal("r1").once("k", "search", Asked("paid"), events=cancel))
    with pytest.raises(asyncio.CancelledError):
        await task
    await peers[0].close()
    assert await peers[1].journal("r1").once("k", "search", Asked("asked again")) == "paid"

"""How often a run is begun, and what ends it."""

import asyncio
from collections import Counter

import pytest

from leadline.engine.attempts import Attempts
from leadline.errors import RunFailed, StoreError, UsageError


class Rig:
    """Attempts over counters in memory; nothing is waited for."""

    def __init__(self, *outcomes: Exception | None) -> None:
        self.outcomes = list(outcomes)
        self.begun = 0
        self.counts: Counter[str] = Counter()
        self.away = 0
        self.reasons: list[str] = []
        self.refusals = 0
        self.pauses: list[float] = []
        self.come = self.counted = 0

    async def perform(self, run: str) -> None:
        self.begun += 1
        outcome = self.outcomes.pop(0)
        if outcome is not None:
            raise outcome

    async def give_up(self, run: str, reason: str) -> None:
        if self.refusals:
            self.refusals -= 1
            raise StoreError("away")
        self.reasons.append(reason)

    async def progress(self, run: str) -> int:
        return self.come

    async def count(self, run: str, progress: int) -> int:
        if self.away:
            self.away -= 1
            raise StoreError("away")
        self.counts[run] = self.counts[run] + 1 if progress == self.counted else 1
        self.counted = progress
        return self.counts[run]

    async def forget(self, run: str) -> None:
        del self.counts[run]

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def carry_out(self) -> None:
        await Attempts(self.perform, self.give_up, self.progress, self.count, self.forget, pause=self.pause).carry_out("r1")


async def test_a_run_that_ends_is_begun_once() -> None:
    rig = Rig(None)
    await rig.carry_out()
    assert (rig.begun, rig.counts, rig.reasons) == (1, {}, [])


async def test_a_run_that_fails_is_begun_again_after_a_pause() -> None:
    rig = Rig(StoreError("away"), KeyError("x"), None)
    await rig.carry_out()
    assert (rig.begun, rig.counts, rig.reasons, rig.pauses) == (3, {}, [], [0.5, 1.0])


async def test_a_run_that_always_fails_is_given_up_with_its_last_reason() -> None:
    rig = Rig(*[RunFailed(f"no {n}") for n in range(9)])
    await rig.carry_out()
    assert rig.begun == 5
    assert rig.reasons == ["Run r1 was given up after 5 attempts: no 4."]
    assert rig.counts == {}


async def test_a_run_that_gets_on_is_not_given_up() -> None:
    rig = Rig(*[StoreError("away")] * 9, None)

    async def perform(run: str) -> None:
        rig.come += rig.begun % 3 == 0
        await Rig.perform(rig, run)

    await Attempts(perform, rig.give_up, rig.progress, rig.count, rig.forget, pause=rig.pause).carry_out("r1")
    assert (rig.begun, rig.reasons) == (10, [])


async def test_runs_that_crashed_together_begin_again_at_different_moments() -> None:
    rig = Rig(None)
    rig.counts["r1"] = 3
    await rig.carry_out()
    assert len(rig.pauses) == 1
    assert 0 <= rig.pauses[0] <= 8


async def test_what_the_caller_can_mend_is_not_tried_again() -> None:
    rig = Rig(UsageError("No such folder: 'x'."))
    await rig.carry_out()
    assert (rig.begun, rig.reasons, rig.pauses) == (1, ["No such folder: 'x'."], [])


async def test_the_tables_may_be_away_for_a_while() -> None:
    rig = Rig(None)
    rig.away = 3
    await rig.carry_out()
    assert rig.begun == 1


async def test_giving_up_is_repeated_until_it_is_heard() -> None:
    rig = Rig(UsageError("no"))
    rig.refusals = 2
    await rig.carry_out()
    assert rig.reasons == ["no"]


async def test_cancelling_reaches_the_run_and_waits_for_it() -> None:
    seen: list[str] = []

    async def perform(run: str) -> None:
        seen.append("begun")
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            seen.append("stopped")

    rig = Rig()
    task = asyncio.create_task(Attempts(perform, rig.give_up, rig.progress, rig.count, rig.forget).carry_out("r1"))
    while not seen:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["begun", "stopped"]
    assert rig.reasons == []
    assert rig.counts == {"r1": 1}

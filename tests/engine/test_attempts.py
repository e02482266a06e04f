"""How often a run is begun, and what ends it."""

import asyncio

import pytest

from leadline.engine.attempts import Attempts
from leadline.engine.place import no_progress
from leadline.errors import RunFailed, StoreError, UsageError


class Rig:
    """Attempts over a memory of their own; nothing is waited for."""

    def __init__(self, *outcomes: Exception | None, crashes: int = 0) -> None:
        self.outcomes = list(outcomes)
        self.crashes = crashes
        self.begun = self.away = self.refusals = 0
        self.reasons: list[str] = []
        self.pauses: list[float] = []
        self.blamed: dict[str, int] = {}

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

    async def count_crashes(self, run: str, progress: int) -> int:
        if self.away:
            self.away -= 1
            raise StoreError("away")
        return self.crashes

    async def blame(self, run: str, times: int) -> None:
        self.blamed[run] = self.blamed.get(run, 0) + times

    async def forget_crashes(self, run: str) -> None:
        self.crashes = 0

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def carry_out(self) -> None:
        await Attempts(self.perform, self.give_up, no_progress, self, pause=self.pause).carry_out("r1")


async def test_a_run_that_ends_is_begun_once() -> None:
    rig = Rig(None)
    await rig.carry_out()
    assert (rig.begun, rig.reasons, rig.pauses) == (1, [], [])


async def test_a_run_that_fails_is_begun_again_after_a_pause() -> None:
    rig = Rig(StoreError("away"), KeyError("x"), None)
    await rig.carry_out()
    assert (rig.begun, rig.reasons, rig.pauses) == (3, [], [0.5, 1.0])


async def test_a_run_that_always_fails_is_given_up_with_its_last_reason() -> None:
    rig = Rig(*[RunFailed(f"no {n}") for n in range(9)])
    await rig.carry_out()
    assert rig.begun == 5
    assert rig.reasons == ["Run r1 was given up after 5 attempts: no 4."]


async def test_crashes_count_as_attempts() -> None:
    rig = Rig(RunFailed("no"), None, crashes=2)
    await rig.carry_out()
    assert (rig.begun, rig.reasons, rig.crashes) == (2, [], 0)


async def test_a_run_whose_process_always_died_is_not_begun_any_more() -> None:
    rig = Rig(crashes=5)
    await rig.carry_out()
    assert (rig.begun, rig.pauses, rig.crashes) == (0, [], 0)
    assert rig.reasons == ["Run r1 was given up after 5 attempts: its process died each time."]


async def test_runs_that_crashed_together_begin_one_by_one_and_are_not_blamed_while_they_wait() -> None:
    rig = Rig(crashes=2)
    gate = asyncio.Event()
    begun: list[str] = []

    async def perform(run: str) -> None:
        begun.append(run)
        await gate.wait()

    attempts = Attempts(perform, rig.give_up, no_progress, rig)
    tasks = [asyncio.create_task(attempts.carry_out(run)) for run in ("r1", "r2")]
    while not begun:
        await asyncio.sleep(0)
    assert rig.blamed == {"r1": 0, "r2": -1}
    gate.set()
    await asyncio.gather(*tasks)
    assert begun == ["r1", "r2"]
    assert rig.blamed == {"r1": 0, "r2": 0}


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
    task = asyncio.create_task(Attempts(perform, rig.give_up, no_progress, rig).carry_out("r1"))
    while not seen:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["begun", "stopped"]
    assert rig.reasons == []

"""Runs that are long over."""

import datetime as dt

from leadline.clock import SystemClock
from leadline.desk import open_desk
from leadline.records import Request, Run
from leadline.retention import delete_old
from leadline.settings import load_settings
from leadline.wiring import make_run

NOW = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)


def _run(days_begun: float, days_ended: float | None) -> Run:
    run = make_run(Request(topic="dead rows"), SystemClock())
    ended = None if days_ended is None else NOW - dt.timedelta(days=days_ended)
    status = "running" if ended is None else "complete"
    return run.model_copy(update={"created": NOW - dt.timedelta(days=days_begun), "ended": ended, "status": status})


async def test_only_what_ended_long_ago_is_deleted() -> None:
    kept = [_run(40, None), _run(40, 29), _run(1, 0.5)]
    old = [_run(100 + n, 31 + n / 1000) for n in range(250)]
    async with open_desk(load_settings(), keep=False) as desk:
        for run in [*kept, *old]:
            await desk.store.runs.save(run)
        assert {run.id for run in await delete_old(desk, 30, NOW)} == {run.id for run in old}
        assert {run.id for run in await desk.store.runs.list(1000)} == {run.id for run in kept}
        assert await delete_old(desk, 30, NOW) == []

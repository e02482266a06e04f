"""Requests a minute, on a clock that is moved by hand."""

import asyncio
import datetime as dt
from contextlib import AsyncExitStack

import pytest
from bench.misbehaviour import NoAccount
from tests.search.replies import REPLIES
from tests.web import Site

from leadline.errors import SearchFailed, UsageError
from leadline.pace import Pace, find_pace
from leadline.records import Query, Request
from leadline.search.pacing import PacedSearch
from leadline.search.retrying import RetryingSearch
from leadline.settings import load_settings
from leadline.testing import Corpus
from leadline.web import choose_backends, open_search


class HandClock:
    """Stands still, and notes how long each was asked to wait."""

    def __init__(self) -> None:
        self.time = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
        self.slept: list[float] = []

    def now(self) -> dt.datetime:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


async def ask(pace: Pace, clock: HandClock, times: int) -> list[float]:
    """Ask at once, and return the waits."""
    clock.slept = []
    await asyncio.gather(*(pace.keep(clock) for _ in range(times)))
    return clock.slept


async def test_no_more_go_out_in_any_minute() -> None:
    pace, clock = Pace(2), HandClock()
    assert await ask(pace, clock, 5) == [60, 60, 120]
    clock.time += dt.timedelta(seconds=130)
    assert await ask(pace, clock, 2) == [50]
    clock.time += dt.timedelta(hours=1)
    assert await ask(pace, clock, 2) == []


async def test_a_clock_that_is_put_back_keeps_nobody_waiting() -> None:
    pace, clock = Pace(1), HandClock()
    await ask(pace, clock, 1)
    clock.time -= dt.timedelta(days=2)
    assert await ask(pace, clock, 2) == [60]


async def test_all_runs_of_a_process_share_a_providers_pace() -> None:
    clock, asked = HandClock(), Corpus({"a.md": "Dead rows."})
    for _ in range(3):
        await PacedSearch(asked, find_pace("shared", 2), clock).search(Query(text="rows", limit=1))
    assert (len(asked.queries), clock.slept) == (3, [60])


async def test_asking_again_is_a_request_too() -> None:
    failures = [SearchFailed("rate limited", "Asked too often.", wait=1, transient=True)]

    def fault(query: str) -> None:
        if failures:
            raise failures.pop()

    clock = HandClock()
    paced = PacedSearch(Corpus({"a.md": "Dead rows."}, fault), Pace(1), clock)
    assert await RetryingSearch(paced, clock, NoAccount()).search(Query(text="rows", limit=1))
    assert clock.slept == [1, 60]


async def test_the_backends_of_a_run_keep_to_what_is_set() -> None:
    async with Site(REPLIES["searxng"].routes) as site, AsyncExitStack() as stack:
        settings = load_settings({}, {"search": {"searxng": {"url": site.url(""), "per_minute": 3}}})
        request = Request(topic="dead rows", search=("searxng",))
        search, _ = open_search(choose_backends(request), settings, request, NoAccount(), stack)
        assert await search.search(Query(text="rows", limit=1))
    clock = HandClock()
    clock.time = dt.datetime.now(dt.UTC)
    (waited,) = await ask(find_pace("searxng", 3), clock, 3)
    assert 0 < waited <= 60


def test_it_is_set_for_each_backend_and_for_models() -> None:
    settings = load_settings({}, {"search": {"tavily": {"per_minute": 60}}, "model": {"per_minute": 500}})
    assert (settings.find_search("tavily").per_minute, settings.per_minute) == (60, 500)
    assert settings.find_search("brave").per_minute is None


@pytest.mark.parametrize("value", [0, -1, 1.5, "60", True])
def test_what_is_no_number_of_requests_is_refused(value: object) -> None:
    with pytest.raises(UsageError, match=r"per_minute = .* in \[model\] .* whole requests"):
        load_settings({}, {"model": {"per_minute": value}})
    with pytest.raises(UsageError, match=r"in \[search.tavily\]"):
        load_settings({}, {"search": {"tavily": {"per_minute": value}}}).find_search("tavily")

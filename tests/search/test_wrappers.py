"""What is put around backends: cutting, sifting, retrying, merging, falling back, advising."""

import asyncio
import datetime as dt
from collections.abc import Sequence

import pytest
from bench.misbehaviour import NoAccount
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import LimitReached, SearchFailed
from leadline.pipeline.allowance import Allowance, LimitedSearch
from leadline.pipeline.phrases import phrases
from leadline.records import Hit, Limits, Query
from leadline.search.advising import AdvisingSearch
from leadline.search.bounds import BoundedSearch, cut, sift
from leadline.search.falling_back import FallbackSearch, nobody_reached
from leadline.search.merging import MergedSearch, fuse
from leadline.search.retrying import RetryingSearch
from leadline.store import open_store

QUERY = Query(text="dead rows", limit=5)


class Scripted:
    """A backend that answers what it was told to, in order; the last answer is the one for all later searches."""

    def __init__(self, name: str, *answers: Sequence[str] | SearchFailed) -> None:
        self.name = name
        self.asked: list[Query] = []
        self._answers = list(answers)

    async def search(self, query: Query) -> Sequence[Hit]:
        self.asked.append(query)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, SearchFailed):
            raise answer
        return [Hit(backend=self.name, address=address) for address in answer]


class Waits:
    """A clock that notes how long it was asked to sleep."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> dt.datetime:
        return dt.datetime(2026, 11, 30, tzinfo=dt.UTC)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def _limited(wait: float | None = None) -> SearchFailed:
    return SearchFailed("rate limited", "The search was rate-limited by a.", wait=wait, transient=True)


REFUSED = SearchFailed("refused", "a refused the search.")


async def test_a_search_is_asked_again_as_told_and_says_so() -> None:
    backend = Scripted("a", _limited(2.0), _limited(3.0), ["https://e.org/"])
    async with await open_store(None) as store:
        journal, clock = store.journal("r1"), Waits()
        account = Allowance(Limits(), journal, clock, phrases("en"))
        assert len(await RetryingSearch(backend, clock, account).search(QUERY)) == 1
        said = [envelope.event.message for envelope in await store.runs.events("r1") if envelope.event.type == "status"]
    assert clock.slept == [2.0, 3.0]
    assert said[0] == "The search was rate-limited by a. It is asked again in 2 s."


async def test_searches_that_are_made_again_count_against_the_run_s_limit() -> None:
    backend = Scripted("a", _limited(2.0))
    async with await open_store(None) as store:
        account = Allowance(Limits(calls=2), store.journal("r1"), Waits(), phrases("en"))
        search = LimitedSearch(RetryingSearch(backend, Waits(), account), account)
        with pytest.raises(LimitReached):
            await search.search(QUERY)
    assert len(backend.asked) == 2


@pytest.mark.parametrize(("failure", "asked"), [(_limited(), 3), (_limited(86400.0), 1), (REFUSED, 1)])
async def test_retries_are_bounded(failure: SearchFailed, asked: int) -> None:
    backend = Scripted("a", failure)
    with pytest.raises(SearchFailed):
        await RetryingSearch(backend, Waits(), NoAccount()).search(QUERY)
    assert len(backend.asked) == asked


async def test_a_wait_can_be_cancelled() -> None:
    class Forever(Waits):
        async def sleep(self, seconds: float) -> None:
            waiting.set()
            await asyncio.Event().wait()

    waiting = asyncio.Event()
    task = asyncio.ensure_future(RetryingSearch(Scripted("a", _limited(5.0)), Forever(), NoAccount()).search(QUERY))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_merging_lists_one_document_once_and_the_best_first() -> None:
    one = Scripted("a", ["https://e.org/1", "https://e.org/2", "https://e.org/3"])
    other = Scripted("b", ["https://e.org/9", "http://www.e.org/2/?utm_source=x"])
    hits = await MergedSearch([one, other], NoAccount()).search(QUERY)
    assert [hit.address for hit in hits] == ["https://e.org/2", "https://e.org/1", "https://e.org/9", "https://e.org/3"]


async def test_merging_goes_on_without_a_backend_that_fails_and_says_so() -> None:
    account = NoAccount()
    search = MergedSearch([Scripted("a", REFUSED), Scripted("b", ["https://e.org/"])], account)
    for _ in range(2):
        assert len(await search.search(QUERY)) == 1
    assert account.remarks == ["search_without {'failure': 'a refused the search.', 'name': 'a'}"]
    with pytest.raises(SearchFailed, match=r"a refused the search\. The search was rate-limited by a\."):
        await MergedSearch([Scripted("a", REFUSED), Scripted("b", _limited())], NoAccount()).search(QUERY)


async def test_a_fallback_is_asked_after_a_failure_only() -> None:
    account = NoAccount()
    first, second = Scripted("a", _limited()), Scripted("b", ["https://e.org/"])
    search = FallbackSearch([first, second], account)
    assert [hit.backend for hit in await search.search(QUERY)] == ["b"]
    assert account.remarks == ["search_instead {'failure': 'The search was rate-limited by a.', 'name': 'b'}"]
    await search.search(QUERY)
    assert len(first.asked) == 1
    empty = Scripted("a", [])
    assert await FallbackSearch([empty, second], NoAccount()).search(QUERY) == []


async def test_when_no_backend_can_be_reached_documents_are_offered() -> None:
    away = [Scripted(n, SearchFailed("unresponsive", f"{n} could not be reached at {n}.org.")) for n in ("a", "b")]
    with pytest.raises(SearchFailed) as caught:
        await FallbackSearch(away, NoAccount()).search(QUERY)
    assert str(caught.value) == str(nobody_reached(["a", "b"]))
    assert "--in FOLDER" in str(caught.value)


async def test_a_rate_limit_ends_with_a_command() -> None:
    command = "leadline research 'How?' --search wikipedia"
    with pytest.raises(SearchFailed) as caught:
        await AdvisingSearch(Scripted("a", _limited()), command).search(QUERY)
    assert str(caught.value).endswith(command)
    with pytest.raises(SearchFailed, match=r"^a refused the search\.$"):
        await AdvisingSearch(Scripted("a", REFUSED), command).search(QUERY)


async def test_queries_are_cut_at_what_the_backend_takes() -> None:
    backend = Scripted("a", [])
    await BoundedSearch(backend, 20).search(Query(text="死元组" * 50))
    await BoundedSearch(backend, 20).search(Query(text="How does VACUUM reclaim rows?"))
    assert [query.text for query in backend.asked] == [("死元组" * 7)[:20], "How does VACUUM"]


@given(st.text(), st.integers(1, 50))
def test_a_cut_text_is_the_beginning_of_the_text(text: str, longest: int) -> None:
    short = cut(text, longest)
    assert len(short) <= longest
    assert " ".join(text.split()).startswith(short)


def test_hits_of_other_sites_and_times_are_sifted() -> None:
    found = [
        ("docs.e.org", "2024-05-01"), ("e.org.evil.com", ""), ("e.org", "2023"), ("bad.e.org", ""), ("e.org", ""),
        ("e.org", "2024"),
    ]  # fmt: skip
    hits = [Hit(backend="a", address=f"https://{host}/", date=date) for host, date in found]
    query = Query(text="x", sites=("e.org",), not_sites=("bad.e.org",), since=dt.date(2024, 2, 1), until=dt.date(2024, 12, 31))
    assert [hit.address for hit in sift(hits, query)] == ["https://docs.e.org/", "https://e.org/"]


def test_fusing_is_the_same_in_any_process() -> None:
    lists = [[Hit(backend="a", address=f"https://e.org/{n}") for n in order] for order in ((1, 2, 3), (3, 2, 1), (2, 4))]
    assert [hit.address[-1] for hit in fuse(lists)] == ["2", "1", "3", "4"]

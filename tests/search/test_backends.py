"""Every built-in backend over real HTTP, against replies in the documented shapes."""

import asyncio
import datetime as dt
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.search.conftest import KEY, Open, as_json
from tests.search.replies import REPLIES
from tests.web import Answer, Asked, Site

from leadline.errors import SearchFailed
from leadline.library import Library
from leadline.records import Query
from leadline.search.bounds import BoundedSearch
from leadline.search.items import make_hit, pick, pick_items, read_items
from leadline.search.openalex import unfold
from leadline.search.registry import find_providers, list_entries
from leadline.search.table import SHAPES
from leadline.testing import check_backend

NAMES = sorted(REPLIES)
PROVIDERS = find_providers(NAMES)
QUERY = Query(text="dead rows", limit=5, language="en")


def test_all_built_ins_have_a_reply_here() -> None:
    assert [entry.name for entry in list_entries() if entry.package == "leadline"] == NAMES


@pytest.mark.parametrize("name", NAMES)
async def test_results_become_hits_and_odd_ones_are_dropped(open_backend: Open, name: str) -> None:
    reply = REPLIES[name]
    async with Site(reply.routes) as site:
        hits = await open_backend(PROVIDERS[name], site, reply.path).search(QUERY)
        address, title, text = reply.first
        expected = site.url(address) if address.startswith("/") else address
    assert (hits[0].address, hits[0].title, hits[0].backend) == (expected, title, name)
    assert (hits[0].abstract if reply.kind == "abstract" else hits[0].snippet) == text
    assert {name: getattr(hits[0], name) for name in reply.more} == reply.more
    assert len(hits) == (2 if name == "duckduckgo" else 1)


@pytest.mark.parametrize("name", NAMES)
async def test_the_contract(open_backend: Open, name: str) -> None:
    reply = REPLIES[name]
    async with Site(reply.routes) as site:
        await check_backend(BoundedSearch(open_backend(PROVIDERS[name], site, reply.path), PROVIDERS[name].longest))


async def test_a_library_keeps_to_the_contract_too(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("VACUUM reclaims dead rows. 固态电池的量产进展。", encoding="utf-8")
    await check_backend(await Library.open([str(tmp_path / "a.md")], tmp_path / "home"))


def _each(answer: Answer, name: str) -> dict[str, Answer]:
    return dict.fromkeys(REPLIES[name].routes, answer)


FAILURES = [
    (429, "rate limited", "rate-limited"),
    (401, "refused", "refused"),
    (500, "unresponsive", "out of order"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("status", "kind", "word"), FAILURES)
async def test_failures_have_words_of_their_own(open_backend: Open, name: str, status: int, kind: str, word: str) -> None:
    if name == "searxng" and status == 401:
        kind, word = "misconfigured", "json"
    if name == "duckduckgo" and status == 401:
        kind, word = "unresponsive", "out of order"
    body = Answer(f"<html><title>{KEY}</title></html>".encode(), status)
    async with Site(_each(body, name)) as site:
        with pytest.raises(SearchFailed, match=word) as caught:
            await open_backend(PROVIDERS[name], site, REPLIES[name].path).search(QUERY)
    assert caught.value.kind == kind
    assert KEY not in f"{caught.value!r}{caught.value.__cause__!r}"
    assert "<" not in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
async def test_nobody_listens(open_backend: Open, name: str) -> None:
    async with Site() as site:
        backend = open_backend(PROVIDERS[name], site, REPLIES[name].path)
    with pytest.raises(SearchFailed, match="could not be reached") as caught:
        await backend.search(QUERY)
    assert caught.value.kind == "unresponsive"


@pytest.mark.parametrize("name", [name for name in NAMES if name != "duckduckgo"])
@pytest.mark.parametrize("body", [b"", b"<html>", b"{", b"null", b"[1]", b'{"results": 3}', b"\xff\xfe", b"[" * 5000])
async def test_nonsense_is_a_failure_or_nothing(open_backend: Open, name: str, body: bytes) -> None:
    async with Site(_each(Answer(body, headers={"Content-Type": "application/json"}), name)) as site:
        try:
            assert await open_backend(PROVIDERS[name], site, REPLIES[name].path).search(QUERY) == []
        except SearchFailed as failure:
            assert failure.kind in ("unresponsive", "misconfigured")  # noqa: PT017


@pytest.mark.parametrize("name", NAMES)
async def test_offline_asks_a_service_on_loopback(open_backend: Open, name: str) -> None:
    async with Site(REPLIES[name].routes) as site:
        assert await open_backend(PROVIDERS[name], site, REPLIES[name].path, offline=True).search(QUERY)


async def test_duckduckgo_tells_202_and_challenges_from_no_results(open_backend: Open) -> None:
    provider = PROVIDERS["duckduckgo"]
    for answer in (
        Answer(b"slow down", 202),
        Answer(b"<div class='anomaly-modal'>Unfortunately, bots use DuckDuckGo too</div>"),
    ):
        async with Site({"/": answer}) as site:
            with pytest.raises(SearchFailed) as caught:
                await open_backend(provider, site).search(QUERY)
        assert caught.value.kind == "rate limited"
    async with Site({"/": Answer(b"<html><body><div class='no-results'>No results.</div></body></html>")}) as site:
        assert await open_backend(provider, site).search(QUERY) == []


async def test_searxng_without_json_and_with_silent_engines(open_backend: Open) -> None:
    page = Answer(b"<!doctype html><title>403 Forbidden</title>", 403)
    for answer in (page, Answer(b"<!doctype html><title>searxng</title>")):
        async with Site({"/search": answer}) as site:
            with pytest.raises(SearchFailed, match=r"add `json` to `search\.formats`") as caught:
                await open_backend(PROVIDERS["searxng"], site).search(QUERY)
        assert caught.value.kind == "misconfigured"
        assert str(caught.value).count(".") <= str(caught.value).count("127.0.0.1") * 3 + 3
    silent = as_json({"results": [], "unresponsive_engines": [["bing", "timeout"], "odd", None]})
    async with Site({"/search": silent}) as site:
        with pytest.raises(SearchFailed, match=r"did not answer \(bing: timeout") as caught:
            await open_backend(PROVIDERS["searxng"], site).search(QUERY)
    assert caught.value.kind == "unresponsive"


async def test_wikipedia_asks_in_the_language_of_the_question_first(open_backend: Open) -> None:
    empty = as_json({"query": {"search": []}})
    async with Site({"/zh": empty, "/en": as_json({"query": {"search": [{"title": "Rows"}]}})}) as site:
        hits = await open_backend(PROVIDERS["wikipedia"], site, "/{language}").search(Query(text="死元组", language="zh-Hant"))
    assert [urlsplit(target).path for target in site.targets] == ["/zh", "/en"]
    assert [hit.title for hit in hits] == ["Rows"]


REGIONS = [
    ("brave", {"country": "CN", "search_lang": "zh-hans"}),
    ("serper", {"gl": "cn", "hl": "zh-cn"}),
    ("jina", {"gl": "CN", "hl": "zh"}),
    ("perplexity", {"country": "CN"}),
]


@pytest.mark.parametrize(("name", "told"), REGIONS)
async def test_region_and_language_follow_the_question(open_backend: Open, name: str, told: dict[str, str]) -> None:
    async with Site(REPLIES[name].routes) as site:
        await open_backend(PROVIDERS[name], site).search(Query(text="死元组", language="zh"))
    assert told.items() <= _read(site.asked[0]).items()


async def test_duckduckgo_is_told_the_region(open_backend: Open) -> None:
    async with Site(REPLIES["duckduckgo"].routes) as site:
        await open_backend(PROVIDERS["duckduckgo"], site).search(Query(text="死元组", language="zh"))
    assert parse_qs(site.asked[0].body.decode())["l"] == ["cn-zh"]


def _read(asked: Asked) -> dict[str, object]:
    if asked.body:
        return dict(json.loads(asked.body))
    return {name: values[0] for name, values in parse_qs(urlsplit(asked.target).query).items()}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
async def test_keys_travel_in_headers_only(open_backend: Open, shape: object) -> None:
    name = shape.name  # type: ignore[attr-defined]
    async with Site(REPLIES[name].routes) as site:
        query = Query(text="rows", sites=("a.org",), not_sites=("b.org",), since=dt.date(2024, 1, 2), until=dt.date(2024, 3, 4))
        await open_backend(PROVIDERS[name], site).search(query)
    (asked,) = site.asked
    assert KEY in str(asked.headers)
    assert KEY not in asked.target + asked.body.decode()
    said = asked.target + asked.body.decode()
    assert "a.org" in said
    assert "2024" in said or name in ("jina",)


async def test_a_day_s_wait_is_told(open_backend: Open) -> None:
    async with Site({"/": Answer(status=429, headers={"Retry-After": "86400"})}) as site:
        with pytest.raises(SearchFailed, match="24 hours") as caught:
            await open_backend(PROVIDERS["tavily"], site).search(QUERY)
    assert caught.value.wait == 86400


async def test_a_cancelled_search_ends_at_once(open_backend: Open) -> None:
    async def silence(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    async with Site({"/": silence}) as site:
        task = asyncio.create_task(_search(open_backend, site))
        while not site.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def _search(open_backend: Open, site: Site) -> None:
    await open_backend(PROVIDERS["tavily"], site).search(QUERY)


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["https://e.org/a", "http://[", "http://x:y/"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["url", "title", "results", "content", "date"]), inner)
    ),
    max_leaves=20,
)


@given(_JSON)
def test_any_json_gives_hits_or_none(value: object) -> None:
    shape = SHAPES[0]
    hits = read_items("x", pick_items(value, "results"), shape.fields)  # type: ignore[arg-type]
    assert all(hit.address.startswith("http") for hit in hits)
    pick(value, "results", 0, "url")  # type: ignore[arg-type]
    unfold(value)  # type: ignore[arg-type]


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_texts_give_a_hit_or_none(address: str, text: str) -> None:
    hit = make_hit("x", address, title=text, snippet=text, abstract=text, date=text, document=text, authors=(text,))
    assert hit is None or hit.address
    made = make_hit("x", "https://e.org/", title=text, snippet=text, abstract=text, date=text, document=text, authors=(text,))
    assert made is not None
    assert made.model_dump_json()

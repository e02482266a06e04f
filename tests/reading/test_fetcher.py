"""Fetching over real HTTP: limits, robots.txt, redirects, types."""

import asyncio
import gzip
import time

import pytest
from tests.reading.conftest import Make
from tests.web import Answer, Asked, Site, page, redirect, zipped

from leadline.errors import FetchFailed
from leadline.reading.fetcher import Fetched, Validators

HTML = {"Content-Type": "text/html"}


async def _fail(make_fetcher: Make, site: Site, target: str = "/", **limits: float) -> FetchFailed:
    with pytest.raises(FetchFailed) as caught:
        await make_fetcher(site, **limits).fetch(site.url(target))
    return caught.value


async def _endless(asked: Asked, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"4000\r\n" + b"a" * 0x4000 + b"\r\n")
        await writer.drain()


async def _trickle(asked: Asked, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n")
    while True:
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(0.05)


async def _silence(asked: Asked, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def test_an_endless_body_ends_at_the_limit(make_fetcher: Make) -> None:
    async with Site({"/": _endless}) as site:
        failure = await _fail(make_fetcher, site)
    assert (failure.kind, str(failure)) == ("too large", "it is larger than 5 MB")


async def test_a_bomb_is_counted_after_decompression(make_fetcher: Make) -> None:
    async with Site({"/": zipped(b"a" * 200_000_000)}) as site:
        assert (await _fail(make_fetcher, site)).kind == "too large"


@pytest.mark.parametrize("talk", [_trickle, _silence])
async def test_one_deadline_over_all_of_a_page(make_fetcher: Make, talk: object) -> None:
    async with Site({"/": talk}) as site:  # type: ignore[dict-item]
        began = time.monotonic()
        failure = await _fail(make_fetcher, site, seconds=0.4)
    assert failure.kind == "timed out"
    assert time.monotonic() - began < 3


async def test_a_silent_robots_txt_counts_against_the_page(make_fetcher: Make) -> None:
    async with Site({"/": page("Hello"), "/robots.txt": _silence}) as site:
        assert (await _fail(make_fetcher, site, seconds=0.3)).kind == "timed out"


async def test_a_ring_of_redirects_ends(make_fetcher: Make) -> None:
    async with Site({f"/{n}": redirect(f"/{(n + 1) % 30}") for n in range(30)}) as site:
        failure = await _fail(make_fetcher, site, "/0", redirects=8)
    assert failure.kind == "too many redirects"
    assert len([target for target in site.targets if target != "/robots.txt"]) == 9


async def test_redirects_and_meta_refresh_lead_to_the_page(make_fetcher: Make) -> None:
    refresh = Answer(b'<meta http-equiv=refresh content="0;url=/end">')
    async with Site({"/": redirect("next"), "/next": refresh, "/end": page("End", "Here.")}) as site:
        fetched = await make_fetcher(site).fetch(site.url("/#part"))
    assert fetched.url == site.url("/end")
    assert site.targets.count("/robots.txt") == 1


@pytest.mark.parametrize(
    "content_type", ["image/png", "application/zip", "video/mp4", "audio/mpeg", "font/woff2", "Application/GZIP; x=1"]
)
async def test_media_and_archives_are_refused_before_they_are_downloaded(make_fetcher: Make, content_type: str) -> None:
    async def headers_only(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: 99999999\r\n\r\n".encode())
        await writer.drain()
        await asyncio.sleep(60)

    async with Site({"/x": headers_only}) as site:
        assert (await _fail(make_fetcher, site, "/x", seconds=5)).kind == "type not read"


@pytest.mark.parametrize(
    "start", [b"\x89PNG\r\n", b"PK\x03\x04junk", b"\x1f\x8b\x08", b"GIF89a", b"\x00\x00\x00\x18ftypmp42", b"\x7fELF"]
)
async def test_media_are_known_by_their_bytes_too(make_fetcher: Make, start: bytes) -> None:
    async with Site({"/x": Answer(start + b"x" * 9000, headers={"Content-Type": "application/octet-stream"})}) as site:
        assert (await _fail(make_fetcher, site, "/x")).kind == "type not read"


@pytest.mark.parametrize(
    ("status", "kind"), [(404, "not found"), (410, "not found"), (401, "refused"), (403, "refused"), (500, "refused")]
)
async def test_a_status_says_why(make_fetcher: Make, status: int, kind: str) -> None:
    async with Site({"/x": Answer(status=status)}) as site:
        assert (await _fail(make_fetcher, site, "/x")).kind == kind


async def test_challenges_are_blocks(make_fetcher: Make) -> None:
    challenge = Answer(b"Just a moment", status=403, headers={"cf-mitigated": "challenge"})
    async with Site({"/a": challenge, "/b": redirect("/sorry/index?continue=x"), "/sorry/index": page("Sorry")}) as site:
        assert (await _fail(make_fetcher, site, "/a")).kind == "blocked"
        assert (await _fail(make_fetcher, site, "/b")).kind == "blocked"


async def test_robots_txt_is_kept_to_and_asked_for_once(make_fetcher: Make) -> None:
    rules = Answer(b"User-agent: *\nDisallow: /private\n\nUser-agent: leadline\nDisallow: /no*.html$\n")
    async with Site({"/robots.txt": rules, "/private": page("a"), "/b": page("b"), "/no1.html": page("c")}) as site:
        fetcher = make_fetcher(site)
        await asyncio.gather(fetcher.fetch(site.url("/private")), fetcher.fetch(site.url("/b")))
        with pytest.raises(FetchFailed, match=r"robots\.txt does not allow"):
            await fetcher.fetch(site.url("/no1.html"))
    assert site.targets.count("/robots.txt") == 1
    assert "/no1.html" not in site.targets


@pytest.mark.parametrize(("status", "read"), [(404, True), (403, True), (503, False)])
async def test_a_missing_robots_txt_allows_and_a_broken_server_does_not(make_fetcher: Make, status: int, read: bool) -> None:
    async with Site({"/robots.txt": Answer(status=status), "/a": page("a")}) as site:
        if read:
            assert (await make_fetcher(site).fetch(site.url("/a"))).body
        else:
            assert (await _fail(make_fetcher, site, "/a")).kind == "not allowed by robots.txt"


async def test_the_user_agent_is_honest(make_fetcher: Make) -> None:
    async with Site({"/a": page("a")}) as site:
        await make_fetcher(site).fetch(site.url("/a"))
    assert all(asked.headers["user-agent"].startswith("leadline/") for asked in site.asked)


async def test_no_cookie_is_sent_back(make_fetcher: Make) -> None:
    async with Site({"/a": Answer(b"a", headers={"Set-Cookie": "id=1; Path=/"})}) as site:
        fetcher = make_fetcher(site)
        for _ in range(2):
            await fetcher.fetch(site.url("/a"))
    assert all("cookie" not in asked.headers for asked in site.asked)


async def test_all_pages_come_of_a_site_that_answers_a_third_request_with_nothing(make_fetcher: Make) -> None:
    busy = 0

    async def serve(asked: Asked, writer: asyncio.StreamWriter) -> None:
        nonlocal busy
        busy += 1
        await asyncio.sleep(0.02)
        body = b"" if busy > 2 else b"<p>It is all here.</p>"
        busy -= 1
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
            + f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )

    async with Site({f"/{n}": serve for n in range(8)}) as site:
        fetcher = make_fetcher(site)
        pages = await asyncio.gather(*(fetcher.fetch(site.url(f"/{n}")) for n in range(8)))
    assert all(page.body for page in pages)


async def test_waiting_for_other_pages_of_a_host_is_not_the_page_s_own_time(make_fetcher: Make) -> None:
    async def slow(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.15)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")

    async with Site({f"/{n}": slow for n in range(16)}) as site:
        fetcher = make_fetcher(site, seconds=1.0)
        pages = await asyncio.gather(*(fetcher.fetch(site.url(f"/{n}")) for n in range(16)))
    assert all(page.body == b"ok" for page in pages)


async def test_an_etag_that_no_header_can_hold_is_not_sent(make_fetcher: Make) -> None:
    async with Site({"/a": page("a")}) as site:
        known = Validators(site.url("/a"), etag='"é"')
        assert (await make_fetcher(site).fetch(site.url("/a"), known)).body
    assert "if-none-match" not in site.asked[-1].headers


async def test_a_host_that_stays_empty_or_busy_is_given_up_after_the_second_try(make_fetcher: Make) -> None:
    async with Site({"/a": Answer(), "/b": Answer(status=429)}) as site:
        assert "empty page" in str(await _fail(make_fetcher, site, "/a"))
        assert "HTTP 429" in str(await _fail(make_fetcher, site, "/b"))
    assert site.targets.count("/a") == site.targets.count("/b") == 2


async def test_a_page_that_is_given_up_while_it_waits_leaves_its_turn_to_others(make_fetcher: Make) -> None:
    begun, go = asyncio.Event(), asyncio.Event()

    async def hold(asked: Asked, writer: asyncio.StreamWriter) -> None:
        begun.set()
        await go.wait()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")

    async with Site({"/a": hold, "/b": page("b"), "/c": page("c")}) as site:
        fetcher = make_fetcher(site, per_host=1)
        tasks = [asyncio.create_task(fetcher.fetch(site.url(target))) for target in ("/a", "/b", "/c")]
        await begun.wait()
        tasks[1].cancel()
        go.set()
        first, given_up, last = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(first, Fetched)
    assert isinstance(given_up, asyncio.CancelledError)
    assert isinstance(last, Fetched)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "raw deflate"])
async def test_compressed_pages_are_read(make_fetcher: Make, encoding: str) -> None:
    import zlib

    text = b"<p>It is all here.</p>" * 100
    raw = zlib.compressobj(wbits=-15)
    body = {"gzip": gzip.compress(text), "deflate": zlib.compress(text), "raw deflate": raw.compress(text) + raw.flush()}[
        encoding
    ]
    async with Site({"/a": Answer(body, headers={**HTML, "Content-Encoding": encoding.split()[-1]})}) as site:
        assert (await make_fetcher(site).fetch(site.url("/a"))).body == text


async def test_a_damaged_or_unknown_encoding_is_unreadable(make_fetcher: Make) -> None:
    bad = Answer(b"nonsense", headers={**HTML, "Content-Encoding": "gzip"})
    async with Site({"/a": bad, "/b": Answer(b"x", headers={**HTML, "Content-Encoding": "br"})}) as site:
        assert (await _fail(make_fetcher, site, "/a")).kind == "unreadable"
        assert (await _fail(make_fetcher, site, "/b")).kind == "unreadable"


async def test_nobody_listens(make_fetcher: Make) -> None:
    async with Site() as site:
        url = site.url()
        fetcher = make_fetcher(site)
    with pytest.raises(FetchFailed, match="could not be reached"):
        await fetcher.fetch(url)

import asyncio

import pytest

from leadline.errors import FetchFailed
from leadline.reading.extraction import extract, find_way_on

PAGE = b"<html><title>Dead rows</title><body><main><p>VACUUM reclaims the space of dead rows.</p></main></body></html>"
URL = "https://example.org/a"


async def test_runs_that_read_the_same_page_share_what_it_says() -> None:
    first, second = await asyncio.gather(extract(PAGE, URL, "text/html"), extract(bytes(bytearray(PAGE)), URL, "text/html"))
    assert first is second
    assert (await extract(PAGE, "https://example.org/b", "text/html")).text == first.text
    assert "new" in (await extract(PAGE.replace(b"dead", b"new"), URL, "text/html")).text


async def test_who_stops_waiting_takes_the_answer_from_nobody() -> None:
    page = PAGE.replace(b"VACUUM", b"ANALYZE")
    one, other = asyncio.create_task(extract(page, URL, "")), asyncio.create_task(extract(page, URL, ""))
    await asyncio.sleep(0)
    one.cancel()
    assert "ANALYZE" in (await other).text


async def test_a_page_that_cannot_be_read_fails_each_time() -> None:
    for _ in range(2):
        with pytest.raises(FetchFailed, match="no readable text"):
            await extract(b"<html><body></body></html>", URL, "text/html")


async def test_what_the_server_says_of_a_page_counts_beside_its_bytes() -> None:
    assert await find_way_on(PAGE, URL, {"date": "now"}) is None
    with pytest.raises(FetchFailed, match="robot"):
        await find_way_on(PAGE, URL, {"cf-mitigated": "challenge"})

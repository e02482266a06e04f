"""One reader of a run's events for all who look on."""

import asyncio
from collections.abc import AsyncIterator

from leadline.errors import StoreError
from leadline.events import DoneEvent, Envelope, StatusEvent
from leadline.server.feeds import Feeds, frame


class Source:
    """Events that come when they are told to, and a count of their readers."""

    def __init__(self) -> None:
        self.readers = 0
        self.fault: StoreError | None = None
        self._told: asyncio.Queue[Envelope | None] = asyncio.Queue()
        self._next = 1

    def tell(self, message: str) -> None:
        self._told.put_nowait(Envelope(run="r", seq=self._next, event=StatusEvent(message=message)))
        self._next += 1

    def end(self) -> None:
        self._told.put_nowait(Envelope(run="r", seq=self._next, event=DoneEvent(status="complete")))
        self._told.put_nowait(None)

    async def watch(self, run: str) -> AsyncIterator[Envelope]:
        self.readers += 1
        if self.fault:
            raise self.fault
        while (envelope := await self._told.get()) is not None:
            yield envelope


async def collect(feeds: Feeds, after: int = 0, running: bool = True) -> bytes:
    return b"".join([chunk async for chunk in feeds.follow("r", after, running)])


async def test_many_viewers_share_one_reader_and_miss_nothing() -> None:
    source = Source()
    feeds = Feeds(source.watch)
    early = [asyncio.create_task(collect(feeds)) for _ in range(50)]
    await asyncio.sleep(0)
    source.tell("one")
    source.tell("two")
    await asyncio.sleep(0.01)
    late = [asyncio.create_task(collect(feeds, after=after)) for after in range(3)]
    source.tell("three")
    source.end()
    whole = await early[0]
    assert whole.count(b"\n\n") == 4
    assert {await task for task in early} == {whole}
    assert [(await task).count(b"\n\n") for task in late] == [4, 3, 2]
    assert source.readers == 1


async def test_the_reader_leaves_with_the_last_viewer() -> None:
    source = Source()
    feeds = Feeds(source.watch)
    viewers = [asyncio.create_task(collect(feeds)) for _ in range(2)]
    await asyncio.sleep(0.01)
    for viewer in viewers:
        viewer.cancel()
    await asyncio.gather(*viewers, return_exceptions=True)
    again = asyncio.create_task(collect(feeds))
    await asyncio.sleep(0.01)
    source.end()
    assert b"done" in await again
    assert source.readers == 2


async def test_silence_is_filled_with_comments() -> None:
    source = Source()
    feeds = Feeds(source.watch, ping=0.01)
    chunks = feeds.follow("r", 0, True)
    assert await anext(chunks) == b": ping\n\n"
    source.end()
    assert [chunk async for chunk in chunks][-1].startswith(b"id: 1\n")


async def test_a_store_that_fails_ends_the_stream_and_the_next_one_begins_anew() -> None:
    source = Source()
    feeds = Feeds(source.watch)
    source.fault = StoreError("away")
    assert await collect(feeds) == b""
    source.fault = None
    source.end()
    assert b"done" in await collect(feeds, running=False)


async def test_what_a_run_says_stays_in_its_frame() -> None:
    told = StatusEvent(message="first\n\nid: 99\ndata: {}\r\u2028\u0085end")
    lines = frame(Envelope(run="r", seq=3, event=told)).decode().removesuffix("\n\n").split("\n")
    assert [line.partition(": ")[0] for line in lines] == ["id", "data"]
    assert StatusEvent.model_validate_json(lines[1].removeprefix("data: ")) == told

"""The events of runs for those who look on: one reader of the store per run, however many look."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from leadline.clock import happens
from leadline.errors import LeadlineError
from leadline.events import Envelope

PING = 15.0
"""Seconds of silence after which a comment is sent: proxies close what is silent for longer (nginx: 60 s)."""

_PING = b": ping\n\n"

Watch = Callable[[str], AsyncIterator[Envelope]]
"""Yields the events of a run from the first on, and ends when the run has."""


def frame(envelope: Envelope) -> bytes:
    """Return an event as Server-Sent Events has it: its number as id, its payload as data.

    https://html.spec.whatwg.org/multipage/server-sent-events.html
    """
    return f"id: {envelope.seq}\ndata: {envelope.event.model_dump_json()}\n\n".encode()


@dataclass(slots=True)
class Feed:
    """The events of a run so far, as bytes; the one with the number `n` stands at `n - 1`."""

    frames: list[bytes] = field(default_factory=list)
    viewers: int = 0
    ended: bool = False
    broken: bool = False
    more: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is something new, and then replaced."""

    async def read(self, events: AsyncIterator[Envelope]) -> None:
        """Take the events in, until there are no more. A store that fails ends the feed: who looks on comes back."""
        try:
            async for envelope in events:
                self.frames.append(frame(envelope))
                self._ring()
        except LeadlineError:
            self.broken = True
        finally:
            self.ended = True
            self._ring()

    def _ring(self) -> None:
        rung, self.more = self.more, asyncio.Event()
        rung.set()

    async def follow(self, after: int, ping: float) -> AsyncIterator[bytes]:
        """Yield what follows the event number `after`, as much at once as there is, and comments when there is nothing."""
        place = after
        while True:
            more = self.more
            if place < len(self.frames):
                chunk = b"".join(self.frames[place:])
                place = len(self.frames)
                yield chunk
            elif self.ended:
                return
            elif not await happens(more, ping):
                yield _PING


class Feeds:
    """The feeds of all runs that somebody looks at.

    Args:
        watch: reads the events of a run.
        ping: seconds of silence before a comment.
    """

    def __init__(self, watch: Watch, ping: float = PING) -> None:
        self._watch = watch
        self._ping = ping
        self._feeds: dict[str, Feed] = {}
        self._readers: dict[str, asyncio.Task[None]] = {}

    async def follow(self, run: str, after: int, running: bool) -> AsyncIterator[bytes]:
        """Yield the events of a run above `after` as they come, each once and in order, until the run has ended.

        Args:
            run: its id.
            after: number of the last event that is old news.
            running: whether it has not ended, as far as the caller knows.
        """
        feed = self._find(run, running)
        feed.viewers += 1
        try:
            async for chunk in feed.follow(after, self._ping):
                yield chunk
        finally:
            feed.viewers -= 1
            if not feed.viewers and self._feeds.get(run) is feed:
                del self._feeds[run]
                self._readers.pop(run).cancel()

    def _find(self, run: str, running: bool) -> Feed:
        """Return the feed of a run; a new one if there is none, or if the run has been gone on with since that one ended."""
        feed = self._feeds.get(run)
        if feed is None or feed.broken or (feed.ended and running):
            feed = self._feeds[run] = Feed()
            self._readers[run] = asyncio.create_task(feed.read(self._watch(run)))
        return feed

    def close(self) -> None:
        """End all feeds: who looks on comes back when there is a server again."""
        for reader in self._readers.values():
            reader.cancel()

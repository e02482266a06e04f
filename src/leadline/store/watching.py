"""Following a run's events as they arrive."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from leadline.events import Envelope
from leadline.store.bells import Bells


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a run stands: its last sequence number, whether that is a `done` event, and whether the run has ended."""

    seq: int
    done: bool
    ended: bool


class Followed(Protocol):
    """Runs whose events can be followed."""

    async def events(self, run: str, after: int = 0) -> Sequence[Envelope]:
        """Return the events above a sequence number, in order."""
        ...

    async def tail(self, run: str) -> Tail:
        """Return where the run stands. Raises NotFound."""
        ...


async def follow(runs: Followed, bells: Bells, run: str, after: int) -> AsyncIterator[Envelope]:
    """Yield every event above `after` once, in order, until the run has ended and its last event is a `done` event.

    Raises:
        NotFound: no such run, or it was deleted meanwhile.
    """
    with bells.hear("events", run, after) as ear:
        while True:
            ear.hush()
            for envelope in await runs.events(run, ear.seen):
                ear.seen = envelope.seq
                yield envelope
            tail = await runs.tail(run)
            if tail.seq > ear.seen:
                continue
            if tail.done and tail.ended:
                return
            await ear.wait(bells.poll if tail.done else None)  # the run's row ends after its last event, which rings nobody

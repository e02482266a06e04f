"""The journal of a run, over whatever ledger keeps its rows."""

import asyncio
import datetime as dt
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakValueDictionary

from pydantic import JsonValue

from leadline.events import Event
from leadline.records import Signal
from leadline.store.bells import Bells
from leadline.store.rows import check_name, from_json, stamp, to_json

KeyedEvent = tuple[str, Event]


@dataclass(frozen=True, slots=True)
class Entry:
    """A call that has ended. `value` is its answer as JSON, `created` when it ended, `seconds` how long it took."""

    key: str
    kind: str
    value: str
    created: str
    seconds: float


class Ledger(Protocol):
    """The rows of one run."""

    async def find(self, key: str) -> str | None:
        """Return the answer recorded under a key, as JSON."""
        ...

    async def end(self, entry: Entry, events: Sequence[KeyedEvent]) -> str:
        """Record an entry and append its events at once; return the answer that was recorded first under its key."""
        ...

    async def append(self, key: str, event: Event) -> int:
        """Append an event unless its key is there already, and return its sequence number."""
        ...

    async def next_signal(self, after: int) -> Signal | None:
        """Return the signal that follows a sequence number."""
        ...


class Journal:
    """The memory of one run: see `leadline.ports.Journal`."""

    def __init__(self, run: str, ledger: Ledger, bells: Bells) -> None:
        check_name("run", run)
        self._run = run
        self._ledger = ledger
        self._bells = bells
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._heard = 0

    async def once(
        self,
        key: str,
        kind: str,
        call: Callable[[], Awaitable[JsonValue]],
        events: Callable[[JsonValue], Sequence[KeyedEvent]] | None = None,
    ) -> JsonValue:
        """Return what `call` gave under this key, calling it only if no earlier call under the key has ended.

        Callers of this object that ask for the same key at the same time wait for one call. Of two processes the first that
        commits wins, and both return its answer. An answer comes from its JSON: a first run sees what a resumed one sees.

        Args:
            key: identity of the request within the run.
            kind: what sort of call this is.
            call: makes the answer, as JSON. If it raises, nothing is recorded.
            events: makes `(key, event)` pairs from the answer, appended in the transaction that records it.

        Raises:
            StoreError: the answer could not be recorded or read.
        """
        turn = self._turns.setdefault(key, asyncio.Lock())
        async with turn:
            found = await self._ledger.find(key)
            if found is None:
                found = await self._call(key, kind, call, events)
        return from_json(found, f"call {key} of run {self._run}")

    async def _call(
        self,
        key: str,
        kind: str,
        call: Callable[[], Awaitable[JsonValue]],
        events: Callable[[JsonValue], Sequence[KeyedEvent]] | None,
    ) -> str:
        start = time.monotonic()
        answer = await call()
        entry = Entry(key, kind, to_json(answer), stamp(dt.datetime.now(dt.UTC)), round(time.monotonic() - start, 6))
        value = await self._ledger.end(entry, events(answer) if events else ())
        self._bells.ring("events", self._run)
        return value

    async def emit(self, event: Event, key: str) -> int:
        """Append an event and return its sequence number; an event whose key was emitted before is not appended again."""
        seq = await self._ledger.append(key, event)
        self._bells.ring("events", self._run)
        return seq

    async def next_signal(self, timeout: float | None) -> Signal | None:
        """Wait up to `timeout` seconds (None: for ever) for the next signal in order; None when none came.

        A new journal starts at the first signal of its run.
        """
        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        with self._bells.hear("signals", self._run, self._heard) as ear:
            while True:
                ear.hush()
                if signal := await self._ledger.next_signal(self._heard):
                    self._heard = signal.seq
                    return signal
                if not await ear.wait(None if end is None else end - loop.time()):
                    return None

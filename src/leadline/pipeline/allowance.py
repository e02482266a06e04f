"""What a run may use: reserved before each call, kept over restarts, enforced by wrapping the seams that cost something."""

import datetime as dt
from collections.abc import Sequence

from pydantic import TypeAdapter

from leadline.errors import LimitReached
from leadline.pipeline.phrases import Phrases
from leadline.pipeline.recall import recall, remember
from leadline.ports import Clock, Journal, SearchBackend
from leadline.records import Hit, Limits, Query

_NUMBER: TypeAdapter[int] = TypeAdapter(int)
_TIME: TypeAdapter[dt.datetime] = TypeAdapter(dt.datetime)


class Allowance:
    """Counts the calls of a run in its journal, so that a crash forgets none: one that was begun counts, ended or not."""

    def __init__(self, limits: Limits, journal: Journal, clock: Clock, words: Phrases) -> None:
        self._limits = limits
        self._journal = journal
        self._clock = clock
        self._words = words
        self._used = 0
        self.reached = ""
        """The limit that was reached, in words for the report."""

    async def open(self) -> None:
        """Take up the count where the run's last life left it."""
        if self._limits.calls is not None:
            while await remember(self._journal, self._name(self._used + 1), "reserve", _NUMBER) is not None:
                self._used += 1

    async def reserve(self) -> None:
        """Count one more call, before it is made.

        Raises:
            LimitReached: there is none left.
        """
        if self._limits.calls is None:
            return
        if self._used >= self._limits.calls:
            self.reached = self._words.say("limit_calls", count=self._limits.calls)
            raise LimitReached(self.reached)
        self._used += 1
        number = self._used

        async def give() -> int:
            return number

        await recall(self._journal, self._name(number), "reserve", _NUMBER, give)

    async def find_rest(self) -> float | None:
        """Return the seconds that are left, at least 0; None when there is no limit."""
        if self._limits.seconds is None:
            return None

        async def now() -> dt.datetime:
            return self._clock.now()

        began = await recall(self._journal, "began", "reserve", _TIME, now)
        return max(0.0, self._limits.seconds - (self._clock.now() - began).total_seconds())

    def expire(self) -> None:
        """Note that the time was up."""
        self.reached = self._words.say("limit_seconds", count=f"{self._limits.seconds or 0:g}")

    def _name(self, number: int) -> str:
        return f"call:{number}"


class LimitedSearch:
    """A search backend whose calls are counted against an allowance."""

    def __init__(self, search: SearchBackend, allowance: Allowance) -> None:
        self._search = search
        self._allowance = allowance
        self.name = search.name

    async def search(self, query: Query) -> Sequence[Hit]:
        """As the backend within. Raises LimitReached when no call is left."""
        await self._allowance.reserve()
        return await self._search.search(query)

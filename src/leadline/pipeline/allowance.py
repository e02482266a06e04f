"""What a run may use: reserved before each call, kept over restarts, enforced by wrapping the seams that cost something."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Sequence
from typing import NoReturn, TypeVar

from pydantic import TypeAdapter

from leadline.errors import LimitReached
from leadline.events import StatusEvent, UsageEvent
from leadline.models import Spend, Stage
from leadline.pipeline.phrases import Phrases
from leadline.pipeline.recall import recall, remember
from leadline.ports import Clock, Journal, SearchBackend
from leadline.records import Hit, Limits, Query, Usage

T = TypeVar("T")

_CALL: TypeAdapter[Spend | int] = TypeAdapter(Spend | int)
"""A call that was begun: a search by its number, one of a model by the most that it may use."""

_SPEND: TypeAdapter[Spend] = TypeAdapter(Spend)
_REMARK: TypeAdapter[str] = TypeAdapter(str)
_TIME: TypeAdapter[dt.datetime] = TypeAdapter(dt.datetime)


class Allowance:
    """Counts what a run uses in its journal, so that a crash forgets nothing: a call that was begun counts, ended or not.

    It is the account that models are asked on (`ports.Account`).
    """

    def __init__(self, limits: Limits, journal: Journal, clock: Clock, words: Phrases) -> None:
        self._limits = limits
        self._journal = journal
        self._clock = clock
        self._words = words
        self._used = 0
        self._reserved: dict[int, Spend] = {}
        self._spent: dict[int, Spend] = {}
        self._opened = False
        self.remarks: dict[str, None] = {}
        """What the report has to say about the run, in order."""

        self.reached = ""
        """The limit that was reached, in words for the report."""

    async def open(self) -> None:
        """Take up the count where the run's last life left it."""
        while (
            not self._opened
            and (call := await remember(self._journal, self._name(self._used + 1), "reserve", _CALL)) is not None
        ):
            self._used += 1
            if isinstance(call, Spend):
                self._spent[self._used] = await remember(self._journal, f"spent:{self._used}", "settle", _SPEND) or call
        while (remark := await remember(self._journal, f"remark:{len(self.remarks) + 1}", "remark", _REMARK)) is not None:
            self.remarks[remark] = None
        self._opened = True

    async def count_search(self) -> None:
        """Count one more search, before it is made.

        Raises:
            LimitReached: there is none left.
        """
        if self._limits.calls is not None:
            self._check_calls()
            await self._begin(self._used + 1)

    async def reserve(self, estimate: Spend) -> int:
        """Count one more call of a model, before it is made, and return its number.

        Raises:
            LimitReached: what calls have used or may still use has come to a limit.
        """
        self._check_calls()
        used = _sum_up([*self._spent.values(), *self._reserved.values()])
        if self._limits.tokens is not None and used.prompt_tokens + used.completion_tokens >= self._limits.tokens:
            self._stop("limit_tokens", f"{self._limits.tokens:,}")
        if self._limits.cost is not None and (used.cost or 0.0) >= self._limits.cost:
            self._stop("limit_cost", f"{self._limits.cost:g}")
        number = self._used + 1
        self._reserved[number] = estimate
        await self._begin(estimate)
        return number

    def _check_calls(self) -> None:
        if self._limits.calls is not None and self._used >= self._limits.calls:
            self._stop("limit_calls", str(self._limits.calls))

    def _stop(self, key: str, limit: str) -> NoReturn:
        self.reached = self._words.say(key, count=limit)
        raise LimitReached(self.reached)

    async def _begin(self, call: Spend | int) -> None:
        """Take the next number and write it down; taking it does not wait, so that no two calls get the same."""
        self._used += 1
        await self._write(self._name(self._used), "reserve", _CALL, call)

    async def _write(self, key: str, kind: str, form: TypeAdapter[T], value: T) -> None:
        async def give() -> T:
            return value

        await recall(self._journal, key, kind, form, give)

    async def settle(self, number: int, spend: Spend) -> None:
        """Put what the call has really used in the place of its estimate."""
        del self._reserved[number]
        self._spent[number] = spend
        await self._write(f"spent:{number}", "settle", _SPEND, spend)
        await self._journal.emit(UsageEvent(usage=self.usage), f"usage:call:{number}")

    async def say(self, key: str, **values: str) -> None:
        """Tell those who follow the run what is being done."""
        await self._tell(self._words.say(key, **values))

    async def remark(self, key: str, **values: str) -> None:
        """Tell the readers of the report what went otherwise than it should; each remark once."""
        remark = self._words.say(key, **values)
        if remark not in self.remarks:
            self.remarks[remark] = None
            await self._write(f"remark:{len(self.remarks)}", "remark", _REMARK, remark)
            await self._tell(remark)

    async def _tell(self, message: str) -> None:
        await self._journal.emit(StatusEvent(message=message), f"said:{uuid.uuid4().hex}")

    @property
    def usage(self) -> Usage:
        """What calls of models that have ended have used, and at most may have used where a crash cut them off."""
        return _sum_up(list(self._spent.values()))

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


def _sum_up(spends: Sequence[Spend]) -> Usage:
    parts: dict[tuple[int, Stage], list[Spend]] = defaultdict(list)
    for spend in spends:
        parts[spend.todo, spend.stage].append(spend)
    return Usage(
        model_calls=len(spends),
        prompt_tokens=sum(spend.prompt_tokens for spend in spends),
        completion_tokens=sum(spend.completion_tokens for spend in spends),
        cost=_add_costs(spends),
        spent=tuple(_add(todo, stage, spends) for (todo, stage), spends in sorted(parts.items())),
    )


def _add(todo: int, stage: Stage, spends: Sequence[Spend]) -> Spend:
    return Spend(
        stage=stage,
        todo=todo,
        calls=len(spends),
        prompt_tokens=sum(spend.prompt_tokens for spend in spends),
        completion_tokens=sum(spend.completion_tokens for spend in spends),
        cost=_add_costs(spends),
        seconds=round(sum(spend.seconds for spend in spends), 3),
    )


def _add_costs(spends: Sequence[Spend]) -> float | None:
    """Return the cost of calls; None when that of any is not known, or there was none."""
    costs = [spend.cost for spend in spends if spend.cost is not None]
    return round(sum(costs), 6) if costs and len(costs) == len(spends) else None


class LimitedSearch:
    """A search backend whose calls are counted against an allowance."""

    def __init__(self, search: SearchBackend, allowance: Allowance) -> None:
        self._search = search
        self._allowance = allowance
        self.name = search.name

    async def search(self, query: Query) -> Sequence[Hit]:
        """As the backend within. Raises LimitReached when no call is left."""
        await self._allowance.count_search()
        return await self._search.search(query)

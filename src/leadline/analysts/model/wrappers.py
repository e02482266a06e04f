"""What is true of every request, whichever the provider: each is a model around a model.

Outermost first: `Remembered` (a call that has ended is never made again), `FallingBack` (another model when one fails),
`Retrying`, `InTurn` (so many at once), `Metered` (reserved before, settled after), and within all of them a wire.
"""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Callable, Sequence

from pydantic import JsonValue

from leadline.analysts.model.asking import Model, Piece, Prompt, count_tokens
from leadline.errors import ModelFailed, ModelFailure
from leadline.models import Spend
from leadline.pace import Pace
from leadline.ports import Account, Clock, Journal

LONGEST_WAIT = 120.0
"""Seconds that a provider may ask us to wait; who says longer means another day."""

_WAITS = (1.0, 3.0, 9.0)
"""Seconds before each further try where the provider names none."""

_ADAPTED = 2
"""Parameters given up for one request."""

_PASSING: frozenset[ModelFailure] = frozenset({"rate limited", "unavailable", "unreachable"})
"""Failures that may be over in a moment."""

_CUT_BELOW, _TELLING = 0.3, 2000
"""Share of the estimated tokens below which a server has not read all of a prompt; tokens from which on that is told."""


class _Around:
    """A model around a model."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner
        self.name = inner.name

    async def window(self) -> int:
        """As the model within."""
        return await self._inner.window()


class Metered(_Around):
    """Reserves each call before it is made and settles it when it has ended, however it ends."""

    def __init__(self, inner: Model, account: Account, price: Callable[[int, int], float | None]) -> None:
        super().__init__(inner)
        self._account = account
        self._price = price

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """As the model within.

        Raises:
            LimitReached: the call may not be made.
        """
        number = await self._account.reserve(self._spend(prompt, prompt.tokens, prompt.reply, 0.0))
        begun = time.monotonic()
        said, last = "", Piece()
        try:
            async for piece in self._inner.ask(prompt):
                said += piece.text
                last = piece if piece.prompt_tokens or piece.completion_tokens else last
                yield piece
        finally:
            asked, answered = last.prompt_tokens or prompt.tokens, last.completion_tokens or count_tokens(said)
            spend = self._spend(prompt, asked, answered, time.monotonic() - begun)
            await asyncio.shield(self._account.settle(number, spend))
        if prompt.tokens > _TELLING and 0 < last.prompt_tokens < _CUT_BELOW * prompt.tokens:
            await self._account.remark(
                "model_cut_prompt", model=self.name, read=str(last.prompt_tokens), sent=str(prompt.tokens)
            )

    def _spend(self, prompt: Prompt, asked: int, answered: int, seconds: float) -> Spend:
        return Spend(
            stage=prompt.stage,
            todo=prompt.todo,
            prompt_tokens=asked,
            completion_tokens=answered,
            cost=self._price(asked, answered),
            seconds=round(seconds, 3),
        )


class InTurn(_Around):
    """Lets so many requests through at once. The time in the queue is nobody's silence, and who waits has reserved nothing."""

    def __init__(self, inner: Model, turns: asyncio.Semaphore) -> None:
        super().__init__(inner)
        self._turns = turns

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """As the model within, when it is our turn."""
        async with self._turns:
            async for piece in self._inner.ask(prompt):
                yield piece


class Paced(_Around):
    """Asks at a pace: see `leadline.pace`."""

    def __init__(self, inner: Model, pace: Pace, clock: Clock) -> None:
        super().__init__(inner)
        self._pace = pace
        self._clock = clock

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """As the model within, when a request may go out."""
        await self._pace.keep(self._clock)
        async for piece in self._inner.ask(prompt):
            yield piece


class Retrying(_Around):
    """Asks again after failures that pass, as long as nothing has come of an answer; waits as told, or not at all."""

    def __init__(self, inner: Model, account: Account, clock: Clock) -> None:
        super().__init__(inner)
        self._account = account
        self._clock = clock

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """As the model within."""
        waits, adapted = list(_WAITS), 0
        while True:
            begun = False
            try:
                async for piece in self._inner.ask(prompt):
                    begun = begun or bool(piece.text)
                    yield piece
                return
            except ModelFailed as error:
                adapted += error.kind == "adapted"
                if begun or adapted > _ADAPTED or not (error.kind == "adapted" or (error.kind in _PASSING and waits)):
                    raise _as_refused(error) from error
                if error.kind != "adapted":
                    await self._wait(error, waits.pop(0))

    async def _wait(self, error: ModelFailed, usual: float) -> None:
        seconds = usual if error.wait is None else error.wait
        if seconds > LONGEST_WAIT:
            raise error
        await self._account.say("model_waits", model=self.name, seconds=f"{seconds:g}", reason=error.kind)
        await self._clock.sleep(seconds)


def _as_refused(error: ModelFailed) -> ModelFailed:
    return ModelFailed("refused", error.model, error.detail) if error.kind == "adapted" else error


class FallingBack(_Around):
    """Asks the next model when one fails before it has said anything; each failure is told."""

    def __init__(self, models: Sequence[Model], account: Account) -> None:
        super().__init__(models[0])
        self._models = models
        self._account = account

    async def window(self) -> int:
        """The smallest: a prompt must fit whichever answers."""
        return min([await model.window() for model in self._models])

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """As the first model that answers."""
        for place, model in enumerate(self._models, 1):
            begun = False
            try:
                async for piece in model.ask(prompt):
                    begun = True
                    yield piece
                return
            except ModelFailed as error:
                if begun or place == len(self._models):
                    raise
                await self._account.remark(
                    "model_fell_back", model=model.name, other=self._models[place].name, reason=error.kind
                )


class Remembered(_Around):
    """Keeps every answer in the run's journal: what was answered before a crash is not asked again."""

    def __init__(self, inner: Model, journal: Journal) -> None:
        super().__init__(inner)
        self._journal = journal

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """As the model within, or as it was answered before: then as one piece."""
        told: asyncio.Queue[Piece | None] = asyncio.Queue()

        async def call() -> JsonValue:
            text = ""
            async for piece in self._inner.ask(prompt):
                text += piece.text
                told.put_nowait(piece)
            return {"text": text}

        work = asyncio.ensure_future(self._journal.once(self._name(prompt), prompt.stage, call))
        work.add_done_callback(lambda _: told.put_nowait(None))
        fresh = False
        try:
            while (piece := await told.get()) is not None:
                fresh = True
                yield piece
            answer = await work
        finally:
            await _end(work)
        if not fresh and isinstance(answer, dict):
            yield Piece(str(answer["text"]))

    def _name(self, prompt: Prompt) -> str:
        parts = (self.name, prompt.system, prompt.user, str(prompt.reply), prompt.key)
        return f"model:{hashlib.sha256(chr(31).join(parts).encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


async def _end(work: "asyncio.Future[JsonValue]") -> None:
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)

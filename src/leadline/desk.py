"""The desk: where runs are taken in, carried out, followed and changed. Command line, programs and server all come here."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from leadline.clock import SystemClock
from leadline.docket import ACKNOWLEDGED, Docket
from leadline.engine import Limits, Role, open_books, open_engine
from leadline.errors import LeadlineError, NotFound, RunFailed, StoreError, UsageError
from leadline.events import DoneEvent, ErrorEvent
from leadline.library import Library
from leadline.pipeline.loop import conduct
from leadline.pipeline.plan import make_plan
from leadline.ports import Reader
from leadline.records import Hit, NotRead, Plan, Request, Run, Todo, TodoResult
from leadline.settings import Settings
from leadline.wiring import assembled, check_sources, is_url, make_run, open_settled_store, settle_models

if TYPE_CHECKING:
    from leadline.engine.engine import Engine

Witness = Callable[[Run], None]


@dataclass(frozen=True, slots=True)
class Desk(Docket):
    """The docket, and whoever takes runs in and carries them out."""

    async def take(self, request: Request, name: str = "", owner: str = "", leave: bool = False) -> Run:
        """Take a run in: its topic and sources are looked at, and it is saved, but nothing has begun.

        Args:
            request: what is asked for.
            name: id of the run; a new one by default.
            owner: who asks.
            leave: whether it will be left to the workers.

        Raises:
            UsageError: the run cannot be done as it was asked for, or no live worker can; nothing was saved.
        """
        request = settle_models(request, self.settings)
        run = make_run(request, name=name, owner=owner)
        await check_sources(request, self.store, self.settings)
        if leave:
            await self.check_worker(run)
        await self.store.runs.save(run)
        return run

    async def begin(self, request: Request, name: str = "", owner: str = "") -> Run:
        """Take a run in, as `take` does, and leave it to the workers.

        Raises:
            UsageError: the run cannot be done as it was asked for, or no live worker can; nothing was saved.
        """
        run = await self.take(request, name, owner, leave=True)
        await self.submit(run)
        return run

    async def plan(self, request: Request) -> Plan:
        """Return the plan that a run would begin with, and keep nothing of it.

        Raises:
            UsageError: the run cannot be done as it was asked for.
        """
        request = settle_models(request, self.settings)
        run = make_run(request)
        async with assembled(run, self.store, self.settings) as crew:
            return await make_plan(run.topic, request, crew)

    @asynccontextmanager
    async def engaged(self, role: Role, limits: Limits = Limits(), witness: "Witness | None" = None) -> "AsyncIterator[Shift]":
        """Carry out runs in this process, for as long as the block lasts.

        Args:
            role: which runs.
            limits: how many at once.
            witness: told of each run that is begun here, and again when it has ended.
        """
        if not self.kept:
            yield Shift(self, None)
            return
        lost: asyncio.Future[StoreError] = asyncio.get_running_loop().create_future()
        engine = open_engine(
            self.place,
            role,
            self.perform if witness is None else partial(self._perform_before, witness),
            partial(self._give_up_or_lose, lost) if role == "research" else self.give_up,
            holds=frozenset if role == "research" else self.holdings,
            limits=limits,
            progress=self._measure_progress,
        )
        async with engine as opened:
            yield Shift(self, opened, lost)

    async def perform(self, name: str) -> None:
        """Do a run to its end. Called again after a crash, it goes on where the store says it was.

        Raises:
            UsageError: its sources cannot be used any more.
            StoreError: the store cannot be used for the moment.
        """
        run = await self.reopen(await self.store.runs.load(name))
        async with assembled(run, self.store, self.settings) as crew:
            try:
                outcome = await conduct(run.id, run.topic, run.request, crew)
            except StoreError:
                raise
            except LeadlineError as error:
                await self.give_up(name, str(error))
                return
        update = {
            "status": outcome.status,
            "plan": outcome.plan,
            "report": outcome.report,
            "usage": outcome.usage,
            "reason": outcome.reason,
        }
        await self.store.runs.save(run.model_copy(update={**update, "ended": SystemClock().now()}))

    async def _perform_before(self, witness: "Witness", name: str) -> None:
        witness(await self.store.runs.load(name))
        await self.perform(name)
        witness(await self.store.runs.load(name))

    async def give_up(self, name: str, reason: str) -> None:
        """End a run as failed, and say why."""
        run = await self.store.runs.load(name)
        journal = self.store.journal(name)
        mark = hashlib.sha256(f"{reason} {await self._measure_progress(name)}".encode("utf-8", "replace")).hexdigest()[:16]
        await journal.emit(ErrorEvent(message=reason), f"error:{mark}")
        await journal.emit(DoneEvent(status="failed"), f"done:{mark}")
        await self.store.runs.save(run.model_copy(update={"status": "failed", "reason": reason, "ended": SystemClock().now()}))

    async def _give_up_or_lose(self, lost: "asyncio.Future[StoreError]", name: str, reason: str) -> None:
        """Give a run up; tell who waits for it here when not even that can be written: they should not wait for ever."""
        try:
            await self.give_up(name, reason)
        except StoreError as error:
            if not lost.done():
                lost.set_result(error)
            raise

    async def cancel(self, run: Run) -> None:
        """Cancel a run, and return when whoever holds it has confirmed; no call starts after that.

        Raises:
            UsageError: it has ended.
            RunFailed: whoever holds it did not confirm in time.
        """
        if run.status != "running":
            raise UsageError(f"Run {run.id} has ended ({run.status}); there is nothing to cancel.")
        await self.store.runs.signal(run.id, "cancel")
        if self.kept and await self._stop_in_books(run.id) == "working":
            await self._await_end(run)
            return
        if (await self.store.runs.load(run.id)).status != "running":
            return  # whoever held it heard the signal before the books were open
        try:
            await self.perform(run.id)
        except UsageError as error:  # its sources are gone: no report can be written, and no call will be made either
            await self.give_up(run.id, str(error))

    async def refresh(self, run: Run) -> Sequence[Todo]:
        """Read the sources of a finished run again; have the todos done again whose sources changed, and return them.

        Raises:
            UsageError: the run has not ended.
            SourceError: its sources cannot be used any more.
        """
        if run.status == "running":
            raise UsageError(f"Run {run.id} has not ended; its sources are being read.")
        plan = await self.find_plan(run)
        async with assembled(run, self.store, self.settings, fresh=True) as crew:
            changed = [todo for todo in plan.todos if await _has_changed(crew.reader, await self._find_result(run, todo))]
        for todo in changed:
            await self.store.runs.signal(run.id, "retry", todo=todo.id)
        if changed:
            await self.reopen(run)
        return changed

    async def delete(self, run: Run) -> None:
        """Remove a run, its journal, its notes, and the saved pages that no other run uses.

        Raises:
            UsageError: it has not ended.
        """
        if run.status == "running":
            raise UsageError(f"Run {run.id} has not ended; cancel it first: leadline runs cancel {run.id}")
        if self.kept:
            async with open_books(self.place) as books:
                await books.stop(run.id)
                await books.forget(run.id)
        await self.store.runs.delete(run.id)

    async def _measure_progress(self, name: str) -> int:
        return (await self.store.runs.tail(name)).seq

    async def _await_end(self, run: Run) -> None:
        try:
            async with asyncio.timeout(ACKNOWLEDGED):
                async for _ in self.store.runs.watch(run.id, after=await self._measure_progress(run.id)):
                    pass
        except TimeoutError as error:
            raise RunFailed(
                f"The process that holds run {run.id} has not confirmed within {ACKNOWLEDGED:.0f} s; it stops when it answers."
            ) from error


@asynccontextmanager
async def open_desk(settings: Settings, keep: bool = True) -> AsyncIterator[Desk]:
    """Open the desk of a store.

    Args:
        settings: name the store.
        keep: whether runs go into that store, or are forgotten with the block.

    Raises:
        StoreError: the store cannot be used.
    """
    async with await open_settled_store(settings, keep) as store:
        yield Desk(store, settings, keep)


async def _has_changed(reader: Reader, result: TodoResult | None) -> bool:
    """Say whether a page that a todo's points cite is another one now, or is gone. A site that is away tells nothing."""
    whole = [source for source in result.sources if source.kind == "read"] if result else []
    for source in whole:
        web = is_url(source.address)
        page = await reader.read(Hit(backend="web" if web else Library.name, address=source.address))
        if (not web or page.refused) if isinstance(page, NotRead) else page.id != source.page:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Shift:
    """The time in which a process carries out runs. `engine` is None where nothing is kept.

    `lost` is set when the store can be used no longer, after all attempts; the run is interrupted then.
    """

    desk: Desk
    engine: "Engine | None"
    lost: "asyncio.Future[StoreError] | None" = None

    async def carry_out(self, run: Run) -> None:
        """Do a run here and return when it has ended.

        Raises:
            RunElsewhere: another process has it in work.
            StoreError: the store cannot be used.
        """
        if self.engine is None or self.lost is None:
            await self.desk.perform(run.id)
            return
        work = asyncio.ensure_future(self.engine.carry_out(run.id))
        try:
            either: set[asyncio.Future[Any]] = {work, self.lost}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise self.lost.result()
            work.result()
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def look_at_libraries(self) -> None:
        """Let runs come here that need a library which has been named just now."""
        if self.engine is not None:
            await self.engine.look_at_holds()

    async def find_interrupted(self) -> Sequence[str]:
        """Return the runs whose process died before they had ended, and that nobody has taken yet."""
        left = await self.engine.books.interrupted() if self.engine else ()
        return [name for name in left if await self._has_not_ended(name)]

    async def _has_not_ended(self, name: str) -> bool:
        try:
            return (await self.desk.store.runs.load(name)).status == "running"
        except NotFound:  # the queue is of another day than the store
            return False

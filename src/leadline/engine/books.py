"""The engine's books: which runs wait, which are at work and where, which were left by the dead."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Self, TypeVar, assert_never

from leadline.engine.advisory import AdvisoryLocks
from leadline.engine.catalog import Catalog
from leadline.engine.database import insist, open_tables, prepare, schema_of
from leadline.engine.ledger import Ledger
from leadline.engine.place import PRIORITY, Peer, Place, State, Versions
from leadline.engine.recovery import Recovery, explain_version
from leadline.engine.rounds import Round
from leadline.engine.signs import LockFiles, Signs
from leadline.errors import RunElsewhere

T = TypeVar("T")

_ENDING = 30.0
"""Seconds that a run whose loop has ended may take until DBOS has written that down too; longer on a busy machine."""

_LOOK_AGAIN = 0.05


class Books:
    """What anyone may ask and tell the engine, in whatever process.

    All work is done in one thread, in order, but for the counting of crashes: runs that begin do not wait for runs that are
    submitted.

    `catalog`, `ledger`, `signs` and `recovery` belong to the engine of this process.
    """

    def __init__(self, place: Place, versions: Versions, catalog: Catalog, ledger: Ledger, signs: Signs, me: str) -> None:
        self.place = place
        self.versions = versions
        self.catalog = catalog
        self.ledger = ledger
        self.signs = signs
        self.me = me
        self.recovery = Recovery(catalog, ledger, signs, versions, me)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="leadline-books")
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="leadline-crashes")

    @classmethod
    async def open(cls, place: Place, versions: Versions, me: str) -> Self:
        """Open the books, and make the database ready if need be.

        Args:
            place: where the engine keeps its data.
            versions: what this release can finish.
            me: id of the executor of this process; nobody may have had it before.

        Raises:
            StoreError: the engine's data cannot be used.
        """
        return await asyncio.to_thread(cls._open, place, versions, me)

    @classmethod
    def _open(cls, place: Place, versions: Versions, me: str) -> Self:
        with ExitStack() as opened:
            tables = open_tables(place)
            opened.callback(tables.dispose)
            prepare(place, tables)
            catalog = Catalog(place, versions)
            opened.callback(catalog.close)
            insist(place, partial(catalog.open_shared_queue, None))
            opened.pop_all()
        signs: Signs = AdvisoryLocks(place.database_url) if place.database_url else LockFiles(place.folder)
        return cls(place, versions, catalog, Ledger(tables, schema_of(place)), signs, me)

    async def close(self) -> None:
        """Let go of connections and locks."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    def _close(self) -> None:
        self._aside.shutdown()  # a run that was stopped while it was counted leaves that work behind
        self.signs.release()
        self.catalog.close()
        self.ledger.close()

    async def do(self, work: Callable[[], T]) -> T:
        """Do something that blocks in the books' thread. Raises StoreError for what the database's libraries raise."""
        return await self._do(self._thread, work)

    async def _do(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread, partial(insist, self.place, work))

    async def count_crashes(self, run: str, progress: int) -> int:
        """See `leadline.engine.attempts.Memory`."""
        return await self._do(self._aside, partial(self._count_crashes, run, progress))

    async def blame(self, run: str, times: int) -> None:
        """See `leadline.engine.attempts.Memory`."""
        await self._do(self._aside, partial(self.ledger.count_crashes, [run], times))

    async def forget_crashes(self, run: str) -> None:
        """See `leadline.engine.attempts.Memory`."""
        await self._do(self._aside, partial(self.ledger.forget_crashes, run))

    async def submit(self, run: str, needs: Collection[str] = (), priority: int = PRIORITY) -> None:
        """See to it that a run is carried out from now on by some worker: begun, begun again, or gone on with.

        A run that waits already is left where it is. One whose loop has just ended is waited for, and begun again; so write the
        signal that it should hear first.

        Args:
            run: id of the run.
            needs: names of the local things without which it cannot be done.
            priority: 1 goes first.

        Raises:
            NoWorker: no live worker holds what the run needs; nothing was changed.
            RunElsewhere: it is at work and goes on with that, or another release began it and this one cannot finish it.
            StoreError: the books cannot be used.
        """
        queue = await self.choose_queue(needs)
        await self._place(run, queue, needs, priority)
        if needs:
            await self.do(partial(self._resettle, run, needs))

    async def choose_queue(self, needs: Collection[str]) -> str:
        """Return the queue that `submit` would put a run into. Raises NoWorker or StoreError."""
        return await self.do(partial(self.recovery.choose_queue, needs))

    async def place_here(self, run: str, queue: str, needs: Collection[str]) -> None:
        """See to it that a run is carried out by the one process that listens to `queue`.

        Raises:
            RunElsewhere: another process has it in work, or will take it at once, or another release began it.
        """
        if await self._place(run, queue, needs, PRIORITY) == "queued":
            await self.do(partial(self._fetch, run, queue))

    async def state(self, run: str) -> State:
        """Return where a run stands. Raises StoreError."""
        return await self.do(lambda: self._judge(self.catalog.find_last(run)))

    async def stop(self, run: str) -> State:
        """Take a run that nobody is working on out of the books, so that nobody begins it, and return how it stood.

        A run that is `working` is left alone: its loop hears the signal to cancel. Write that signal first, for the run may be
        begun at this very moment.

        Raises:
            StoreError: the books cannot be used.
        """
        return await self.do(partial(self._stop, run))

    async def forget(self, run: str) -> None:
        """Remove all that the engine knows about a run. It must have been stopped. Raises StoreError."""
        await self.do(partial(self._forget, run))

    async def interrupted(self) -> Sequence[str]:
        """Return the runs whose process has died and that nobody has taken yet, by id. Raises StoreError."""
        return await self.do(self.recovery.list_interrupted)

    async def count_open(self) -> int:
        """Return how many runs wait for whatever worker takes them, or are at work at one. Raises StoreError."""
        return await self.do(self.catalog.count_open)

    async def peers(self) -> Sequence[Peer]:
        """Return the live processes that carry out runs, this one included, by id. Raises StoreError."""
        return await self.do(self.recovery.list_alive)

    async def _place(self, run: str, queue: str, needs: Collection[str], priority: int) -> State:
        """Put a run into a queue if that is for us to do, and return how it stood then."""
        loop = asyncio.get_running_loop()
        patience = loop.time() + _ENDING
        while True:
            state = await self.do(partial(self._place_once, run, queue, needs, priority))
            if state != "working":
                return state
            if loop.time() > patience:
                raise RunElsewhere(f"Run {run} is at work: watch it there, or cancel it first.")
            await asyncio.sleep(_LOOK_AGAIN)

    def _place_once(self, run: str, queue: str, needs: Collection[str], priority: int) -> State:
        if self.catalog.enqueue_new(run, queue, needs, priority):
            return "unknown"
        last = self.catalog.find_last(run)
        state = self._judge(last)
        if last is not None and state in ("queued", "interrupted") and not self._is_own(last):
            self.catalog.cancel([last])
            state = "ended"
        match state:
            case "unknown" | "ended":
                self.ledger.forget_crashes(run)
                self.catalog.enqueue(run, last, queue, needs, priority)
            case "interrupted":
                self.ledger.forget_crashes(run)
                return state if last is not None and self.recovery.take_over(last, queue) else "working"
            case "queued" | "working":
                pass
            case other:
                assert_never(other)
        return state

    def _is_own(self, last: Round) -> bool:
        """Whether this release recorded the round; one that it can finish all the same is to be begun again."""
        match self.versions.judge(last.version):
            case "own":
                return True
            case "older":
                return False
            case "unreadable" | "newer":
                raise RunElsewhere(explain_version(last, self.versions))

    def _resettle(self, run: str, needs: Collection[str]) -> None:
        """Move a run whose worker has left between being chosen and being told."""
        last = self.catalog.find_last(run)
        if last is not None and self._judge(last) == "interrupted":
            self.recovery.take_over(last, self.recovery.choose_queue(needs))

    def _fetch(self, run: str, queue: str) -> None:
        """Move a waiting run, if nobody else would take it."""
        last = self.catalog.find_last(run)
        if last is None or last.stage != "queued" or last.executor == self.me:
            return
        if last.executor or any(peer.role != "research" for peer in self.recovery.list_alive()):
            raise RunElsewhere(f"Run {run} waits for a worker that lives: watch it, or cancel it first.")
        self.catalog.move([last], queue)

    def _stop(self, run: str) -> State:
        last = self.catalog.find_last(run)
        state = self._judge(last)
        if last is not None and state in ("queued", "interrupted"):
            self.catalog.cancel([last])
        return state

    def _forget(self, run: str) -> None:
        rounds = self.catalog.list_rounds(run)
        if rounds:
            self.catalog.delete(rounds)
        self.ledger.forget_crashes(run)

    def _count_crashes(self, run: str, progress: int) -> int:
        crashes = self.ledger.find_crashes(run)
        if crashes is None:
            return 0
        if crashes.progress != progress:
            self.ledger.note_progress(run, progress)
            return min(crashes.times, 1)
        return max(crashes.times, 0)

    def _judge(self, last: Round | None) -> State:
        if last is None:
            return "unknown"
        if last.stage == "ended":
            return "ended"
        if last.executor is not None and not self.recovery.is_alive(last.executor):
            return "interrupted"
        return "queued" if last.stage == "queued" else "working"

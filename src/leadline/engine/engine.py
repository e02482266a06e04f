"""A process that carries out runs: DBOS launched on this event loop, and a pulse that looks after lives and leftovers."""

import asyncio
import logging
import os
import socket
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from typing import ClassVar

from dbos import DBOS, DBOSPortableJSONSerializer

from leadline.clock import happens
from leadline.engine.attempts import Attempts
from leadline.engine.books import Books
from leadline.engine.catalog import APPLICATION, POLL, SLOW_POLL
from leadline.engine.database import SCHEMA, as_text, translated, url_of
from leadline.engine.place import Limits, Peer, Place, Role, Versions
from leadline.engine.recovery import Refused
from leadline.engine.rounds import SHARED_QUEUE, WORKFLOW, Round, private_queue
from leadline.errors import RunElsewhere, StoreError, UsageError

_log = logging.getLogger(__name__)

PULSE = 0.5
"""Seconds between two looks for the dead: their runs go on within two of them."""

_SELDOM = 10
"""Pulses between two looks for what happens seldom: runs that another release left in the queue, or that were taken in vain."""

_PATIENCE = 4
"""Pulses that a round may be ours without being at work: while DBOS begins it, or writes down that it has ended. One that it
has taken, and then lost the database before beginning it, stays so for ever."""

_LOOK_AGAIN = 0.02

_FAREWELL = 1.0
"""Seconds that runs have to stop when the process closes; with DBOS's own close this stays under two."""


Holds = Callable[[], Collection[str]]


class Engine:
    """Carries out runs in this process. Made and closed by `leadline.engine.open_engine`.

    Attributes:
        books: to submit, stop and forget runs, and to ask about them.
        id: the executor id of this process.
    """

    _open_here: ClassVar["Engine | None"] = None

    def __init__(self, books: Books, role: Role, attempts: Attempts, holds: Holds, limits: Limits) -> None:
        self.books = books
        self.id = books.me
        self._role: Role = role
        self._find_holds = holds
        self._holds = frozenset(holds())
        self._limits = limits
        self._attempts = attempts
        self._loop = asyncio.get_running_loop()
        self._at_work: dict[str, tuple[str, asyncio.Task[None]]] = {}
        self._unattended: Counter[str] = Counter()
        """Pulses for which a round was ours in the books without being at work."""
        self._ended: set[str] = set()
        """Rounds that have ended here, which DBOS may not have written down yet."""
        self._ends: dict[str, asyncio.Event] = {}
        """Of the runs that `carry_out` waits for."""
        self._alive = False
        self._lost = False
        self._pulsing: asyncio.Task[None] | None = None

    @classmethod
    def find(cls, place: Place, versions: Versions) -> "Engine | None":
        """Return the engine of this process, if it works at a place and for these versions."""
        here = cls._open_here
        return here if here and here._alive and (here.books.place, here.books.versions) == (place, versions) else None

    async def start(self) -> None:
        """Show that this process lives, and begin to take runs.

        Raises:
            StoreError: the engine's data cannot be used.
            UsageError: this process has an engine already.
        """
        if Engine._open_here is not None:
            raise UsageError("This process has an engine already: a process carries out runs with one.")
        Engine._open_here = self
        await self._come_alive()
        if self._role != "research":
            await self.books.do(partial(self.books.catalog.open_shared_queue, self._limits))
        with translated(self.books.place):
            self._launch()
        self._pulsing = asyncio.create_task(self._pulse())

    async def close(self) -> None:
        """Let nothing start any more, stop what is at work, and leave it to whoever comes next."""
        if Engine._open_here is not self:
            return
        self._alive = False
        if self._pulsing is not None:
            self._pulsing.cancel()
            await asyncio.wait({self._pulsing})
        await self._stop_work(_FAREWELL)
        await self._see_endings_written()
        await asyncio.to_thread(DBOS.destroy, destroy_registry=True)
        try:
            await self.books.do(self.books.recovery.leave)
        except StoreError as error:
            _log.warning("%s", error)  # whoever comes next sees that this process is dead
        Engine._open_here = None

    async def _see_endings_written(self) -> None:
        """Wait until what has ended here is written down, so that nobody begins it again."""
        patience = self._loop.time() + _FAREWELL
        with suppress(StoreError):  # whoever begins it again finds that all has been done
            while self._ended and self._loop.time() < patience:
                await asyncio.sleep(_LOOK_AGAIN)
                await self._list_ours()

    async def _list_ours(self) -> dict[str, Round]:
        """Return the rounds that are ours in the books."""
        ours = {r.id: r for r in await self.books.do(partial(self.books.catalog.list_started, self.id))}
        self._ended &= ours.keys()
        return ours

    async def carry_out(self, run: str) -> None:
        """Do a run in this very process, whatever waits elsewhere, and return when it has ended or was given up.

        Cancelling stops the waiting, not the run; closing the engine stops the run. For the role `research` alone.

        Raises:
            RunElsewhere: another process has it in work, or will take it at once, or another release began it.
            StoreError: the books cannot be used.
        """
        if self._role != "research":
            raise UsageError(f"The role {self._role!r} takes its runs from the queue: submit run {run}.")
        ended = self._ends.setdefault(run, asyncio.Event())
        try:
            await self.books.place_here(run, private_queue(self.id), ())
            while not await happens(ended, seconds=2 * PULSE):
                await self._check_still_here(run)
        finally:
            self._ends.pop(run, None)

    async def _check_still_here(self, run: str) -> None:
        try:
            state = await self.books.state(run)
        except StoreError as error:
            _log.warning("%s", error)  # the run goes on as soon as the database is back
            return
        if state in ("unknown", "ended") and run in self._ends and not self._ends[run].is_set():
            raise RunElsewhere(f"Run {run} was stopped by another process.")

    def _launch(self) -> None:
        """Launch DBOS, on the loop's own thread: it runs workflows on the loop that it finds then."""
        logger = logging.getLogger("dbos")
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())  # without a handler DBOS adds one that writes to the terminal
        DBOS(
            config={
                "name": APPLICATION,
                "system_database_url": as_text(url_of(self.books.place)),
                "dbos_system_schema": SCHEMA,
                "executor_id": self.id,
                "application_version": str(self.books.versions.own),
                "serializer": DBOSPortableJSONSerializer(),
                "run_migrations": False,
                "db_engine_kwargs": {"pool_pre_ping": False},  # DBOS tries again itself; a ping per poll costs 2 % of a core
                "enable_otlp": False,
                "log_level": "ERROR",
                "notification_listener_polling_interval_sec": 0.25,  # notifications are not used; closing waits this long
            }
        )

        async def attend(run: str, needs: list[str]) -> None:  # DBOS marks the function, which a method does not allow
            await self._attend(run)

        DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(attend)
        DBOS.listen_queues(self._queues())
        DBOS.launch()

    def _queues(self) -> list[str]:
        own = [private_queue(self.id)] if self._has_own_queue() else []
        return own if self._role == "research" else [SHARED_QUEUE, *own]

    def _has_own_queue(self) -> bool:
        return self._role == "research" or bool(self._holds)

    async def _come_alive(self) -> None:
        self._lost = False
        try:
            await self.books.do(partial(self.books.signs.hold, self.id, self._tell_loss))
            await self.books.do(self._show_life)
        except StoreError:
            self._lost = True
            raise
        self._alive = not self._lost

    def _show_life(self) -> None:
        books = self.books
        self._announce()
        if self._role == "research":
            books.catalog.open_private_queue(self.id, POLL, None)
        elif self._holds:
            books.catalog.open_private_queue(self.id, SLOW_POLL, self._limits.per_process)

    def _announce(self) -> None:
        self.books.ledger.announce(Peer(self.id, self._role, socket.gethostname(), os.getpid(), self._holds))

    async def look_at_holds(self) -> None:
        """Tell what this process can reach by now; it must have reached something from the first.

        Raises:
            StoreError: the books cannot be used.
        """
        holds = frozenset(self._find_holds())
        if holds != self._holds:
            self._holds = holds
            await self.books.do(self._announce)

    def _tell_loss(self) -> None:
        self._loop.call_soon_threadsafe(self._lose)

    def _lose(self) -> None:
        """The lock is gone, so another process may take these runs: stop at once."""
        self._alive, self._lost = False, True
        for _, task in self._at_work.values():
            task.cancel()

    async def _attend(self, run: str) -> None:
        """The workflow. Cancelled, it leaves its row as it is, and whoever comes next goes on."""
        task = asyncio.current_task()
        round_id = DBOS.workflow_id
        if not self._alive or task is None or round_id is None:
            raise asyncio.CancelledError
        self._at_work[round_id] = (run, task)
        try:
            await self._attempts.carry_out(run)
            self._ended.add(round_id)
        finally:
            del self._at_work[round_id]
        if ended := self._ends.get(run):
            ended.set()

    async def _stop_work(self, patience: float) -> None:
        """Cancel all runs; wait `patience` seconds for those that do not stop at once."""
        tasks = [task for _, task in self._at_work.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=patience)

    async def _pulse(self) -> None:
        count = 0
        while True:
            try:
                await self._beat(seldom=count % _SELDOM == 0)
            except StoreError as error:
                _log.warning("%s", error)  # the database is away; so are those of all others
            count += 1
            await asyncio.sleep(PULSE)

    async def _beat(self, seldom: bool) -> None:
        books = self.books
        if self._lost:
            await self._recover_from_loss()
        if seldom or self._at_work or self._unattended or self._ended:
            await self._compare_with_books()
        if self._role == "research":
            if seldom:
                await books.do(books.recovery.clear_away)
            return
        if seldom:
            await self.look_at_holds()
        await self._refuse(await books.do(books.recovery.bury_dead))
        if seldom:
            await self._refuse(await books.do(books.recovery.adopt_waiting))

    async def _recover_from_loss(self) -> None:
        await self._stop_work(_FAREWELL)
        await self._come_alive()
        self._unattended = Counter(dict.fromkeys(await self._list_ours(), _PATIENCE))

    async def _compare_with_books(self) -> None:
        """Stop runs that were cancelled in the books or taken by another process; begin those that were taken in vain."""
        believed = dict(self._at_work)
        ours = await self._list_ours()
        for round_id, (run, task) in believed.items():
            if round_id not in ours and round_id in self._at_work:
                _log.warning("run %s was taken away from this process", run)
                task.cancel()
        idle = ours.keys() - believed.keys() - self._at_work.keys() - self._ended
        self._unattended = Counter({round_id: self._unattended[round_id] + 1 for round_id in idle})
        orphans = [ours[round_id] for round_id in sorted(idle) if self._unattended[round_id] > _PATIENCE]
        queue = private_queue(self.id) if self._role == "research" else None
        await self._refuse(await self.books.do(partial(self.books.recovery.reclaim, orphans, queue)))

    async def _refuse(self, refused: list[Refused]) -> None:
        for each in refused:
            await self._attempts.give_up(each.round.run, each.reason)
            await self.books.do(partial(self.books.catalog.cancel, [each.round]))

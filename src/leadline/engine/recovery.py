"""Runs of the dead: found by their locks, and put where somebody alive will take them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from leadline.engine.catalog import Catalog
from leadline.engine.ledger import Ledger
from leadline.engine.place import PRIORITY, Peer, Versions
from leadline.engine.rounds import SHARED_QUEUE, Round, private_queue
from leadline.engine.signs import Signs, taken
from leadline.errors import NoWorker


@dataclass(frozen=True, slots=True)
class Refused:
    """A round that this release cannot finish, and why."""

    round: Round
    reason: str


class Recovery:
    """Looks after executors, dead and alive. Every method blocks.

    Args:
        me: id of the executor of this process; "" if it has none.
    """

    def __init__(self, catalog: Catalog, ledger: Ledger, signs: Signs, versions: Versions, me: str) -> None:
        self._catalog = catalog
        self._ledger = ledger
        self._signs = signs
        self._versions = versions
        self._me = me

    def is_alive(self, executor: str) -> bool:
        """Say whether an executor lives."""
        if executor == self._me:
            return True
        with taken(self._signs, executor) as dead:
            return not dead

    def list_alive(self) -> list[Peer]:
        """Return the executors that live, by id."""
        return [peer for peer in self._ledger.list_executors() if self.is_alive(peer.id)]

    def choose_queue(self, needs: Collection[str]) -> str:
        """Return the queue for a run: shared, or that of the least busy worker that holds all it needs.

        Raises:
            NoWorker: no live worker holds them.
        """
        if not needs:
            return SHARED_QUEUE
        able = [peer.id for peer in self.list_alive() if peer.role != "research" and peer.holds >= set(needs)]
        if not able:
            names = ", ".join(map(repr, sorted(needs)))
            raise NoWorker(f"No live worker holds {names}: start `leadline worker` on a machine that does, and try again.")
        busy = self._catalog.count_unfinished(able)
        return private_queue(min(able, key=lambda executor: (busy.get(executor, 0), executor)))

    def list_interrupted(self) -> list[str]:
        """Return the runs that dead executors have left, by id."""
        return sorted({left.run for executor in self._each_dead() for left in self._catalog.list_unfinished(executor)})

    def clear_away(self) -> None:
        """Remove dead executors that have left nothing."""
        for executor in self._each_dead():
            self._bury_if_done(executor)

    def bury_dead(self) -> list[Refused]:
        """Hand on the runs of all dead executors, and return those that this release cannot finish."""
        return [refused for executor in self._each_dead() for refused in self._bury(executor)]

    def reclaim(self, left: Sequence[Round], queue: str | None) -> list[Refused]:
        """Put back what this process has taken and is not working on.

        Args:
            left: the rounds.
            queue: where to; None for where each belongs.
        """
        if queue is None:
            return self._hand_on(left)
        if left:
            self._catalog.move(left, queue)
        return []

    def leave(self) -> None:
        """Take this process off the list, unless it leaves runs behind: then whoever hands those on does so."""
        left = self._catalog.list_unfinished(self._me)
        self._ledger.count_crashes([r.run for r in left if r.stage == "started"], -1)  # whoever hands them on adds 1
        self._bury_if_done(self._me)

    def adopt_waiting(self) -> list[Refused]:
        """Take over what other versions have put into the shared queue, and return what this release cannot finish."""
        return self._hand_on(self._catalog.list_waiting_of_others())

    def take_over(self, round_: Round, queue: str) -> bool:
        """Put one round of a dead executor into a queue, and say whether it was dead."""
        executor = round_.executor or ""
        with taken(self._signs, executor) as dead:
            if not dead:
                return False
            still = [left for left in self._catalog.list_unfinished(executor) if left.id == round_.id]
            if still:
                self._catalog.move(still, queue)
            self._bury_if_done(executor)
            return bool(still)

    def _each_dead(self) -> Iterator[str]:
        """Each dead executor, with its lock held meanwhile."""
        for peer in self._ledger.list_executors():
            if peer.id != self._me:
                with taken(self._signs, peer.id) as dead:
                    if dead:
                        yield peer.id

    def _bury(self, executor: str) -> list[Refused]:
        refused = self._hand_on(self._catalog.list_unfinished(executor), crashed=True)
        self._bury_if_done(executor)
        # A run may have been put into its queue between those two; whoever does so later sees that it is not on the list.
        return refused + self._hand_on(self._catalog.list_unfinished(executor), crashed=True)

    def _bury_if_done(self, executor: str) -> None:
        if not self._catalog.list_unfinished(executor):
            self._ledger.strike(executor)
            self._catalog.close_private_queue(executor)
            self._signs.bury(executor)

    def _hand_on(self, rounds: Iterable[Round], crashed: bool = False) -> list[Refused]:
        refused = []
        for left in rounds:
            match self._versions.judge(left.version):
                case "own" | "older" as version:
                    self._pass(left, begin_again=version == "older", crashed=crashed)
                case "unreadable":
                    refused.append(Refused(left, explain_version(left, self._versions)))
                case "newer":
                    pass  # a process of that release will take it
        return refused

    def _pass(self, left: Round, begin_again: bool, crashed: bool) -> None:
        try:
            queue = self.choose_queue(left.needs)
        except NoWorker:
            return  # it stays interrupted until such a worker comes
        if crashed and left.stage == "started":
            self._ledger.count_crashes([left.run], 1)
        if begin_again:  # a round's version cannot be changed; first the new one, so that a crash here loses nothing
            self._catalog.enqueue(left.run, left, queue, left.needs, PRIORITY)
            self._catalog.cancel([left])
        else:
            self._catalog.move([left], queue)


def explain_version(left: Round, versions: Versions) -> str:
    """Return why this release cannot finish a round, and what to do."""
    known = ", ".join(map(str, sorted({versions.own, *versions.readable})))
    way = "upgrade this one" if versions.judge(left.version) == "newer" else "start the topic again"
    return f"Run {left.run} was begun by another release (data version {left.version}; this one can finish {known}): {way}."

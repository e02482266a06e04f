"""How often a client may change something."""

import time
from collections.abc import Callable

MOST_CLIENTS = 10_000
"""Clients that are remembered; those whose buckets are full again need not be."""


class Rates:
    """A bucket for each client: it holds as many as are allowed in a minute, and fills at that rate.

    Args:
        a_minute: how many are allowed.
        clock: seconds that never go back.
    """

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(a_minute)
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> float:
        """Count one of a client, and return 0; or the seconds that it has to wait, if there is none left."""
        now = self._clock()
        left, since = self._buckets.get(client, (self._most, now))
        left = min(self._most, left + (now - since) * self._most / 60)
        if left < 1:
            return (1 - left) * 60 / self._most
        if len(self._buckets) >= MOST_CLIENTS:
            self._forget(now)
        self._buckets[client] = (left - 1, now)
        return 0.0

    def _forget(self, now: float) -> None:
        """Forget who has done nothing for a minute."""
        self._buckets = {client: bucket for client, bucket in self._buckets.items() if now - bucket[1] < 60}

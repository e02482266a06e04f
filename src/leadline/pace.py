"""Keeping to the number of requests that a provider takes from one client in a minute."""

import datetime as dt
from collections import deque
from functools import cache

from leadline.ports import Clock

_MINUTE = dt.timedelta(minutes=1)


class Pace:
    """Lets requests through in the order in which they were asked for, at most `per_minute` in any 60 seconds."""

    def __init__(self, per_minute: int) -> None:
        self._latest: deque[dt.datetime] = deque(maxlen=per_minute)
        """When the latest requests go out, the last of them perhaps in some minutes."""
        self._asked: dt.datetime | None = None

    async def keep(self, clock: Clock) -> None:
        """Wait until one more request may go out. Who is cancelled meanwhile has used up the turn."""
        now = clock.now()
        if self._asked and now < self._asked:  # the clock was put back
            self._latest.clear()
        self._asked = now
        turn = max(now, self._latest[0] + _MINUTE) if len(self._latest) == self._latest.maxlen else now
        self._latest.append(turn)
        if turn > now:
            await clock.sleep((turn - now).total_seconds())


@cache
def find_pace(provider: str, per_minute: int) -> Pace:
    """Return the pace that all runs of this process keep together towards a provider."""
    return Pace(per_minute)

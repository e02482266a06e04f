"""Time as the machine has it."""

import asyncio
import datetime as dt


class SystemClock:
    """The clock of this machine, in its own time zone."""

    def now(self) -> dt.datetime:
        """Return the current time."""
        return dt.datetime.now().astimezone()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


async def happens(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait for an event, at most so many seconds (None: for ever), and say whether it came."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True

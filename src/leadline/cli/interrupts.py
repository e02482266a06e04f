"""What a person's Ctrl-C and a system's SIGTERM do while the event loop works."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds after which a process that was told to stop leaves whatever still hangs in its threads."""


@contextmanager
def heard(numbers: Collection[int], act: Callable[[], None]) -> Iterator[None]:
    """Let signals call `act` on the running loop instead of ending the process, for the block.

    By `signal.signal` and not by `loop.add_signal_handler`: that works on Windows too, and `act` can put another handler in.
    """
    loop = asyncio.get_running_loop()
    before = {number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(act)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave_soon(status: int) -> None:
    """Let the process end within `PATIENCE` seconds, by force if need be: all that matters is in the store by then."""
    timer = threading.Timer(PATIENCE, os._exit, [status])
    timer.daemon = True
    timer.start()

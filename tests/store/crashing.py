"""A process that writes until it is killed: prints the number of each call once it is recorded."""

import asyncio
import sys
from functools import partial
from pathlib import Path

from tests.store.samples import say

from leadline.events import StatusEvent
from leadline.store import open_store


def make_events(number: int, _: object) -> list[tuple[str, StatusEvent]]:
    return [(f"a{number}", say("a")), (f"b{number}", say("b"))]


async def write(target: str | Path) -> None:
    async with await open_store(target) as store:
        journal = store.journal("r1")

        async def call(worker: int) -> None:
            for index in range(100_000):
                number = index * 4 + worker
                await journal.once(f"k{number}", "read", lambda: asyncio.sleep(0, "first"), partial(make_events, number))
                sys.stdout.write(f"{number}\n")
                sys.stdout.flush()

        await asyncio.gather(*(call(worker) for worker in range(4)))


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1]))

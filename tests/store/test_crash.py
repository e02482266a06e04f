"""kill -9 while calls are being recorded: what was acknowledged is there, whole and once."""

import asyncio
import random
import sys
from pathlib import Path

import pytest
from pydantic import JsonValue
from tests.store.crashing import __file__ as program

from leadline.store import open_store


async def write_and_kill(target: str | Path, lines: int) -> set[int]:
    """Kill a writing process after it has acknowledged some calls; return all that it acknowledged."""
    root = str(Path(program).parents[2])
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.store.crashing", str(target)), cwd=root, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    seen = [await process.stdout.readline() for _ in range(lines)]
    process.kill()
    rest = await process.stdout.read()
    await process.wait()
    return {int(line) for line in (b"".join(seen) + rest).splitlines(keepends=True) if line.endswith(b"\n")}


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
async def test_no_acknowledged_call_is_lost_or_split_from_its_events(target: str | Path) -> None:
    moments = random.Random(7)
    acknowledged: set[int] = set()
    for _ in range(3):
        acknowledged |= await write_and_kill(target, moments.randint(1, 400))

    async def again() -> JsonValue:
        return "again"

    async with await open_store(target) as store:
        keys: set[str] = set()
        events = await store.runs.events("r1")
        journal = store.journal("r1")
        for number in sorted(acknowledged):
            assert await journal.once(f"k{number}", "read", again) == "first"
            keys |= {f"a{number}", f"b{number}"}
    assert [envelope.seq for envelope in events] == list(range(1, len(events) + 1))
    assert len(events) % 2 == 0
    assert len(events) >= len(keys)

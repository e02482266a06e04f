"""Opening the engine: what it costs, what it prints, and what it says about bad places."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engine.actors import Actor

from leadline.engine import Place, open_books
from leadline.errors import StoreError


def _run(code: str, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, timeout=60, check=False)


def test_importing_is_cheap() -> None:
    done = _run("import sys, leadline.engine; print('dbos' in sys.modules, 'sqlalchemy' in sys.modules)")
    assert done.stdout.split() == ["False", "False"]


def test_nothing_is_printed(home: Path) -> None:
    code = """if 1:
        import asyncio, pathlib, sys
        from leadline.engine import Place, open_engine
        async def perform(run):
            if run == "slow":
                await asyncio.sleep(60)
        async def give_up(run, reason): ...
        async def main():
            async with open_engine(Place(pathlib.Path(sys.argv[1])), "research", perform, give_up) as engine:
                await engine.carry_out("r1")
                slow = asyncio.create_task(engine.carry_out("slow"))
                await asyncio.sleep(0.5)
                slow.cancel()
        asyncio.run(main())"""
    done = _run(code, str(home))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


async def test_a_home_with_a_strange_name(tmp_path: Path) -> None:
    actor = Actor()
    async with actor.at(Place(tmp_path / "a b?#%41 é"), "research") as engine:
        await engine.carry_out("r1")
    assert actor.ended == ["r1"]
    assert (tmp_path / "a b?#%41 é" / "engine.db").is_file()


async def test_a_damaged_file_is_named(home: Path) -> None:
    home.mkdir()
    (home / "engine.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError, match=re.escape(f"{str(home / 'engine.db')!r} is damaged")) as caught:
        async with open_books(Place(home)):
            pass
    assert "\n" not in str(caught.value)


async def test_a_home_that_is_a_file(home: Path) -> None:
    home.write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be used"):
        async with open_books(Place(home)):
            pass


async def test_a_server_that_is_not_there(home: Path) -> None:
    url = "postgresql://someone:secret@127.0.0.1:1/nothing"
    with pytest.raises(StoreError, match=re.escape("someone:***@127.0.0.1:1/nothing cannot be used")) as caught:
        async with open_books(Place(home, url)):
            pass
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)

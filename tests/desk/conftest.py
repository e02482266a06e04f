from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from leadline.desk import Desk, open_desk
from leadline.records import Request, Run
from leadline.settings import Settings

TEXTS = {
    "vacuum.md": "# Vacuuming\n\nVACUUM reclaims the space that dead rows of a table take up. "
    "Autovacuum starts VACUUM by itself when enough rows of a table are dead.\n",
    "freezing.md": "# Freezing\n\nFreezing marks old rows so that their transaction ids can be used again. "
    "A table that is never frozen stops all writes when its transaction ids run out.\n",
    "bloat.md": "# Bloat\n\nA long transaction keeps dead rows of a table from being reclaimed. "
    "Bloat is the space of dead rows that VACUUM could not reclaim in time.\n",
}
TOPIC = "How are dead rows of a table reclaimed?"


def write_texts(folder: Path) -> Path:
    """Return the folder, made with the documents in it."""
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "library")


@pytest.fixture
def settings(home: Path) -> Settings:
    return Settings(home=home)


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    async with open_desk(settings) as opened:
        yield opened


@pytest.fixture
def request_(library: Path) -> Request:
    return Request(topic=TOPIC, sources=(str(library),))


async def carry_out(desk: Desk, run: Run) -> Run:
    async with desk.engaged("research") as shift:
        await shift.carry_out(run)
    return await desk.store.runs.load(run.id)

"""A run over documents with a model on this machine."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from bench.chat import ChatServer

from leadline import api
from leadline.models import ModelChoice
from leadline.records import Run

TEXTS = {
    "rows.md": "# Dead rows\n\nVACUUM reclaims the space of dead rows. A dead row is a version that nobody sees any more.\n",
    "index.md": "# Index\n\nAn index scan visits heap pages in order. VACUUM cleans each index of dead rows too.\n",
    "stats.md": "# Planner\n\nThe planner reads statistics of tables. A lock delays worker processes.\n",
}
QUESTION = "How does VACUUM reclaim dead rows?"

Research = Callable[..., Awaitable[Run]]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "manual"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def research(documents: Path) -> Research:
    """Return what researches with the model of a server; `question` and options are those of `leadline.research`."""

    async def work(server: ChatServer, question: str = QUESTION, name: str = "compatible:good", **options: Any) -> Run:
        choice = ModelChoice(name=name, url=server.url).model_copy(update=options.pop("choice", {}))
        return await api.research(question, sources=[documents], model=choice, keep=False, **options)

    return work

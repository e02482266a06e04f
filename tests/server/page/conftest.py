"""A house to look at: a server process that can be killed, whose runs go on only as far as they are allowed."""

import asyncio
import base64
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx
import pytest_asyncio
from playwright.async_api import Page
from tests.forks import FORKS
from tests.server.page.house import FILE, run

ALL = 10_000

TOPIC = "How are dead rows of a table reclaimed?"
TEXTS = {
    "vacuum.md": "# Vacuuming\n\nVACUUM reclaims the space that dead rows of a table take up. "
    "VACUUM marks the space of dead rows as free for new rows of the same table. "
    "VACUUM does not return the space of dead rows to the system. "
    "Autovacuum starts VACUUM by itself when enough rows of a table are dead.\n",
    "freezing.md": "# Freezing\n\nFreezing marks old rows of a table so that their transaction ids can be used again. "
    "A table whose rows are never frozen stops all writes when its transaction ids run out. "
    "VACUUM freezes rows of a table while it reclaims dead rows.\n",
    "bloat.md": "# Bloat\n\nA long transaction keeps dead rows of a table from being reclaimed. "
    "Bloat is the space of dead rows of a table that VACUUM could not reclaim in time. "
    "VACUUM FULL writes a table anew without the dead rows and locks it meanwhile.\n",
}
TODOS: list[dict[str, Any]] = [
    {"title": "Vacuuming", "intent": "What it reclaims", "query": "VACUUM dead rows table"},
    {"title": "Freezing", "intent": "Why it must be", "query": "freezing rows transaction ids"},
    {"title": "Bloat", "intent": "What blocks it", "query": "bloat dead rows long transaction"},
]


@dataclass
class House:
    """A server on a port of its own. It survives `kill` and `start` with all its data."""

    home: Path
    port: int
    process: BaseProcess | None = None
    client: httpx.AsyncClient = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.AsyncClient(base_url=self.address, timeout=30)

    @property
    def address(self) -> str:
        """Where it is, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start it, and return when it takes runs."""
        self.process = FORKS.Process(target=run, args=(str(self.home), self.port))
        self.process.start()
        async with asyncio.timeout(120):
            while not await self._is_working():
                await asyncio.sleep(0.05)

    async def _is_working(self) -> bool:
        assert self.process is not None
        assert self.process.is_alive(), "the server has ended"
        try:
            return bool((await self.client.get("/healthz")).json()["working"])
        except httpx.TransportError:
            return False

    async def kill(self) -> None:
        """End it at once, as a power failure does."""
        if self.process is not None:
            self.process.kill()
            self.process.join()

    def allow(self, points: int) -> None:
        """Let runs give so many points in all, counted from the start of the process."""
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / FILE).write_text(str(points))

    async def send(self, texts: Mapping[str, str] = TEXTS, name: str = "manual") -> None:
        """Make a library."""
        documents = [{"name": file, "content": base64.b64encode(text.encode()).decode()} for file, text in texts.items()]
        response = await self.client.post("/api/v1/libraries", json={"name": name, "documents": documents})
        assert response.status_code == 201, response.text

    async def ask(self, **more: Any) -> str:
        """Begin a run and return its id."""
        body = {"topic": TOPIC, "sources": ["manual"], "plan": TODOS, **more}
        response = await self.client.post("/api/v1/runs", json=body)
        assert response.status_code == 202, response.text
        return str(response.json()["id"])

    async def show(self, run: str) -> dict[str, Any]:
        """Return a run as the API tells of it."""
        return dict((await self.client.get(f"/api/v1/runs/{run}")).json())

    async def wait(self, run: str, state: str) -> dict[str, Any]:
        """Wait until a run is in a state."""
        async with asyncio.timeout(60):
            while (shown := await self.show(run))["state"] != state:
                await asyncio.sleep(0.05)
        return shown


@pytest_asyncio.fixture(loop_scope="session")
async def house(home: Path) -> AsyncIterator[House]:
    """Return a server with the library `manual`; its runs give no point before they are allowed to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    house = House(home, port)
    try:
        await house.start()
        await house.send()
        yield house
    finally:
        await house.kill()
        await house.client.aclose()


STANDS = """(() => {
    const texts = (these) => [...document.querySelectorAll(these)].filter((one) => !one.hidden).map((one) => one.innerText);
    return JSON.stringify({
        address: location.href,
        state: document.querySelector('#state')?.className,
        told: texts('#trouble, #wrong, #gone, #told, .notice, .doing'),
        todos: texts('#todos > li'),
        points: texts('.points li').length,
        evidence: document.querySelector('.evidence.is-open')?.id,
        focus: document.activeElement?.outerHTML.slice(0, 80),
        scrolled: scrollY,
    });
})()"""
"""What a page shows, in short."""


async def until(page: Page, script: str) -> None:
    """Wait until an expression is true in a page; Playwright's own way would evaluate text there, which the pages forbid."""
    try:
        async with asyncio.timeout(60):
            while not await page.evaluate(script):
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"never came true: {script}\nthe page stands at {await page.evaluate(STANDS)}") from None


async def points(page: Page) -> list[str]:
    """Return the points that a page shows in its findings or its sections."""
    return [text.strip() for text in await page.locator(".points .said").all_text_contents()]

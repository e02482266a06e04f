"""A server to talk to: the real one, on a port of its own."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.desk.conftest import TEXTS as TEXTS
from tests.desk.conftest import TOPIC as TOPIC
from tests.desk.conftest import write_texts

from leadline.desk import Desk, open_desk
from leadline.engine import Limits
from leadline.library import Registry
from leadline.records import Run
from leadline.server.access import Access
from leadline.server.app import open_app
from leadline.server.serving import bound, serve
from leadline.settings import load_settings

TODOS = [
    {"title": "Vacuuming", "query": "vacuum dead rows"},
    {"title": "Freezing", "query": "freezing transaction ids"},
]

Json = dict[str, Any]
Served = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]


def add_manual(home: Path, folder: Path) -> None:
    """Have the library `manual` in a data folder."""
    Registry(home).add("manual", [str(write_texts(folder))])


def upload(name: str = "manual", texts: dict[str, str] = TEXTS) -> Json:
    """Return the body that makes a library."""
    documents = [{"name": name, "content": base64.b64encode(text.encode()).decode()} for name, text in texts.items()]
    return {"name": name, "documents": documents}


def question(**more: Any) -> Json:
    """Return the body that begins a run."""
    return {"topic": TOPIC, "sources": ["manual"], "plan": TODOS, **more}


@asynccontextmanager
async def served(access: Access = Access(), **more: Any) -> AsyncIterator[httpx.AsyncClient]:
    """Serve on a free port in this very loop, and yield a client that knows where."""

    def ignore(run: Run) -> None:
        pass

    ready, stopped = asyncio.Event(), asyncio.Event()
    with bound("127.0.0.1", 0) as opened:
        port = opened.getsockname()[1]
        async with open_desk(load_settings()) as desk:
            serving = asyncio.create_task(serve(desk, access, opened, Limits(), ignore, stopped, ready.set))
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30, **more) as client:
                try:
                    await ready.wait()
                    yield client
                finally:
                    stopped.set()
                    await serving


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """Return a client of a server that carries out runs and has the library `manual`."""
    async with served() as made:
        assert (await made.post("/api/v1/libraries", json=upload())).status_code == 201
        yield made


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with open_desk(load_settings(), keep=False) as opened:
        yield opened


@asynccontextmanager
async def opened(desk: Desk, access: Access = Access(), peer: str = "127.0.0.1") -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of an application without a process around it: nothing carries out runs."""
    async with open_app(desk, access) as app:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(peer, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:7733") as made:
            yield made


async def follow(client: httpx.AsyncClient, run: str, after: int = 0, **more: Any) -> list[tuple[int, Json]]:
    """Return the events of a run to its end, with their numbers."""
    events: list[tuple[int, Json]] = []
    async with client.stream("GET", f"/api/v1/runs/{run}/events", params={"after": after}, **more) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        number = 0
        async for line in response.aiter_lines():
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("data: "):
                events.append((number, json.loads(line[6:])))
    return events


async def begin(client: httpx.AsyncClient, **more: Any) -> Json:
    """Begin a run."""
    response = await client.post("/api/v1/runs", json=question(**more))
    assert response.status_code == 202, response.text
    return dict(response.json())


async def finish(client: httpx.AsyncClient, **more: Any) -> Json:
    """Begin a run, follow it to its end, and return it."""
    run = await begin(client, **more)
    await follow(client, run["id"])
    return dict((await client.get(f"/api/v1/runs/{run['id']}")).json())

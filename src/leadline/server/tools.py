"""The tools for agents at `/mcp`. Their package takes a second to load, which only whoever uses it waits for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib import import_module
from importlib.util import find_spec

from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from leadline.desk import Desk
from leadline.server.guard import Refused


class Entrance:
    """Lets requests through to the tools, and loads them for the first one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tools: asyncio.Future[ASGIApp] = asyncio.get_running_loop().create_future()
        self._holding: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through."""
        if self._holding is None:
            self._holding = asyncio.create_task(self._hold())
        tools = await asyncio.shield(self._tools)
        await tools(scope, receive, send)

    async def _hold(self) -> None:
        if find_spec("mcp") is None:
            self._tools.set_result(_refuse)
            return
        module = await asyncio.to_thread(import_module, "leadline.mcp_server")
        async with module.served_over_http(self._desk) as tools:
            self._tools.set_result(tools)
            await asyncio.get_running_loop().create_future()

    async def close(self) -> None:
        """Let go of the tools."""
        if self._holding is not None:
            self._holding.cancel()
            await asyncio.gather(self._holding, return_exceptions=True)


@asynccontextmanager
async def open_tools(desk: Desk) -> AsyncIterator[Route]:
    """Yield the route at which agents are answered, for the block."""
    entrance = Entrance(desk)
    try:
        yield Route("/mcp", entrance)
    finally:
        await entrance.close()


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "Tools for agents need a package: pip install 'leadline[mcp]'.")

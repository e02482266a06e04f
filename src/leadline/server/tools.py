"""The tools for agents at `/mcp`; their package takes a second to load, and is loaded when requests are answered already."""

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
    """Lets requests through as soon as there is something behind it."""

    def __init__(self) -> None:
        self.app: asyncio.Future[ASGIApp] = asyncio.get_running_loop().create_future()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through."""
        app = await asyncio.shield(self.app)
        await app(scope, receive, send)


@asynccontextmanager
async def open_tools(desk: Desk) -> AsyncIterator[Route]:
    """Yield the route at which agents are answered, for the block."""
    entrance = Entrance()
    holding = asyncio.create_task(_hold(desk, entrance))
    try:
        yield Route("/mcp", entrance)
    finally:
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)


async def _hold(desk: Desk, entrance: Entrance) -> None:
    if find_spec("mcp") is None:
        entrance.app.set_result(_refuse)
        return
    module = await asyncio.to_thread(import_module, "leadline.mcp_server")
    async with module.served_over_http(desk) as app:
        entrance.app.set_result(app)
        await asyncio.get_running_loop().create_future()


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "Tools for agents need a package: pip install 'leadline[mcp]'.")

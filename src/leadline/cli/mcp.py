"""`leadline mcp`: tools for the agent at the other end of stdin and stdout."""

import asyncio
from importlib.util import find_spec

from leadline.cli.detaching import start_worker
from leadline.cli.streams import say
from leadline.cli.troubles import told
from leadline.desk import Desk, open_desk
from leadline.engine import open_books
from leadline.errors import UsageError
from leadline.settings import load_settings


async def serve() -> None:
    """Serve until stdin ends.

    Raises:
        UsageError: the package is not there.
    """
    if find_spec("mcp") is None:
        raise UsageError("Tools for agents need a package: pip install 'leadline[mcp]'")
    from leadline.mcp_server import serve_stdio

    async with open_desk(load_settings()) as desk:
        with told(say):
            working = asyncio.create_task(_carry_out(desk))
            serving = asyncio.create_task(serve_stdio(desk))
            try:
                await asyncio.wait({working, serving}, return_when=asyncio.FIRST_COMPLETED)
                (working if working.done() else serving).result()
            finally:
                working.cancel()
                serving.cancel()
                await asyncio.gather(working, serving, return_exceptions=True)
        await _leave(desk)


async def _carry_out(desk: Desk) -> None:
    async with desk.engaged("serve"):
        await asyncio.get_running_loop().create_future()


async def _leave(desk: Desk) -> None:
    """Leave what has not ended to others: closing a conversation stops no run."""
    async with open_books(desk.place) as books:
        open_runs, peers = await books.count_open(), await books.peers()
    if open_runs and not any(peer.role != "research" for peer in peers) and not desk.settings.database_url:
        start_worker(desk.settings.home)

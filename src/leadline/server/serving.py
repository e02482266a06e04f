"""The process: a port, the application behind it, and the engine that carries runs out beside it."""

import asyncio
import errno
import socket
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from leadline.desk import Desk, Witness
from leadline.engine import Limits
from leadline.errors import UsageError
from leadline.server.access import Access
from leadline.server.app import open_app
from leadline.server.place import House

FAREWELL = 2
"""Seconds that requests may take to end when the server stops."""


class Server(uvicorn.Server):
    """Uvicorn, with the signals left to the command."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave the signals alone."""
        yield


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """Open a port for the block.

    Raises:
        UsageError: it is taken, or may not be opened.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((host, port))
            opened.listen(2048)
        except OSError as error:
            raise UsageError(_explain(error, host, port)) from error
        yield opened


def _explain(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program; choose another one, for example --port {port + 1}."
    if error.errno == errno.EACCES:
        return f"Port {port} may be opened by the system's administrator alone; choose one above 1023, for example --port 7733."
    return f"{host}, port {port} cannot be listened at ({error.strerror}); choose another --host or --port."


async def serve(
    desk: Desk,
    access: Access,
    opened: socket.socket,
    limits: Limits,
    witness: Witness,
    stopped: asyncio.Event,
    told: Callable[[], None],
) -> None:
    """Answer requests and carry runs out, until told to stop.

    Args:
        desk: of the store.
        access: who may come in.
        opened: the port.
        limits: how many runs at once.
        witness: told of each run that begins and ends here.
        stopped: ends it when set.
        told: called when requests are answered.

    Raises:
        StoreError: the engine's data cannot be used.
    """
    async with open_app(desk, access) as app:
        house: House = app.state.house
        server = _make_server(app)
        tasks = [asyncio.create_task(server.serve([opened])), asyncio.create_task(stopped.wait())]
        try:
            while not server.started and not tasks[0].done():
                await asyncio.sleep(0.01)
            told()
            tasks.append(asyncio.create_task(_carry_out(desk, house, limits, witness)))
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            ended.pop().result()
        finally:
            house.feeds.close()  # streams would hold the server up
            server.should_exit = True
            for task in tasks[1:]:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def _make_server(app: FastAPI) -> Server:
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        lifespan="off",
        proxy_headers=False,  # the guard reads them
        server_header=False,
        timeout_graceful_shutdown=FAREWELL,
    )
    return Server(config)


async def _carry_out(desk: Desk, house: House, limits: Limits, witness: Witness) -> None:
    """Carry out runs; opening the engine takes a second, in which requests are answered already."""
    async with desk.engaged("serve", limits, witness) as house.shift:
        await asyncio.get_running_loop().create_future()

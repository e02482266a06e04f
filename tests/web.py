"""A web of our own on loopback: sites that behave as they are told to, names that lead to them, and a canary."""

import asyncio
import gzip
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from types import TracebackType
from typing import Self

import httpcore
from bench.provider import Answer as Answer
from bench.provider import Asked as Asked
from bench.provider import hear

PUBLIC = "93.184.215.14"
"""An address of the open internet; `Internet` leads it to a site of ours."""


Talk = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]
Route = Answer | Callable[[Asked], Answer] | Talk


class Site(AbstractAsyncContextManager["Site"]):
    """A real HTTP/1.1 server on loopback. `asked` are the requests that it got; `open` counts connections."""

    def __init__(self, routes: Mapping[str, Route] | None = None, host: str = "127.0.0.1") -> None:
        self.routes: dict[str, Route] = dict(routes or {})
        self.asked: list[Asked] = []
        self.opened = 0
        self._host = host
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self._host, 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for talk in list(self._talks):
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    @property
    def place(self) -> tuple[str, int]:
        return self._host, self.port

    @property
    def targets(self) -> list[str]:
        return [asked.target for asked in self.asked]

    def url(self, target: str = "/") -> str:
        return f"http://{self._host}:{self.port}{target}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        self.opened += 1
        try:
            while (asked := await hear(reader)) is not None:
                self.asked.append(asked)
                await self._answer(asked, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the reader has left, or the site closes
        finally:
            self._talks.discard(task)
            writer.close()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        route = self.routes.get(asked.target) or self.routes.get(asked.target.partition("?")[0]) or Answer(status=404)
        if not isinstance(route, Answer):
            told = route(asked) if not asyncio.iscoroutinefunction(route) else await route(asked, writer)  # type: ignore[call-arg]
            if not isinstance(told, Answer):
                writer.close()
                return
            route = told
        head = {"Content-Length": str(len(route.body)), **route.headers}
        lines = [f"HTTP/1.1 {route.status} Told", *(f"{name}: {value}" for name, value in head.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + route.body)
        await writer.drain()


def page(title: str, *paragraphs: str) -> Answer:
    """Return a web page of some paragraphs."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = (
        f"<!doctype html><html><head><title>{title}</title></head><body><article><h1>{title}</h1>{text}</article></body></html>"
    )
    return Answer(html.encode())


def redirect(target: str, status: int = 302) -> Answer:
    return Answer(status=status, headers={"Location": target})


def zipped(body: bytes) -> Answer:
    return Answer(gzip.compress(body), headers={"Content-Type": "text/html", "Content-Encoding": "gzip"})


class Internet(httpcore.AsyncNetworkBackend):
    """Names and addresses of an internet that is made of our sites.

    Args:
        names: name → its addresses at each look-up; the last answer is the one for all later look-ups.
        places: address → the site behind it, whatever port is asked for. An address that is not here is dead.
    """

    def __init__(self, names: Mapping[str, Iterable[list[str]]], places: Mapping[str, Site]) -> None:
        self._names = {name: list(answers) for name, answers in names.items()}
        self._places = places
        self.dialled: list[tuple[str, int]] = []
        self._under = httpcore.AnyIOBackend()

    async def resolve(self, host: str, port: int) -> list[str]:
        answers = self._names.get(host)
        if not answers:
            raise OSError(f"no such name: {host}")
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.dialled.append((host, port))
        if host not in self._places:
            raise httpcore.ConnectError(f"nobody is at {host}")
        site, at = self._places[host].place
        return await self._under.connect_tcp(site, at, timeout)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@contextmanager
def served(*sites: Site) -> Iterator[None]:
    """Serve sites from a thread of their own, for tests that are not asynchronous or that start processes."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="sites")
    thread.start()
    try:
        for site in sites:
            asyncio.run_coroutine_threadsafe(site.__aenter__(), loop).result(10)
        yield
    finally:
        for site in sites:
            asyncio.run_coroutine_threadsafe(site.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

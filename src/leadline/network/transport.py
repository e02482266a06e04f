"""HTTP over a gate: httpx asks, httpcore speaks, and the connection goes to the address that was checked."""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version

import httpcore
import httpx

from leadline.errors import FetchFailed
from leadline.network.gate import Gate

USER_AGENT = f"leadline/{version('leadline')}"

# httpx logs the URL of each request at INFO: it may hold what a person asks for, and a key.
logging.getLogger("httpx").setLevel(logging.WARNING)

_MOST_CONNECTIONS = 100
_KEPT_CONNECTIONS = 10  # httpcore looks at each of them for every request: 100 cost 0.5 s of processor for 100 pages
_KEPT_SECONDS = 5.0

_ERRORS = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol)
"""httpx has an error of the same name for each of these and of their kinds."""


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects where the gate lets it: a name is looked up once, and the connection goes to an address that passed.

    TLS and the Host header are made above this, with the name. `dial` makes the connections.
    """

    def __init__(self, gate: Gate, dial: httpcore.AsyncNetworkBackend) -> None:
        self._gate = gate
        self._dial = dial

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: "Iterable[httpcore.SOCKET_OPTION] | None" = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of the host that answers."""
        addresses = await self._gate.find_addresses(host, port)
        for address in addresses[:-1]:
            try:
                return await self._dial.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._dial.connect_tcp(addresses[-1], port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: "Iterable[httpcore.SOCKET_OPTION] | None" = None
    ) -> httpcore.AsyncNetworkStream:
        """Refuse: no page is behind a socket file."""
        raise FetchFailed("address not allowed", "address not allowed: it is a socket file")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class GuardedTransport(httpx.AsyncBaseTransport):
    """What `httpx.AsyncHTTPTransport` is, over a `GuardedBackend`: httpx has no public way to hand one in."""

    def __init__(self, gate: Gate, dial: httpcore.AsyncNetworkBackend | None = None) -> None:
        self._gate = gate
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=_trust(),
            max_connections=_MOST_CONNECTIONS,
            max_keepalive_connections=_KEPT_CONNECTIONS,
            keepalive_expiry=_KEPT_SECONDS,
            network_backend=GuardedBackend(gate, dial or httpcore.AnyIOBackend()),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises FetchFailed when its address is not allowed."""
        self._gate.check_url(str(request.url))
        assert isinstance(request.stream, httpx.AsyncByteStream)
        asked = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _translated(request):
            answer = await self._pool.handle_async_request(asked)
        stream = _Body(answer, request)
        return httpx.Response(answer.status, headers=answer.headers, stream=stream, extensions=answer.extensions)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    """The body of an answer, as it comes."""

    def __init__(self, answer: httpcore.Response, request: httpx.Request) -> None:
        self._answer = answer
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _translated(self._request):
            async for part in self._answer.aiter_stream():
                yield part

    async def aclose(self) -> None:
        await self._answer.aclose()


@contextmanager
def _translated(request: httpx.Request) -> Iterator[None]:
    try:
        yield
    except _ERRORS as error:
        theirs: type[httpx.TransportError] = getattr(httpx, type(error).__name__)
        raise theirs(str(error), request=request) from error


@cache
def _trust() -> ssl.SSLContext:
    """Reading the certificates takes 20 ms: once in a process."""
    return httpx.create_ssl_context()


def open_client(gate: Gate, timeout: float = 20.0, dial: httpcore.AsyncNetworkBackend | None = None) -> httpx.AsyncClient:
    """Return a client that goes through a gate, with an honest user agent. It follows no redirect and uses no proxy.

    Args:
        gate: decides each connection.
        timeout: seconds for each step of a request.
        dial: makes the connections, to the addresses that passed.
    """
    return httpx.AsyncClient(
        transport=GuardedTransport(gate, dial),
        timeout=timeout,
        trust_env=False,
        follow_redirects=False,
        headers={"User-Agent": USER_AGENT},
    )

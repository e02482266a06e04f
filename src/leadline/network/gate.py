"""Which connections are allowed. Every one is decided here, on the address that it is then made to."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from leadline.errors import FetchFailed, UsageError
from leadline.network.addresses import Address, is_loopback, is_public, read_host

PORTS = frozenset({80, 443, 8000, 8008, 8080, 8443})
"""Ports that public web servers use; others speak protocols that an HTTP request could be mistaken for."""

_OFFLINE = "--offline allows nothing beyond this machine"

DEFAULT_PORTS = {"http": 80, "https": 443}

Place = tuple[str, int]
"""Host name in lower case, and port."""

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a name. Raises OSError when there is none."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """Ask the system for the addresses of a name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in found]


class Gate:
    """Lets connections to public addresses pass, and to the user's own services.

    Args:
        own: services that the user has configured, as `(host, port)`: they may be anywhere.
        offline: nothing but loopback passes, whatever else is allowed.
        resolve: gives the addresses of a name.
    """

    def __init__(self, own: Iterable[Place] = (), offline: bool = False, resolve: Resolve = resolve) -> None:
        self._own = frozenset((host.lower().rstrip("."), port) for host, port in own)
        self._resolve = resolve
        self.offline = offline

    def check_url(self, url: str) -> None:
        """Refuse a URL that cannot lead to an allowed connection; its name is not looked up.

        Raises:
            FetchFailed: it is no URL of the web, or names an address that is not allowed.
        """
        parts = _split(url)
        if parts.scheme not in DEFAULT_PORTS:
            raise _refuse(f"{parts.scheme or 'no scheme'} is not http or https")
        if parts.username is not None or parts.password is not None:
            raise _refuse("it holds a user name")
        host, port = find_place(url)
        if self.offline and not is_here(host):
            raise _refuse(_OFFLINE)
        if not self._is_own(host, port):
            self._check_place(host, port)

    async def find_addresses(self, host: str, port: int) -> Sequence[str]:
        """Look a name up, and return its addresses if all of them are allowed: connect to these, and to nothing else.

        Raises:
            FetchFailed: one of them is not, or there is none.
        """
        addresses = [ip_address(address.partition("%")[0]) for address in await self._look_up(host, port)]
        for address in addresses:
            self._check_address(address, self._is_own(host, port))
        return [str(address) for address in addresses]

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        given = _read_host(host)
        if given is not None:
            return [str(given)]
        if self.offline and not _is_localhost(host):
            raise _refuse(_OFFLINE)
        try:
            found = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchFailed("unreachable", f"the host {host!r} could not be found") from error
        if not found:
            raise FetchFailed("unreachable", f"the host {host!r} has no address")
        return found

    def _is_own(self, host: str, port: int) -> bool:
        return (host.lower().rstrip("."), port) in self._own

    def _check_place(self, host: str, port: int) -> None:
        if port not in PORTS:
            raise _refuse(f"port {port} is not one of the web")
        given = _read_host(host)
        if given is not None:
            self._check_address(given, False)
        elif _is_localhost(host):
            raise _refuse("it is this machine")

    def _check_address(self, address: Address, own: bool) -> None:
        if self.offline and not is_loopback(address):
            raise _refuse(_OFFLINE)
        if not own and not is_public(address):
            raise _refuse(f"{address} is not a public address")


def is_here(host: str) -> bool:
    """Whether a host is this machine: by its address, or as `localhost`. No name is looked up."""
    try:
        given = read_host(host)
    except ValueError:
        return False
    return _is_localhost(host) if given is None else is_loopback(given)


def _is_localhost(host: str) -> bool:
    return host.rstrip(".").lower() == "localhost"


def find_place(url: str) -> Place:
    """Return host and port of a URL.

    Raises:
        FetchFailed: it has none.
    """
    parts = _split(url)
    if not parts.hostname:
        raise _refuse("it names no host")
    return parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme, 0)


def read_place(text: str) -> Place:
    """Return the host and port of `HOST:PORT` or of a URL, as settings name a service.

    Raises:
        UsageError: it is neither.
    """
    try:
        host, port = find_place(text if "://" in text else f"http://{text}")
    except FetchFailed as error:
        raise UsageError(f"{text!r} names no service; give HOST:PORT, for example localhost:8080.") from error
    return host, port


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port, parts.hostname  # a port that is no number is found out here
    except ValueError as error:
        raise _refuse("it is not a URL") from error
    return parts


def _read_host(host: str) -> Address | None:
    try:
        return read_host(host)
    except ValueError as error:
        raise _refuse(f"{host!r} is not an address") from error


def _refuse(why: str) -> FetchFailed:
    return FetchFailed("address not allowed", f"address not allowed: {why}")

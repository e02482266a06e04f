"""Who may come in: names of this server, the token, the proxies that are believed, and whom they name."""

import hashlib
import hmac
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from leadline.errors import UsageError

COOKIE = "leadline"

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_PORTS = {"http": 80, "https": 443}

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Access:
    """What a server believes and whom it lets in.

    Attributes:
        host: the address that it listens at.
        allowed_hosts: names, besides that and those of loopback, by which it may be called.
        token: what who comes in must know; None on loopback, where being there is enough.
        root_path: the path that a proxy serves it under, without a slash at the end.
        proxies: networks whose requests may speak for others.
        user_header: the header in which such a proxy names the user; "" for none.
        changes_a_minute: most changes of one client.
        largest: bytes of the largest body.
    """

    host: str = "127.0.0.1"
    allowed_hosts: frozenset[str] = frozenset()
    token: str | None = field(default=None, repr=False)
    root_path: str = ""
    proxies: tuple[Network, ...] = ()
    user_header: str = ""
    changes_a_minute: int = 120
    largest: int = 48_000_000

    def __post_init__(self) -> None:
        if not is_loopback(self.host) and not self.token:
            raise UsageError(
                f"--host {self.host} lets other machines in, which needs a token: set LEADLINE_TOKEN, or name a file that holds"
                " one: --token-file FILE"
            )
        if self.user_header and not self.proxies:
            raise UsageError(
                f"--user-header {self.user_header} is believed from proxies alone; name them: --trusted-proxy 127.0.0.1"
            )

    def knows_host(self, host: str) -> bool:
        """Say whether a Host header names this server; its port is the proxy's or the system's business."""
        name = _name_of(host)
        return name in _LOOPBACK_NAMES or name == self.host.lower() or name in self.allowed_hosts

    def is_proxy(self, peer: str) -> bool:
        """Say whether a peer may speak for others."""
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self.proxies)

    def knows_token(self, headers: Headers) -> bool:
        """Say whether a request carries the token, as bearer or as the cookie that was given for it."""
        if self.token is None:
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(given.strip()):
            return True
        return _same(_read_cookie(headers.get("cookie", "")), self.cookie)

    def is_token(self, given: str) -> bool:
        """Say whether a text is the token."""
        return self.token is not None and _same(given, self.token)

    @property
    def cookie(self) -> str:
        """The value of the cookie: it dies with the token, and does not tell it."""
        return hmac.new((self.token or "").encode(), b"cookie", hashlib.sha256).hexdigest()


def is_loopback(host: str) -> bool:
    """Say whether what listens at a host can be reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def read_networks(given: Iterable[str]) -> tuple[Network, ...]:
    """Return addresses and networks of trusted proxies.

    Raises:
        UsageError: one is neither.
    """
    networks = []
    for text in given:
        try:
            networks.append(ipaddress.ip_network(text, strict=False))
        except ValueError as error:
            raise UsageError(
                f"--trusted-proxy {text!r} is no address; give one like 127.0.0.1 or a network like 10.0.0.0/8."
            ) from error
    return tuple(networks)


def is_same_origin(origin: str, scheme: str, host: str) -> bool:
    """Say whether an Origin header is that of the address that was asked (https://www.rfc-editor.org/rfc/rfc6454)."""
    parts = urlsplit(origin)
    return parts.scheme == scheme and _with_port(parts.netloc, scheme) == _with_port(host, scheme)


def route_path(scope: Scope) -> str:
    """Return the path within this server, whether the proxy before it takes its own part away or not."""
    path, root = str(scope["path"]), str(scope["root_path"])
    return path.removeprefix(root) if root and path.startswith(f"{root}/") else path


def _with_port(host: str, scheme: str) -> tuple[str, int | None]:
    if "@" in host:
        return host, None
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname or "", parts.port or _PORTS.get(scheme)
    except ValueError:
        return host, None


def _name_of(host: str) -> str:
    return _with_port(host, "")[0]


def _read_cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _same(given: str, known: str) -> bool:
    """Compare in a time that tells nothing, whatever is given."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode("utf-8", "replace"))

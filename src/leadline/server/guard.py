"""What stands before every request: is this server meant, may this one come in, may it change something, is it too much."""

import math
from http import HTTPStatus
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leadline.server import faults
from leadline.server.access import Access, is_same_origin, route_path
from leadline.server.rates import Rates

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

SMALL = 1_000_000
"""Bytes of the largest body but for uploads."""

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_WRITING = frozenset({"POST", "PUT", "PATCH"})
_OPEN = ("/healthz", "/static/", "/api/v1/session", "/login")
"""Paths that need no token: they tell nothing."""
_UPLOADS = "/api/v1/libraries"


class Refused(HTTPException):
    """A request that goes no further."""

    def __init__(self, status: HTTPStatus, message: str, **headers: str) -> None:
        super().__init__(status, message, {name.replace("_", "-"): value for name, value in headers.items()})


class Guard:
    """ASGI middleware: refuses what may not be, and sets the headers that tell browsers what they may do."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access
        self._rates = Rates(access.changes_a_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = self._read_proxy(scope)
        send = _with_headers(send)
        try:
            self._check(scope)
            await self._app(scope, _limited(receive, self._find_limit(scope)), send)
        except Refused as error:
            await faults.answer(error.status_code, error.detail, headers=error.headers)(scope, receive, send)

    def _read_proxy(self, scope: Scope) -> Scope:
        """Return the request as a trusted proxy tells of it: whose it is, by which scheme, and under which path."""
        access, headers = self._access, Headers(scope=scope)
        peer = scope["client"][0] if scope["client"] else ""
        read = {**scope, "root_path": access.root_path, "state": {**scope.get("state", {}), "user": "", "client": peer}}
        if access.is_proxy(peer):
            read["scheme"] = headers.get("x-forwarded-proto", scope["scheme"]).split(",")[-1].strip().lower()
            read["state"]["client"] = self._find_client(headers, peer)
            read["state"]["user"] = headers.get(access.user_header, "").strip() if access.user_header else ""
        return read

    def _find_client(self, headers: Headers, peer: str) -> str:
        """Return the last address in X-Forwarded-For that is no proxy of ours: what stands before it, anyone can write."""
        forwarded = [each.strip() for each in headers.get("x-forwarded-for", "").split(",") if each.strip()]
        return next((each for each in reversed(forwarded) if not self._access.is_proxy(each)), peer)

    def _check(self, scope: Scope) -> None:
        headers, client = Headers(scope=scope), scope["state"]["client"]
        self._check_host(headers)
        if scope["method"] not in _READING:
            self._count(client)
            _check_change(scope, headers)
        if not self._is_known(scope, headers):
            self._count(client)
            if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
                raise Refused(HTTPStatus.SEE_OTHER, "Sign in first.", location=_sign_in(scope))
            raise Refused(
                HTTPStatus.UNAUTHORIZED,
                "This server asks for its token: send `Authorization: Bearer TOKEN`, or sign in on its page.",
                www_authenticate="Bearer",
            )

    def _check_host(self, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._access.knows_host(host):
            raise Refused(
                HTTPStatus.MISDIRECTED_REQUEST,
                f"This server does not go by the name {host!r}; if it should, start it with --allowed-host {host!r}.",
            )

    def _is_known(self, scope: Scope, headers: Headers) -> bool:
        path = route_path(scope)
        return bool(path.startswith(_OPEN) or scope["state"]["user"] or self._access.knows_token(headers))

    def _count(self, client: str) -> None:
        wait = self._rates.take(client)
        if wait:
            raise Refused(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"That is too much at once; at most {self._access.changes_a_minute} changes a minute are taken. Try again in"
                f" {math.ceil(wait)} s.",
                retry_after=str(math.ceil(wait)),
            )

    def _find_limit(self, scope: Scope) -> int:
        return self._access.largest if route_path(scope) == _UPLOADS else SMALL


def _sign_in(scope: Scope) -> str:
    """Return where the token is asked for, with the way back."""
    root, path, query = scope["root_path"], route_path(scope), scope["query_string"].decode("ascii", "replace")
    return f"{root}/login?next={quote(f'{root}{path}?{query}'.rstrip('?'))}"


def _check_change(scope: Scope, headers: Headers) -> None:
    """Let through what a program sends, and what a page of this very server does.

    A browser sends an Origin with everything that is not GET or HEAD, and says with Sec-Fetch-Site or a cookie that it is one.
    """
    origin = headers.get("origin")
    if origin is None and ("sec-fetch-site" in headers or "cookie" in headers):
        raise Refused(HTTPStatus.FORBIDDEN, "A browser changes something here only with an Origin header, and sent none.")
    if origin is not None and not is_same_origin(origin, scope["scheme"], headers.get("host", "")):
        raise Refused(HTTPStatus.FORBIDDEN, f"A page of {origin!r} may change nothing here.")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    empty = not kind and headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    if scope["method"] in _WRITING and kind != "application/json" and not empty:
        raise Refused(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Content-Type {kind!r} is not taken; send `Content-Type: application/json`."
        )


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return send_with_headers


def _limited(receive: Receive, most: int) -> Receive:
    """Refuse a body when more of it has come than is allowed, whatever it said of its length."""
    come = 0

    async def receive_limited() -> Message:
        nonlocal come
        message = await receive()
        come += len(message.get("body", b""))
        if come > most:
            raise Refused(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"The request is larger than {most:,} bytes; send less at once.",
                connection="close",
            )
        return message

    return receive_limited

"""One request to a search service, and what its failures are called. Nothing of a request is ever in a message: no key is."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlsplit

import httpx
from pydantic import JsonValue

from leadline.errors import FetchFailed, SearchFailed
from leadline.network.inflating import ENCODINGS, Inflate
from leadline.network.waiting import read_wait

LARGEST = 5 * 1024 * 1024
"""Bytes of an answer."""

SECONDS = 20.0
"""For one request, from connecting to the last byte."""

_RATE_LIMITED = frozenset({429})
_OUT_OF_CREDIT = frozenset({402, 432, 433})  # 432 and 433 are Tavily's limits of plan and of spending
_REFUSED = frozenset({401, 403})


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that was accepted."""

    body: bytes
    content_type: str

    def read_json(self, name: str) -> JsonValue:
        """Return the body as JSON.

        Raises:
            SearchFailed: it is none.
        """
        try:
            value: JsonValue = json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise SearchFailed("unresponsive", f"{name} answered with something that is not JSON.") from error
        return value


class Line:
    """The way to one service.

    Args:
        name: of the backend, as messages say it.
        client: goes through a gate.
        hint: what to do when the service refuses the key.
    """

    def __init__(self, name: str, client: httpx.AsyncClient, hint: str = "") -> None:
        self.name = name
        self._client = client
        self._hint = hint

    async def ask(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str | int] | None = None,
        form: Mapping[str, str | int] | None = None,
        body: JsonValue = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        accept: Sequence[int] = (200,),
    ) -> Reply:
        """Send a request and return its answer, when its status is among those accepted.

        Raises:
            SearchFailed: there is none that can be used.
        """
        sent: dict[str, Any] = {"params": params, "data": form, "json": body, "content": content}
        asked = {"Accept-Encoding": ENCODINGS, **(headers or {})}
        try:
            async with asyncio.timeout(SECONDS):
                async with self._client.stream(
                    method, url, headers=asked, **{k: v for k, v in sent.items() if v is not None}
                ) as response:
                    body_read = await self._read(response)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise SearchFailed("timed out", f"{self.name} did not answer within {SECONDS:.0f} s.", transient=True) from error
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise unreachable(self.name, url) from error
        except FetchFailed as error:
            raise explain_gate(self.name, url, error) from error
        if response.status_code not in accept:
            self._complain(response)
        return Reply(body_read, response.headers.get("content-type", ""))

    async def _read(self, response: httpx.Response) -> bytes:
        inflate = Inflate(response.headers.get("content-encoding", ""))
        body = bytearray()
        async for chunk in response.aiter_raw():
            for part in inflate.feed(chunk):
                body += part
                if len(body) > LARGEST:
                    raise SearchFailed("unresponsive", f"{self.name} answered with more than {LARGEST // 1024**2} MB.")
        return bytes(body)

    def _complain(self, response: httpx.Response) -> NoReturn:
        status = response.status_code
        if status in _RATE_LIMITED:
            raise rate_limited(self.name, read_wait(response.headers))
        if status in _OUT_OF_CREDIT:
            raise SearchFailed("refused", f"{self.name} refused the search (HTTP {status}): its credit is used up.")
        if status in _REFUSED:
            raise SearchFailed("refused", f"{self.name} refused the search (HTTP {status}).{self._hint and ' ' + self._hint}")
        if status >= 500:
            wait = read_wait(response.headers)
            raise SearchFailed("unresponsive", f"{self.name} is out of order (HTTP {status}).", wait=wait, transient=True)
        if 300 <= status < 400:
            raise SearchFailed("misconfigured", f"{self.name} is not at that address (HTTP {status}): check its url.")
        raise SearchFailed("refused", f"{self.name} did not accept the search (HTTP {status}).")


def rate_limited(name: str, wait: float | None = None) -> SearchFailed:
    """Return the failure of a backend that was asked too often."""
    told = f"; it asks to wait {_say_wait(wait)}" if wait is not None else ""
    return SearchFailed("rate limited", f"The search was rate-limited by {name}{told}.", wait=wait, transient=True)


def unreachable(name: str, url: str) -> SearchFailed:
    """Return the failure of a service that no connection could be made to."""
    host = urlsplit(url).hostname or url
    return SearchFailed("unresponsive", f"{name} could not be reached at {host}.")


def explain_gate(name: str, url: str, failure: FetchFailed) -> SearchFailed:
    """Return the failure of a search whose connection was not made."""
    if failure.kind == "unreachable":
        return unreachable(name, url)
    if failure.kind == "unreadable":
        return SearchFailed("unresponsive", f"{name} answered with something that cannot be read.")
    return SearchFailed("misconfigured", f"{name} was not asked: {failure}.")


def _say_wait(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.0f} hours"

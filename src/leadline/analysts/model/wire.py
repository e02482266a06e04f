"""A wire to a server of models: what is the same in every protocol. Only a wire knows one."""

import asyncio
import ssl
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import httpx2

from leadline.analysts.model.asking import Piece, Prompt
from leadline.analysts.model.failures import hide_keys
from leadline.analysts.model.providers import Endpoint
from leadline.errors import ModelFailed

_CONNECT = 15.0
"""Seconds within which a server takes a connection. Its answer may take longer."""

_GREETING = Prompt("You answer with one JSON object.", 'Answer with the JSON object {"ready": true}.', "plan", 64)
"""The smallest question."""


class Wire(ABC):
    """A model of a server.

    Args:
        endpoint: where it is.
        silence: seconds without a sign of life after which it counts as dead.
        context: its window in tokens, where the server is not to be asked.
        http: what its server is asked with.
    """

    def __init__(self, endpoint: Endpoint, silence: float, context: int | None, http: httpx2.AsyncClient) -> None:
        self.name = endpoint.name
        self._endpoint, self._silence, self._window, self._http = endpoint, silence, context, http

    async def greet(self) -> None:
        """See whether it answers at all, with two parameters given up at most. Raises ModelFailed."""
        for left in (2, 1, 0):
            try:
                async for _ in self.ask(_GREETING):
                    pass
                return
            except ModelFailed as error:
                if error.kind != "adapted" or not left:
                    raise

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def window(self) -> int:
        """Return the tokens of its window."""
        if self._window is None:
            self._window = await self._find_window()
        return self._window

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """Yield the answer as it comes. What has come before it broke off is an answer, too.

        Raises:
            ModelFailed: there is none, or no more of it has come for too long.
        """
        begun, loop = False, asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._silence) as limit:
                async for piece in self._stream(prompt):
                    limit.reschedule(loop.time() + self._silence)
                    begun = begun or bool(piece.text)
                    yield piece
        except TimeoutError as error:
            raise ModelFailed("timed out", self.name, f"{self._silence:g} s") from error
        except httpx2.HTTPError as error:
            if not begun:
                detail = hide_keys(f"{self._endpoint.url} cannot be reached: {error}", self._endpoint.key)
                raise ModelFailed("unreachable", self.name, detail) from error
        except ModelFailed:
            if not begun:
                raise

    @abstractmethod
    async def _find_window(self) -> int:
        """Ask for the window."""

    @abstractmethod
    def _stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """Yield a piece, were it empty, at every sign of life. Raises ModelFailed, httpx2.HTTPError."""


async def read_lines(answer: httpx2.Response) -> AsyncIterator[str]:
    """Yield the lines of an answer as they come. Only a line feed ends one: text may hold other ends of lines of Unicode's."""
    rest = b""
    async for part in answer.aiter_bytes():
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace")
    yield rest.decode("utf-8", "replace")


def open_client(is_local: bool, **options: Any) -> httpx2.AsyncClient:
    """Return a client that waits as long as an answer takes. On this machine no proxy is asked."""
    timeout = httpx2.Timeout(None, connect=_CONNECT)
    return httpx2.AsyncClient(trust_env=not is_local, timeout=timeout, verify=_trust(), **options)


@cache
def _trust() -> ssl.SSLContext:
    """Reading the certificates takes 25 ms: once in a process."""
    return httpx2.create_ssl_context()

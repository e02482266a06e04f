"""Fetching one page: every hop checked, everything counted, one deadline over all of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx

from leadline.documents.obstacles import is_challenge_address
from leadline.errors import FetchFailed
from leadline.network.gate import find_place
from leadline.network.inflating import ENCODINGS
from leadline.reading.body import check_type, read_body
from leadline.reading.extraction import find_way_on
from leadline.reading.robots import LARGEST, NOTHING, Rules, read_rules
from leadline.reading.turns import Turns

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ACCEPT = "text/html, application/xhtml+xml, application/pdf, text/plain, */*;q=0.5"


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What reading one page may take.

    Attributes:
        seconds: for all of it: robots.txt, redirects, body. A limit for each read would not stop a page that comes a byte at
            a time.
        redirects: hops, by header or by the page itself.
        per_host: pages of one host that are fetched at once. Browsers take six; a host that answers with nothing, or with
            429, while several are on their way, is asked one by one.
    """

    seconds: float = 20.0
    redirects: int = 8
    per_host: int = 4


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came. `body` is None when the server said that it has not changed; `url` is the last one of the hops."""

    url: str
    body: bytes | None
    content_type: str = ""
    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Validators:
    """What the server said of the copy that we have, to ask whether it has changed. They belong to the URL `final`."""

    final: str
    etag: str = ""
    modified: str = ""

    def headers_for(self, url: str) -> dict[str, str]:
        """Return the headers of a conditional request (RFC 9110 section 13)."""
        if url != self.final:
            return {}
        pairs = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in pairs.items() if value and value.isascii()}


@dataclass(frozen=True, slots=True)
class _Crowded:
    """No page, perhaps because too many were asked for at once."""

    reason: str


class Fetcher:
    """Fetches pages. One for a process or a run: it knows the sites' rules, and how many pages of each are on their way.

    Args:
        client: goes through a gate; see `leadline.network.open_client`.
        limits: of each page.
    """

    def __init__(self, client: httpx.AsyncClient, limits: ReadingLimits = ReadingLimits()) -> None:
        self._client = client
        self._limits = limits
        self._rules: dict[str, asyncio.Task[Rules | FetchFailed]] = {}
        self._hosts: dict[str, Turns] = {}

    async def fetch(self, url: str, known: Validators | None = None) -> Fetched:
        """Return the page at a URL.

        Args:
            url: of http or https.
            known: what is known of the copy that we have; then `body` may be None.

        Raises:
            FetchFailed: the page may not or cannot be had; its kind says why.
        """
        try:
            async with asyncio.timeout(self._limits.seconds) as deadline:
                return await self._follow(url.partition("#")[0], known, deadline)
        except TimeoutError as error:
            raise FetchFailed("timed out", f"it took longer than {self._limits.seconds:g} s") from error
        except httpx.TimeoutException as error:
            raise FetchFailed("timed out", "the server did not answer in time") from error
        except (httpx.ConnectError, httpx.UnsupportedProtocol) as error:
            raise FetchFailed("unreachable", "the server could not be reached") from error
        except httpx.InvalidURL as error:
            raise FetchFailed("address not allowed", "address not allowed: it is not a URL") from error
        except httpx.TransportError as error:
            raise FetchFailed("unreachable", "the connection broke off") from error

    async def close(self) -> None:
        """Stop what is still being asked for. The client stays its owner's."""
        for task in self._rules.values():
            task.cancel()
        await asyncio.gather(*self._rules.values(), return_exceptions=True)

    async def _follow(self, url: str, known: Validators | None, deadline: asyncio.Timeout) -> Fetched:
        for _ in range(self._limits.redirects + 1):
            find_place(url)  # what is no URL ends here
            await self._check_rules(url)
            answer = await self._ask_gently(url, known.headers_for(url) if known else {}, deadline)
            if isinstance(answer, Fetched):
                return answer
            _check_landing(answer)
            url = answer
        raise FetchFailed("too many redirects", f"it was redirected more than {self._limits.redirects} times")

    async def _check_rules(self, url: str) -> None:
        if not (await self._find_rules(url)).allow(url):
            raise FetchFailed("not allowed by robots.txt", "the site's robots.txt does not allow it")

    async def _find_rules(self, url: str) -> Rules:
        """Asked for once a site, whoever waits for it; the task outlives a page that ran out of time."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._rules:
            self._rules[site] = asyncio.create_task(self._load_rules(site))
        rules = await asyncio.shield(self._rules[site])
        if isinstance(rules, FetchFailed):
            self._rules.pop(site, None)  # a site that could not be asked is asked again for the next page
            raise FetchFailed(rules.kind, str(rules))
        return rules

    async def _load_rules(self, site: str) -> Rules | FetchFailed:
        url = f"{site}/robots.txt"
        try:
            async with asyncio.timeout(self._limits.seconds):
                for _ in range(self._limits.redirects):
                    async with self._open(url, {}) as response:
                        target = _find_target(response, url)
                        if target is None:
                            return read_rules(response.status_code, await _read_start(response, LARGEST))
                        url = target
        except (TimeoutError, httpx.TimeoutException):
            return FetchFailed("timed out", "the server did not answer in time")
        except httpx.TransportError:
            return FetchFailed("unreachable", "the server could not be reached")
        except FetchFailed as failure:
            return failure
        return NOTHING

    async def _ask_gently(self, url: str, headers: dict[str, str], deadline: asyncio.Timeout) -> Fetched | str:
        """Ask, and once more alone where the host seems not to bear several readers at once."""
        turns = self._hosts.setdefault(find_place(url)[0], Turns(self._limits.per_host))
        if turns.shared:
            async with turns.take(deadline):
                answer = await self._ask(url, headers)
            if not isinstance(answer, _Crowded):
                return answer
            turns.narrow()
        async with turns.take(deadline):
            answer = await self._ask(url, headers)
        if isinstance(answer, _Crowded):
            raise FetchFailed("refused", answer.reason)
        return answer

    async def _ask(self, url: str, headers: dict[str, str]) -> "Fetched | str | _Crowded":
        """The page, or the URL that it sends us on to, or what a host answers that is asked too much at once."""
        async with self._open(url, headers) as response:
            target = _find_target(response, url)
            if target is not None:
                return target
            if response.status_code == 304:
                return Fetched(url, None)
            if response.status_code == 429:
                return _Crowded("the server answered HTTP 429")
            _check_status(response)
            content_type = response.headers.get("content-type", "")
            check_type(content_type)
            body = await read_body(response.aiter_raw(), response.headers.get("content-encoding", ""))
        if not body:
            return _Crowded("the server answered with an empty page")
        if (target := await find_way_on(body, url, response.headers)) is not None:
            return target.partition("#")[0]
        stamps = response.headers.get("etag", ""), response.headers.get("last-modified", "")
        return Fetched(url, body, content_type, *stamps)

    @asynccontextmanager
    async def _open(self, url: str, headers: dict[str, str]) -> AsyncIterator[httpx.Response]:
        """Send a request without cookies; a body that is not wanted is left where it is."""
        asked = {"Accept": _ACCEPT, "Accept-Encoding": ENCODINGS, **headers}
        self._client.cookies.clear()
        async with self._client.stream("GET", url, headers=asked) as response:
            yield response


def _check_landing(url: str) -> None:
    """Some sites answer readers that they take for robots by sending them on to a page that asks for proof."""
    find_place(url)
    if is_challenge_address(url):
        raise FetchFailed("blocked", "the site blocked the reader as a robot")


def _find_target(response: httpx.Response, url: str) -> str | None:
    if response.status_code not in _REDIRECTS or "location" not in response.headers:
        return None
    try:
        return urljoin(url, response.headers["location"]).partition("#")[0]
    except ValueError as error:
        raise FetchFailed("address not allowed", "address not allowed: it is redirected to what is not a URL") from error


async def _read_start(response: httpx.Response, most: int) -> bytes:
    """The beginning of a small text. It is asked for uncompressed where a server keeps to that, and bounded in any case."""
    try:
        return (await read_body(response.aiter_raw(), response.headers.get("content-encoding", "")))[:most]
    except FetchFailed:  # a site whose rules are an image or endless has none
        return b""


def _check_status(response: httpx.Response) -> None:
    status = response.status_code
    if status < 300:
        return
    if response.headers.get("cf-mitigated", "").lower() == "challenge":
        raise FetchFailed("blocked", "the site blocked the reader as a robot")
    if status in (404, 410):
        raise FetchFailed("not found", f"the page is not there (HTTP {status})")
    raise FetchFailed("refused", f"the server answered HTTP {status}")

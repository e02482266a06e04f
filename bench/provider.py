"""A web in one process: search services and 150 pages on 30 hosts of this machine, as slow as the real ones.

`python -m bench.provider` serves until it is stopped and prints its port. Hosts are 127.0.1.1 to 127.0.1.30, all on that port:

- `POST /tavily/search` as Tavily, `GET /searxng/search?format=json` as SearXNG
- `GET /page/N` for N from 0 to 149: 50 KB of HTML with ETag; `/robots.txt`
- `GET /endless`: a body without an end; `GET /bomb`: 200 KB of gzip that hold 200 MB
"""

import argparse
import asyncio
import gzip
import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import parse_qs, urlsplit

HOSTS = tuple(f"127.0.1.{number}" for number in range(1, 31))
PAGES = 150
PAGE_BYTES = 50_000

_SUBJECTS = ("vacuum", "index", "replication", "checkpoint", "planner", "lock", "partition", "backup", "cache", "trigger")
_VERBS = ("reclaims", "rewrites", "delays", "measures", "protects", "orders", "counts", "frees")
_OBJECTS = ("dead rows", "heap pages", "log segments", "worker processes", "shared buffers", "statistics", "old versions")


@dataclass(frozen=True)
class Latency:
    """Seconds before an answer."""

    search: float = 0.6
    page: float = 0.3


@dataclass(frozen=True)
class Asked:
    """A request."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Answer:
    """What is answered."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})


@cache
def make_page(number: int) -> bytes:
    """Return a page of 50 KB, the same in every process."""
    chance = random.Random(number)
    subject = _SUBJECTS[number % len(_SUBJECTS)]
    links = "".join(f'<li class="menu-item"><a href="/page/{n}?from=menu">{_SUBJECTS[n % 10]}</a></li>' for n in range(60))
    script = f"<script>window.data = {{{', '.join(f'k{n}: {n}' for n in range(600))}}};</script>"
    parts = [
        f"<!doctype html><html lang=en><head><title>{subject.title()}, part {number}</title>{script}</head>",
        f"<body><nav><ul>{links}</ul></nav><main><article>",
    ]
    size = sum(map(len, parts)) + len(links)
    while size < PAGE_BYTES:
        said = [
            f"The {subject} process number {chance.randrange(9999)} {chance.choice(_VERBS)} {chance.choice(_OBJECTS)}"
            f" after {chance.randrange(2, 90)} seconds when the table has {chance.randrange(1000, 90000)} rows."
            for _ in range(5)
        ]
        parts.append(f"<h2>Case {len(parts)}</h2><p>{' '.join(said)}</p>")
        size += len(parts[-1])
    parts.append(f"</article></main><aside><ul>{links}</ul></aside><footer>End</footer></body></html>")
    return "".join(parts).encode()


def address(number: int, port: int) -> str:
    """Return the address of a page."""
    return f"http://{HOSTS[number % len(HOSTS)]}:{port}/page/{number}"


def find(text: str, most: int) -> list[int]:
    """Return numbers of pages for a query: those of its subject first."""
    words = set(re.findall(r"\w+", text.lower()))
    start = sum(map(ord, text)) % PAGES
    order = [(start + step) % PAGES for step in range(PAGES)]
    return sorted(order, key=lambda number: _SUBJECTS[number % len(_SUBJECTS)] not in words)[:most]


class Provider:
    """The server."""

    def __init__(self, latency: Latency = Latency()) -> None:
        self._latency = latency
        self._server: asyncio.Server | None = None

    async def open(self, port: int = 0) -> int:
        """Listen on all hosts and return the port."""
        if not port:
            with_any = await asyncio.start_server(self._serve, HOSTS[0], 0)
            port = with_any.sockets[0].getsockname()[1]
            with_any.close()
            await with_any.wait_closed()
        self._server = await asyncio.start_server(self._serve, HOSTS, port)
        return port

    async def serve(self) -> None:
        """Serve until cancelled."""
        assert self._server is not None
        await self._server.serve_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (asked := await hear(reader)) is not None:
                if urlsplit(asked.target).path == "/endless":
                    await _pour(writer)
                answer = await self._answer(asked, writer.get_extra_info("sockname")[1])
                lines = [f"HTTP/1.1 {answer.status} OK", f"Content-Length: {len(answer.body)}"]
                lines += [f"{name}: {value}" for name, value in answer.headers.items()]
                writer.write("\r\n".join([*lines, "", ""]).encode() + answer.body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, asked: Asked, port: int) -> Answer:
        parts = urlsplit(asked.target)
        if parts.path == "/tavily/search":
            await asyncio.sleep(self._latency.search)
            return _search_tavily(asked, port)
        if parts.path == "/searxng/search":
            await asyncio.sleep(self._latency.search)
            return _search_searxng(parts.query, port)
        await asyncio.sleep(self._latency.page)
        if parts.path == "/bomb":
            return Answer(_bomb(), headers={"Content-Type": "text/html", "Content-Encoding": "gzip"})
        if match := re.fullmatch(r"/page/(\d+)", parts.path):
            tag = f'"{match[1]}"'
            if asked.headers.get("if-none-match") == tag:
                return Answer(b"", 304, {"ETag": tag})
            return Answer(make_page(int(match[1])), headers={"Content-Type": "text/html; charset=utf-8", "ETag": tag})
        return Answer(b"", 404)


def _search_tavily(asked: Asked, port: int) -> Answer:
    if not asked.headers.get("authorization", "").startswith("Bearer "):
        return _as_json({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
    request = json.loads(asked.body)
    found = find(request["query"], request.get("max_results", 5))
    results = [{"url": address(n, port), "title": f"Part {n}", "content": _excerpt(n), "score": 0.9} for n in found]
    return _as_json({"query": request["query"], "results": results, "response_time": 0.6})


def _search_searxng(query: str, port: int) -> Answer:
    asked = parse_qs(query)
    if asked.get("format") != ["json"]:
        return Answer(b"<!doctype html><title>searxng</title>", 403)
    found = find(asked.get("q", [""])[0], 10)
    results = [{"url": address(n, port), "title": f"Part {n}", "content": _excerpt(n), "engine": "bench"} for n in found]
    return _as_json({"query": asked.get("q", [""])[0], "results": results, "unresponsive_engines": []})


def _excerpt(number: int) -> str:
    return re.sub(rb"<[^>]+>", b" ", make_page(number)[:600]).decode()


def _as_json(value: object, status: int = 200) -> Answer:
    return Answer(json.dumps(value).encode(), status, {"Content-Type": "application/json"})


@cache
def _bomb() -> bytes:
    return gzip.compress(b"\0" * 200_000_000)


async def _pour(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b"a" * 0x10000 + b"\r\n")
        await writer.drain()


async def hear(reader: asyncio.StreamReader) -> Asked | None:
    line = await reader.readline()
    if not line:
        return None
    method, target, _ = line.decode("latin-1").split(" ", 2)
    headers: dict[str, str] = {}
    while (line := await reader.readline()).strip():
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    return Asked(method, target, headers, await reader.readexactly(int(headers.get("content-length", 0))))


async def main() -> None:
    """Serve, and print the port as the first line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--search", type=float, default=Latency.search, help="seconds before a search is answered")
    parser.add_argument("--page", type=float, default=Latency.page, help="seconds before a page is answered")
    options = parser.parse_args()
    provider = Provider(Latency(options.search, options.page))
    for number in range(PAGES):
        make_page(number)
    _bomb()
    print(await provider.open(options.port), flush=True)
    await provider.serve()


if __name__ == "__main__":
    asyncio.run(main())

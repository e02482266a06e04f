"""The backend for SearXNG against a real server: Debian's `searx`, whose one engine is a site of ours."""

import asyncio
import os
import re
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from tests.search.conftest import Open, as_json
from tests.web import Answer, Site

from leadline.errors import SearchFailed
from leadline.records import Query
from leadline.search import Provider
from leadline.search.registry import find_providers

EXAMPLE = Path("/usr/share/doc/searx/examples/settings.yml")

pytestmark = [
    pytest.mark.searx,
    pytest.mark.skipif(
        not (sys.platform == "linux" and shutil.which("searx-run") and EXAMPLE.exists()),
        reason="Debian's package searx is not installed (apt-get install searx)",
    ),
]

Server = Callable[..., AbstractAsyncContextManager[int]]

ENGINE = """engines:
  - name : ours
    engine : json_engine
    shortcut : us
    categories : general
    paging : False
    enable_http : True
    timeout : 2.0
    search_url : {url}
    results_query : items
    url_query : link
    title_query : name
    content_query : text
"""


def _write_settings(path: Path, port: int, engine: str) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    text = re.sub(r"^engines:.*?(?=^[a-z_]+:|\Z)", lambda _: ENGINE.format(url=engine), text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"port *: *\d+", f"port : {port}", text)
    text = re.sub(r'secret_key *: *"[^"]*"', 'secret_key : "of this test"', text)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def searx(tmp_path: Path) -> Server:
    """Return what runs a server with one engine. This version gives out JSON always: it has no setting to switch it off."""

    @asynccontextmanager
    async def run(engine: str) -> AsyncIterator[int]:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port: int = free.getsockname()[1]
        settings = tmp_path / "settings.yml"
        _write_settings(settings, port, engine)
        process = await asyncio.create_subprocess_exec(
            "/usr/bin/searx-run",
            env={**os.environ, "SEARX_SETTINGS_PATH": str(settings)},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(60):
                while not await _answers(port):
                    await asyncio.sleep(0.1)
            yield port
        finally:
            process.kill()
            await process.wait()

    return run


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


ITEMS = as_json({"items": [{"link": "https://e.org/a", "name": "Dead rows", "text": "VACUUM reclaims dead rows."}]})


class Place(Site):
    """Stands for the server where `open_backend` wants a site."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port


async def test_results(open_backend: Open, searx: Server) -> None:
    async with Site({"/find": ITEMS}) as engine, searx(f"{engine.url('/find')}?q={{query}}") as port:
        hits = await open_backend(_provider(), Place(port), "").search(Query(text="dead rows", language="en"))
    assert [(hit.address, hit.title, hit.snippet) for hit in hits] == [
        ("https://e.org/a", "Dead rows", "VACUUM reclaims dead rows.")
    ]


async def test_an_engine_that_fails(open_backend: Open, searx: Server) -> None:
    async with Site({"/find": Answer(status=500)}) as engine, searx(f"{engine.url('/find')}?q={{query}}") as port:
        with pytest.raises(SearchFailed, match="did not answer") as caught:
            await open_backend(_provider(), Place(port), "").search(Query(text="dead rows"))
    assert caught.value.kind == "unresponsive"
    assert "ours" in str(caught.value)


def _provider() -> Provider:
    return find_providers(["searxng"])["searxng"]

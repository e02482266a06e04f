"""What holds for every test: no network beyond this machine, a data folder of its own."""

import ipaddress
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from tests.browser import Browse, browsing, open_browser

if TYPE_CHECKING:
    from playwright.async_api import Browser


class NetworkForbidden(RuntimeError):
    """A test tried to leave this machine."""


def _is_local(host: object) -> bool:
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


def _forbid_network(event: str, args: tuple[Any, ...]) -> None:
    """Refuse connections and name look-ups that leave this machine; an audit hook also sees those made by other modules."""
    if os.environ.get("LEADLINE_TEST_MODEL"):
        return  # the one test that may: tests/analysts/model/test_live.py
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        if isinstance(address, tuple) and not _is_local(address[0]):
            raise NetworkForbidden(f"{event} to {address!r}")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not _is_local(args[0]):
        raise NetworkForbidden(f"{event} of {args[0]!r}")


sys.addaudithook(_forbid_network)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of this test alone."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LEADLINE_HOME", str(folder))
    monkeypatch.delenv("LEADLINE_DATABASE_URL", raising=False)
    for backend in ("DUCKDUCKGO", "WIKIPEDIA"):  # ddgs connects without Python's sockets, so the hook above would not see it
        monkeypatch.setenv(f"{backend}_URL", "http://127.0.0.1:9/")
    return folder


@pytest.fixture(scope="session")
def debian_documents() -> Path:
    """Return the folder that the Debian documentation packages are unpacked in, for tests marked `corpus`."""
    folder = os.environ.get("LEADLINE_TEST_DOCS")
    if not folder:
        pytest.skip("LEADLINE_TEST_DOCS is not set: the folder that the Debian documentation packages are unpacked in")
    return Path(folder)


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """Return the URL of a role that may create databases; `.ci/postgres` prints one."""
    url = os.environ.get("LEADLINE_TEST_POSTGRES")
    if not url:
        pytest.skip("LEADLINE_TEST_POSTGRES is not set: the URL of a PostgreSQL role that may create databases")
    return url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator["Browser"]:
    """Return the one browser of all tests, in the loop that they share."""
    async with open_browser() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def browse(browser: "Browser") -> AsyncIterator[Browse]:
    """Return what opens an address in a real browser; such tests are marked with `tests.browser.IN_BROWSER`."""
    async with browsing(browser) as opened:
        yield opened


@pytest.fixture
def pango() -> None:
    """Skip a test of PDF where weasyprint cannot load Pango, or no font has Chinese letters."""
    try:
        from weasyprint import HTML
    except OSError:
        pytest.skip("Pango is not installed: apt-get install libpangoft2-1.0-0")
    document = HTML(string="<p>\u6b7b</p>").render()
    document.write_pdf()
    if any(font.missing for font in document.fonts.values()):
        pytest.skip("A font with Chinese letters is not installed: apt-get install fonts-noto-cjk")

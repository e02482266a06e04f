"""A real browser for tests: Debian's chromium, driven by Playwright, that reaches nothing beyond this machine."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Browser, Dialog, Page

CHROMIUM = shutil.which("chromium")
_ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"

IN_BROWSER = [pytest.mark.xdist_group("browser"), pytest.mark.asyncio(loop_scope="session")]
"""Marks of tests that use the browser: one after the other, in the loop that it lives in."""

Browse = Callable[..., Awaitable["Tab"]]


@dataclass
class Tab:
    """A page that is open, and what it has done: requests beyond the file or host it came from, dialogs, errors."""

    page: "Page"
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    async def goto(self, url: str) -> None:
        """Open an address and wait until it has loaded."""
        await self.page.goto(url, wait_until="load")

    @property
    def harm(self) -> list[str]:
        """What a page that obeys nothing never does: leave for elsewhere, or open a dialog."""
        return [*self.requests, *self.dialogs]


@asynccontextmanager
async def open_browser() -> AsyncIterator["Browser"]:
    """Start the browser."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    from playwright.async_api import async_playwright

    arguments = [_ALONE, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        await browser.close()


@asynccontextmanager
async def browsing(browser: "Browser") -> AsyncIterator[Browse]:
    """Give what opens a tab of somebody new: `await browse(url, viewport=…, color_scheme=…)`."""
    yield lambda url, **options: _browse(browser, url, options)
    for context in browser.contexts:
        await context.close()


async def _browse(browser: "Browser", url: str, options: dict[str, Any]) -> Tab:
    context = await browser.new_context(**options)
    context.set_default_timeout(60_000)
    tab = Tab(await context.new_page())
    home = "/".join(url.split("/")[:3])

    async def dismiss(dialog: "Dialog") -> None:
        tab.dialogs.append(dialog.message)
        await dialog.dismiss()

    tab.page.on("request", lambda request: tab.requests.append(request.url) if not request.url.startswith(home) else None)
    tab.page.on("dialog", dismiss)
    tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
    tab.page.on("console", lambda message: tab.errors.append(message.text) if message.type == "error" else None)
    await tab.goto(url)
    return tab

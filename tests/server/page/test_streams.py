"""What is seen while a run works, whatever happens to tabs, streams and the server: nothing is lost, nothing comes twice."""

import asyncio
from dataclasses import dataclass, field

from playwright.async_api import Page, Request
from tests.browser import IN_BROWSER, Browse
from tests.server.page.conftest import ALL, House, points, until

pytestmark = IN_BROWSER

HIDE = """(state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""

SHOWN = "document.querySelectorAll('.points li').length"


@dataclass
class Streams:
    """The streams of a page that are open."""

    open: set[Request] = field(default_factory=set)
    begun: int = 0

    def watch(self, page: Page) -> "Streams":
        page.on("request", self._begin)
        page.on("requestfinished", lambda request: self.open.discard(request))
        page.on("requestfailed", lambda request: self.open.discard(request))
        return self

    def _begin(self, request: Request) -> None:
        if "/events?" in request.url:
            self.open.add(request)
            self.begun += 1


async def settle(streams: Streams, count: int) -> None:
    async with asyncio.timeout(60):
        while len(streams.open) != count:
            await asyncio.sleep(0.05)


async def finish(page: Page, house: House, run: str) -> None:
    """Let a run end, and see that the page shows what it found, each point once."""
    house.allow(ALL)
    await until(page, "document.querySelector('#references')")
    shown = await points(page)
    assert len(shown) == len(set(shown)) == (await house.show(run))["points"]


async def test_a_reload_and_a_second_tab_show_the_same(browse: Browse, house: House) -> None:
    run = await house.ask()
    tab = await browse(f"{house.address}/runs/{run}")
    house.allow(3)
    await until(tab.page, f"{SHOWN} === 3")
    before = await points(tab.page)
    await tab.page.reload()
    assert await points(tab.page) == before
    second = await tab.page.context.new_page()
    await second.goto(tab.page.url)
    house.allow(5)
    for page in (tab.page, second):
        await until(page, f"{SHOWN} === 5")
        assert (await points(page))[:3] == before
    await finish(second, house, run)
    assert tab.errors == []


async def test_the_stream_closes_at_the_end_and_while_nobody_looks(browse: Browse, house: House) -> None:
    run = await house.ask()
    tab = await browse(f"{house.address}/")
    streams = Streams().watch(tab.page)
    await tab.page.goto(f"{house.address}/runs/{run}")
    await settle(streams, 1)
    await tab.page.evaluate(HIDE, "hidden")
    await settle(streams, 0)
    house.allow(2)
    assert await tab.page.evaluate(SHOWN) == 0
    await tab.page.evaluate(HIDE, "visible")
    await settle(streams, 1)
    await until(tab.page, f"{SHOWN} === 2")
    await finish(tab.page, house, run)
    await settle(streams, 0)
    begun = streams.begun
    await tab.page.evaluate(HIDE, "visible")
    assert streams.begun == begun


async def test_a_server_that_is_killed_is_missed_and_the_run_goes_on_when_it_is_back(browse: Browse, house: House) -> None:
    run = await house.ask()
    tab = await browse(f"{house.address}/runs/{run}")
    page = tab.page
    house.allow(3)
    await until(page, f"{SHOWN} === 3")
    before = await points(page)
    await house.kill()
    await until(page, "!document.querySelector('#gone').hidden")
    assert await points(page) == before
    house.allow(0)
    await house.start()
    await until(page, "document.querySelector('#gone').hidden")
    assert await points(page) == before
    await finish(page, house, run)
    assert set(before) <= set(await points(page))
    assert tab.harm == []


async def test_a_server_that_hangs_is_missed_too(browse: Browse, house: House) -> None:
    run = await house.ask()
    tab = await browse(f"{house.address}/runs/{run}")
    await tab.page.route("**/runs/*", lambda route: asyncio.sleep(0))  # takes requests and never answers
    await until(tab.page, "!document.querySelector('#gone').hidden")
    await tab.page.unroute("**/runs/*")
    await until(tab.page, "document.querySelector('#gone').hidden")


async def test_seven_tabs_of_one_browser_are_all_alive(browse: Browse, house: House) -> None:
    run = await house.ask()
    tab = await browse(f"{house.address}/runs/{run}")
    pages = [tab.page]
    streams = [Streams()]
    for _ in range(6):
        page = await tab.page.context.new_page()
        streams.append(Streams().watch(page))
        await page.goto(tab.page.url)
        pages.append(page)
    house.allow(2)
    for page in pages:
        await until(page, f"{SHOWN} === 2")
    assert sum(len(each.open) for each in streams) <= 3  # and one of the first tab
    house.allow(ALL)
    for page in pages:
        await until(page, "document.querySelector('#references')")


async def test_what_is_typed_and_opened_outlives_what_arrives(browse: Browse, house: House) -> None:
    run = await house.ask()
    tab = await browse(f"{house.address}/runs/{run}")
    page = tab.page
    house.allow(1)
    await until(page, f"{SHOWN} === 1")
    await page.locator(".points .said").first.click()
    await until(page, "document.querySelector('.evidence.is-open')")
    await page.locator("#todos > li summary").nth(1).click()
    await page.locator("[data-plan=edit]").nth(1).click()
    await page.locator(".edit [name=title]").fill("Half a ti")
    await page.locator(".edit [name=title]").focus()
    top = await page.evaluate("document.querySelector('.points .said').getBoundingClientRect().top")
    house.allow(4)
    await until(page, f"{SHOWN} === 4")
    assert await page.evaluate("document.querySelector('.points .said').getBoundingClientRect().top") == top
    assert await page.locator(".edit [name=title]").input_value() == "Half a ti"
    assert await page.evaluate("document.activeElement.name") == "title"
    assert await page.locator(".point.is-lit").count() == 1
    assert await page.locator(".evidence.is-open").count() == 1
    house.allow(ALL)
    await until(page, "document.querySelector('.ready')")
    assert await page.evaluate("document.querySelector('.points .said').getBoundingClientRect().top") <= top
    assert await page.locator(".evidence.is-open").count() == 1
    await page.locator(".ready a").click()
    await until(page, "document.querySelector('#references')")

"""Everybody can use the pages: axe-core finds no serious fault, and keys reach everything."""

import json
import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page
from tests.browser import IN_BROWSER, Browse
from tests.server.page.conftest import ALL, House, until

pytestmark = IN_BROWSER


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the script of axe-core; `npm install axe-core` brings it."""
    path = os.environ.get("LEADLINE_TEST_AXE")
    if not path:
        pytest.skip("LEADLINE_TEST_AXE is not set: the file axe.min.js of the npm package axe-core")
    return Path(path).read_text(encoding="utf-8")


async def faults(page: Page, axe: str) -> list[Any]:
    """Return the serious faults of a page."""
    await page.evaluate(axe)
    found = await page.evaluate("axe.run().then(({ violations }) => JSON.stringify(violations))")
    serious = [fault for fault in json.loads(found) if fault["impact"] in ("serious", "critical")]
    return [(fault["id"], [node["html"] for node in fault["nodes"][:3]]) for fault in serious]


async def test_no_page_has_a_serious_fault(browse: Browse, house: House, axe: str) -> None:
    broken = [{"title": "Vacuuming", "query": "VACUUM dead rows table"}, {"title": "broken", "query": "rows"}]
    house.allow(2)
    finished, working = await house.ask(plan=broken), await house.ask(review_plan=True)
    house.allow(ALL)
    await house.wait(finished, "incomplete")
    places = ["/", "/libraries", "/login", f"/runs/{working}", f"/runs/{working}?view=plan"]
    places += [f"/runs/{finished}{view}" for view in ("?view=plan", "?view=sources", "?view=timeline", "")]
    found = {}
    for scheme, width in product(["light", "dark"], [1440, 390]):
        options = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme, "reduced_motion": "reduce"}
        tab = await browse(f"{house.address}/", **options)
        for place in places:
            await tab.goto(f"{house.address}{place}")
            await tab.page.evaluate("document.querySelectorAll('.chip').forEach((one) => { one.open = true; })")
            found[scheme, width, place] = await faults(tab.page, axe)
        await tab.page.locator("a.cite").first.click()
        await until(tab.page, "document.querySelector('.evidence.is-open')")
        found[scheme, width, "evidence"] = await faults(tab.page, axe)
    assert not any(found.values()), found


async def test_no_page_is_wider_than_the_smallest_screen(browse: Browse, house: House) -> None:
    house.allow(ALL)
    run = await house.ask()
    await house.wait(run, "complete")
    for width in (360, 820, 3840):
        tab = await browse(f"{house.address}/", viewport={"width": width, "height": 800}, locale="zh-CN")
        for place in (
            "/",
            "/libraries",
            *(f"/runs/{run}{view}" for view in ("", "?view=plan", "?view=sources", "?view=timeline")),
        ):
            await tab.goto(f"{house.address}{place}")
            room = await tab.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert room <= 0, (width, place, room)


async def test_the_way_to_the_evidence_needs_no_mouse(browse: Browse, house: House) -> None:
    house.allow(ALL)
    run = await house.ask()
    await house.wait(run, "complete")
    tab = await browse(f"{house.address}/runs/{run}")
    await tab.page.keyboard.press("Tab")
    assert await tab.page.evaluate("document.activeElement.className") == "skip"
    await tab.page.locator("section[id^=s] a.cite").first.focus()
    await tab.page.keyboard.press("Enter")
    await until(tab.page, "document.activeElement.classList.contains('evidence')")
    await tab.page.keyboard.press("Escape")
    await until(tab.page, "document.activeElement.classList.contains('cite')")
    await tab.page.locator("#export > summary").focus()
    await tab.page.keyboard.press("Enter")
    await tab.page.keyboard.press("Escape")
    assert not await tab.page.evaluate("document.querySelector('#export').open")
    assert await tab.page.evaluate("document.activeElement === document.querySelector('#export > summary')")

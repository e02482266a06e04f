"""Every view as a picture, to be looked at: LEADLINE_TEST_PICTURES names the folder that they are kept in."""

import os
from pathlib import Path
from typing import Any

from tests.browser import IN_BROWSER, Browse
from tests.server.page.conftest import ALL, TODOS, House, until

pytestmark = IN_BROWSER

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1440, "height": 900}},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "phone-zh": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "locale": "zh-CN"},
}
DIFFERING = {
    "one.md": "# Trigger\n\nAutovacuum starts when 20 percent of the rows of a table are dead.\n",
    "two.md": "# Trigger\n\nAutovacuum starts when 10 percent of the rows of a table are dead.\n",
}


async def test_every_view_is_pictured(browse: Browse, house: House, tmp_path: Path) -> None:
    folder = Path(os.environ.get("LEADLINE_TEST_PICTURES") or tmp_path)
    tabs = {look: await browse(f"{house.address}/", reduced_motion="reduce", **LOOKS[look]) for look in LOOKS}

    async def picture(name: str, path: str = "") -> None:
        for look, tab in tabs.items():
            if path:
                await tab.goto(f"{house.address}{path}")
            await tab.page.screenshot(path=folder / f"{name}-{look}.png")

    await picture("first-run", "/")
    house.allow(ALL)
    await house.send(DIFFERING, "differing")
    todo = {"title": "When autovacuum starts", "query": "autovacuum starts percent dead rows table"}
    differing = await house.ask(sources=["differing"], plan=[todo], topic="When does autovacuum start for a table?")
    failed = await house.ask(plan=[TODOS[0], {"title": "broken", "query": "dead rows"}])
    finished = await house.ask()
    for run, state in ((differing, "complete"), (failed, "incomplete"), (finished, "complete")):
        await house.wait(run, state)
    house.allow(0)
    review, working = await house.ask(review_plan=True), await house.ask()
    await picture("working", f"/runs/{working}")
    await picture("review", f"/runs/{review}")
    await picture("home", "/")
    await picture("failed", f"/runs/{failed}")
    await picture("failed-plan", f"/runs/{failed}?view=plan")
    await picture("differing", f"/runs/{differing}")
    await picture("sources", f"/runs/{differing}?view=sources")
    await picture("timeline", f"/runs/{finished}?view=timeline")
    await picture("finished", f"/runs/{finished}")
    for tab in tabs.values():
        await tab.page.locator("section[id^=s] a.cite").first.click()
        await until(tab.page, "document.querySelector('.evidence.is-open')")
    await picture("evidence")
    await house.client.post(f"/api/v1/runs/{working}/cancel")
    await picture("cancelled", f"/runs/{working}")
    await picture("libraries", "/libraries")
    await picture("login", "/login")
    await picture("lost", "/runs/nothing")
    for tab in tabs.values():
        await tab.goto(f"{house.address}/runs/{review}")
    await house.kill()
    for tab in tabs.values():
        await until(tab.page, "!document.querySelector('#gone').hidden")
    await picture("server-gone")

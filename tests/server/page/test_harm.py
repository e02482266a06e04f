"""Texts that somebody else has written do nothing in the page, wherever it shows them, and nothing leaves for another host."""

from tests.browser import IN_BROWSER, Browse, Tab
from tests.rendering.test_browser import VECTORS
from tests.server.page.conftest import ALL, House, until

pytestmark = IN_BROWSER

CALM = [vector for vector in VECTORS if "\x00" not in vector]
WORDS = "reclaimed dead rows of a table"


async def _check(tab: Tab) -> None:
    await tab.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    await tab.page.keyboard.press("Tab")
    assert tab.harm == []
    assert tab.errors == []
    planted = "main img, main iframe, main object, base, meta[http-equiv], a[href^=javascript], .evidence img, .plan img"
    assert await tab.page.locator(planted).count() == 0


async def test_nothing_that_was_written_by_others_acts(browse: Browse, house: House) -> None:
    lines = [f"The {WORDS} are {' '.join(vector.split())} for good." for vector in CALM]
    texts = {f"page{n}.md": f"# {CALM[n]}\n\nVACUUM has {WORDS}, number {n}.\n\n{line}\n" for n, line in enumerate(lines)}
    await house.send(texts, "hostile")
    plan = [
        {"title": f"{CALM[0]} {CALM[1]}", "intent": CALM[2], "query": f"the {WORDS}"},
        {"title": CALM[4], "query": f"VACUUM {WORDS}"},
        {"title": f"broken {CALM[5]}", "query": WORDS},
    ]
    run = await house.ask(topic=f"{WORDS}? {' '.join(CALM[:8])}", sources=["hostile"], plan=plan)
    tab = await browse(f"{house.address}/runs/{run}")
    house.allow(6)
    await until(tab.page, "document.querySelector('main a.cite')")
    await tab.page.locator("main a.cite").first.click()
    await until(tab.page, "document.querySelector('.evidence.is-open')")
    await _check(tab)
    house.allow(ALL)
    await until(tab.page, "document.querySelector('.ready, #references')")
    await _check(tab)
    await tab.goto(f"{house.address}/runs/{run}")
    for place in range(await tab.page.locator("section[id^=s] a.cite").count()):
        cite = tab.page.locator("section[id^=s] a.cite").nth(place)
        await cite.click()
        await until(tab.page, f"document.querySelectorAll('section[id^=s] a.cite')[{place}].hasAttribute('aria-current')")
    await _check(tab)
    for view in ("?view=sources", "?view=timeline", "?view=plan"):
        await tab.goto(f"{house.address}/runs/{run}{view}")
        await _check(tab)
    await tab.goto(f"{house.address}/")
    assert CALM[0] in await tab.page.locator(".recent .asked").inner_text()
    await _check(tab)


async def test_the_policy_of_the_pages_allows_nothing_but_their_own_files(house: House) -> None:
    answer = await house.client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "<script>" not in answer.text
    assert " style=" not in answer.text
    assert " onclick" not in answer.text

"""Where questions are asked: one run however often it is clicked, none by the Enter of an input method, documents by drop."""

import datetime as dt
import json
import re

from tests.browser import IN_BROWSER, Browse
from tests.server.page.conftest import ALL, TOPIC, House, until

pytestmark = IN_BROWSER

COMPOSING = """({ isComposing, keyCode }) => document.querySelector('#topic').dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', isComposing, keyCode, bubbles: true, cancelable: true }))"""

DROP = """async ([name, text]) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([text], name, { type: 'text/markdown' }));
    dispatchEvent(new DragEvent('dragover', { dataTransfer: dropped, cancelable: true }));
    dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, cancelable: true }));
}"""


async def test_the_enter_of_an_input_method_asks_nothing(browse: Browse, house: House) -> None:
    tab = await browse(f"{house.address}/", locale="zh-CN")
    await tab.page.locator("#topic").fill("死行如何")
    await tab.page.evaluate(COMPOSING, {"isComposing": True, "keyCode": 13})
    await tab.page.evaluate(COMPOSING, {"isComposing": False, "keyCode": 229})
    await tab.page.locator("#topic").press("Shift+Enter")
    assert tab.page.url == f"{house.address}/"
    assert (await house.client.get("/api/v1/runs")).json()["items"] == []
    await tab.page.locator("#topic").fill(TOPIC)
    await tab.page.locator("#topic").press("Enter")
    await tab.page.wait_for_url("**/runs/*")
    assert len((await house.client.get("/api/v1/runs")).json()["items"]) == 1


async def test_a_double_click_begins_one_run(browse: Browse, house: House) -> None:
    tab = await browse(f"{house.address}/")
    await tab.page.locator("#topic").fill(TOPIC)
    await tab.page.evaluate("""() => {
        const form = document.querySelector('#ask');
        form.requestSubmit();
        form.querySelector('[type=submit]').disabled = false;
        form.requestSubmit();
        form.querySelector('[type=submit]').click();
    }""")
    await tab.page.wait_for_url("**/runs/*")
    assert len((await house.client.get("/api/v1/runs")).json()["items"]) == 1


async def test_what_is_chosen_is_shown_and_sent(browse: Browse, house: House) -> None:
    tab = await browse(f"{house.address}/")
    page = tab.page
    chips = page.locator(".chip > summary")
    usual = ["Sources @manual", "Todos 3–5", "Report in as asked", "Limits none", "Options "]
    assert await chips.all_inner_texts() == usual
    await chips.nth(1).click()
    await page.locator("[name=todos]").select_option("2")
    await page.locator("[name=review]").check()
    await chips.nth(2).click()
    await page.locator("[name=language][value=zh]").check()
    await chips.nth(3).click()
    await page.locator("[name=calls]").fill("9")
    await chips.nth(4).click()
    await page.locator("[name=since]").fill("2025-01-31")
    await page.locator("[name=not_sites]").fill("example.org，example.net")
    await page.locator("[name=offline]").check()
    await page.locator("[name=mark]").check()
    shown = ["Sources @manual", "Todos 2", "Report in 中文", "Limits 9 calls"]
    options = "Options ≥ 2025-01-31, − example.org，example.net, offline, unsupported marked"
    assert await chips.all_inner_texts() == [*shown, options]
    await page.locator("#topic").fill(TOPIC)
    async with page.expect_request("**/api/v1/runs") as asking:
        await page.locator("#topic").press("Enter")
    asked = json.loads((await asking.value).post_data or "")
    scope = {"since": "2025-01-31", "until": None, "sites": [], "not_sites": ["example.org", "example.net"]}
    assert (asked["scope"], asked["offline"], asked["unsupported"]) == (scope, True, "mark")
    await page.wait_for_url("**/runs/*")
    run = await house.wait(page.url.rpartition("/")[2], "working")
    assert (run["language"], run["limits"]["calls"]) == ("zh", 9)
    await until(page, "document.querySelector('[data-do=approve]')")


async def test_documents_that_are_dropped_become_a_library(browse: Browse, house: House) -> None:
    assert (await house.client.delete("/api/v1/libraries/manual")).status_code == 204
    tab = await browse(f"{house.address}/")
    page = tab.page
    assert await page.locator(".will .missing").count() == 1
    await page.locator("#topic").fill(TOPIC)
    await page.locator("#topic").press("Enter")
    assert "Choose a library" in await page.locator("#wrong").inner_text()
    await page.evaluate(DROP, ["Dead Rows.md", "# Rows\n\nVACUUM reclaims the space that dead rows of a table take up.\n"])
    await until(page, "document.querySelector('.chip b').textContent === '@dead-rows'")
    await until(page, "!document.querySelector('.will .missing')")
    assert (await house.client.get("/api/v1/libraries/dead-rows")).json()["documents"] == 1
    assert await page.locator("#topic").input_value() == TOPIC
    await page.goto(f"{house.address}/libraries")
    await until(page, "document.querySelector('[data-about=dead-rows]').textContent === '1 documents'")
    await page.locator("[data-remove]").click()
    await page.locator("[data-remove]").click()
    await until(page, "!document.querySelector('[data-about]')")
    assert tab.harm == []


async def test_the_list_tells_where_runs_stand(browse: Browse, house: House) -> None:
    tab = await browse(f"{house.address}/")
    assert "Nothing was asked yet" in await tab.page.locator(".recent").inner_text()
    run = await house.ask()
    await until(tab.page, "document.querySelector('.recent .state.working')")
    house.allow(ALL)
    await until(tab.page, "document.querySelector('.recent .state.complete')")
    await tab.page.locator(".recent a").click()
    await tab.page.wait_for_url(f"**/runs/{run}")


async def test_the_language_is_the_readers(browse: Browse, house: House) -> None:
    tab = await browse(f"{house.address}/", locale="de-DE")
    assert await tab.page.locator("html").get_attribute("lang") == "en"
    async with tab.page.expect_navigation():
        await tab.page.locator("[data-language=zh]").click()
    assert await tab.page.locator("html").get_attribute("lang") == "zh"
    assert "您想把什么问题弄个明白？" in await tab.page.locator("h1").inner_text()
    await tab.page.reload()
    assert await tab.page.locator("html").get_attribute("lang") == "zh"


async def test_a_page_is_small_and_its_parts_are_kept(house: House) -> None:
    house.allow(ALL)
    run = await house.ask()
    await house.wait(run, "complete")
    page = await house.client.get(f"/runs/{run}")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    again = await house.client.get(f"/runs/{run}", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304
    parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert len(parts) == 4
    for part in parts:
        answer = await house.client.get(part)
        assert "immutable" in answer.headers["cache-control"]
    assert (await house.client.get("/static/x/page.css")).headers["cache-control"] == "no-cache"
    assert (await house.client.get("/static/x/page.py")).status_code == 404


async def test_a_name_that_no_letter_of_a_library_fits_becomes_one_by_its_date(browse: Browse, house: House) -> None:
    tab = await browse(f"{house.address}/")
    await tab.page.evaluate(DROP, ["死行.md", "# 死行\n\nVACUUM 回收表中死行占用的空间。\n"])
    await until(tab.page, "document.querySelector('.chip b').textContent.startsWith('@documents-')")
    today = dt.datetime.now(dt.UTC).strftime("%m%d")
    assert f"@documents-{today}" in await tab.page.locator(".chip b").first.inner_text()
    names = [item["name"] for item in (await house.client.get("/api/v1/libraries")).json()["items"]]
    content = await house.client.get(f"/api/v1/libraries/{names[0]}/search", params={"q": "死行"})
    assert content.json()["items"][0]["address"].endswith("死行.md")

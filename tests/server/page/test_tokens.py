"""A server under a part of its addresses, with a token and a model: the way in, what is taken out, what is spent."""

import asyncio
import re
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from bench.chat import ChatServer, good_model
from playwright.async_api import Page
from tests.browser import IN_BROWSER, Browse
from tests.server.conftest import finish, served, upload
from tests.server.page.conftest import until

from leadline.server.access import Access

pytestmark = IN_BROWSER

TOKEN = "a long secret"


@pytest_asyncio.fixture(loop_scope="session")
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client of a server at `/lead`."""
    async with ChatServer(good_model) as model:
        monkeypatch.setenv("LEADLINE_MODEL", "compatible:good")
        monkeypatch.setenv("LEADLINE_MODEL_URL", model.url)
        async with served(Access(token=TOKEN, root_path="/lead"), headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            client.base_url = client.base_url.join("/lead/")
            assert (await client.post("api/v1/libraries", json=upload())).status_code == 201
            yield client


async def sign_in(page: Page) -> None:
    await page.locator("#token").fill(TOKEN)
    await page.locator("[type=submit]").click()


async def test_the_token_leads_back_to_where_one_wanted_to_go(browse: Browse, client: httpx.AsyncClient) -> None:
    run = await finish(client, model="none")
    wanted = f"{client.base_url}runs/{run['id']}?view=sources"
    tab = await browse(wanted)
    await tab.page.locator("#token").fill("wrong")
    await tab.page.locator("[type=submit]").click()
    await until(tab.page, "document.querySelector('#trouble').innerText.includes('not this server')")
    await sign_in(tab.page)
    await tab.page.wait_for_url(wanted)
    assert await tab.page.locator("#sources tbody tr").count() > 0
    assert not await tab.page.locator("#trouble").is_visible()
    await tab.page.locator(".tabs a").nth(1).click()
    await until(tab.page, "document.querySelector('#references')")
    await tab.page.context.clear_cookies()
    await tab.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # it looks what there is
    await tab.page.wait_for_url(lambda url: "/lead/login" in url)
    assert tab.harm == []


async def test_a_report_is_copied_and_printed(browse: Browse, client: httpx.AsyncClient) -> None:
    run = await finish(client, model="none")
    tab = await browse(f"{client.base_url}login?next=/lead/runs/{run['id']}")
    await tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await sign_in(tab.page)
    await tab.page.locator("#export > summary").click()
    await tab.page.locator("[data-copy]").click()
    async with asyncio.timeout(60):
        while "clipboard" not in await tab.page.evaluate("document.querySelector('#told').innerText"):
            await asyncio.sleep(1)  # a headless browser's clipboard left a write unanswered once
            await tab.page.evaluate("document.querySelector('[data-copy]').click()")
    report = await client.get(f"api/v1/runs/{run['id']}/report")
    assert await tab.page.evaluate("navigator.clipboard.readText()") == report.text
    await tab.page.evaluate("addEventListener('beforeprint', () => { document.body.dataset.printed = ''; })")
    await tab.page.locator("#export > summary").click()
    await tab.page.locator("[data-print]").click()
    await until(tab.page, "document.body.dataset.printed !== undefined")
    await tab.page.emulate_media(media="print")
    shown = await tab.page.locator(".bar:visible, .tabs:visible, .on:visible, #status:visible, .plan:visible").count()
    assert (shown, await tab.page.locator("#references").is_visible()) == (0, True)
    assert tab.errors == []


async def test_what_a_model_uses_is_shown_while_it_works(browse: Browse, client: httpx.AsyncClient) -> None:
    tab = await browse(f"{client.base_url}login")
    page = tab.page
    await sign_in(page)
    await page.locator(".chip > summary").nth(1).click()
    await page.locator("[name=review]").check()
    await page.locator(".chip > summary").nth(3).click()
    await page.locator("[name=tokens]").fill("90000")
    await page.locator("#topic").fill("How does VACUUM reclaim dead rows?")
    await page.locator("#topic").press("Enter")
    await page.wait_for_url("**/lead/runs/*")
    run = page.url.rpartition("/")[2]
    await until(page, "document.querySelector('[data-do=approve]')")
    used = "Number(/([\\d,]+) of 90,000 tokens/.exec(document.querySelector('#figures').innerText)?.[1].replace(',', ''))"
    await until(page, f"{used} > 0")  # of the plan, which is all that was asked for
    planned = await page.evaluate(used)
    await page.locator("[data-do=approve]").click()
    await until(page, "document.querySelector('#references')")
    usage = (await client.get(f"api/v1/runs/{run}")).json()["usage"]
    assert planned < await page.evaluate(used) == usage["prompt_tokens"] + usage["completion_tokens"]
    assert re.search(r"\$0\.000", await page.locator("#figures").inner_text())
    assert tab.errors == []

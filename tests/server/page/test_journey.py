"""The whole way through the page, in both languages: ask, watch, change the plan, cancel, resume, read, check, take away."""

import pytest
from tests.browser import IN_BROWSER, Browse
from tests.server.page.conftest import ALL, TOPIC, House, points, until

pytestmark = IN_BROWSER


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_a_question_becomes_a_report(browse: Browse, house: House, locale: str) -> None:
    tab = await browse(f"{house.address}/", locale=locale)
    page = tab.page
    assert await page.locator("html").get_attribute("lang") == locale[:2]
    await page.locator("#topic").fill(TOPIC)
    await page.locator("#topic").press("Enter")
    await page.wait_for_url("**/runs/*")
    run = page.url.rpartition("/")[2]
    await until(page, "document.querySelectorAll('#todos > li').length > 1")
    assert await points(page) == []

    house.allow(2)
    await until(page, "document.querySelectorAll('.points li').length === 2")
    first = await points(page)

    await page.locator("[data-plan=add]").click()
    await page.locator(".edit [name=title]").fill("Long transactions")
    await page.locator(".edit [name=query]").fill("long transaction dead rows")
    await page.locator(".edit [type=submit]").click()
    await until(
        page, "[...document.querySelectorAll('#todos .title')].some((title) => title.textContent === 'Long transactions')"
    )
    assert [todo["title"] for todo in (await house.show(run))["todos"]][-1] == "Long transactions"

    await page.locator("[data-do=cancel]").click()
    await until(page, "document.querySelector('#state').classList.contains('cancelled')")
    assert (await house.show(run))["state"] == "cancelled"
    await page.locator(".notice [data-do=resume]").click()
    await until(page, "document.querySelector('#state').classList.contains('working')")
    house.allow(ALL)
    await until(page, "document.querySelector('#references')")
    assert set(first) <= set(await points(page))
    assert len(await points(page)) == (await house.show(run))["points"]

    await page.locator("section[id^=s] a.cite").first.click()
    quote = page.locator(".evidence.is-open mark")
    assert await quote.inner_text() in (await points(page))[0]
    assert await page.locator(".point.is-lit").count() == 1
    await page.keyboard.press("ArrowRight")
    await until(page, "document.querySelectorAll('section[id^=s] a.cite')[1].hasAttribute('aria-current')")
    await page.keyboard.press("Escape")
    await until(page, "document.querySelector('.evidence.is-open') === null")

    await page.locator("#export > summary").click()
    async with page.expect_download() as download:
        await page.locator("#export a[href*='format=md']").click()
    assert (await (await download.value).path()).read_text(encoding="utf-8").startswith(f"# {TOPIC}")
    assert tab.harm == []
    assert tab.errors == []


async def test_the_plan_is_reviewed_and_ordered_with_the_keys_and_by_drag(browse: Browse, house: House) -> None:
    run = await house.ask(review_plan=True)
    tab = await browse(f"{house.address}/runs/{run}")
    page = tab.page
    titles = "[...document.querySelectorAll('#todos .title')].map((title) => title.textContent).join()"
    await until(page, f"{titles} === 'Vacuuming,Freezing,Bloat'")

    await page.locator("#todos > li").first.locator("summary").focus()
    await page.keyboard.press("Alt+ArrowDown")
    await page.keyboard.press("Alt+ArrowDown")
    await until(page, f"document.querySelector('#plan').dataset.revision === '2' && {titles} === 'Freezing,Bloat,Vacuuming'")
    assert [todo["title"] for todo in (await house.show(run))["todos"]] == ["Freezing", "Bloat", "Vacuuming"]

    grip, target = page.locator("#todos > li .grip").nth(2), page.locator("#todos > li .grip").nth(0)
    await grip.hover()
    await page.mouse.down()
    box = await target.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 10, box["y"] + 8, steps=8)
    await page.mouse.up()
    await until(page, f"document.querySelector('#plan').dataset.revision === '3' && {titles} === 'Vacuuming,Freezing,Bloat'")

    await page.locator("#todos > li").nth(1).locator("summary").click()
    await page.locator("#todos > li").nth(1).locator("[data-plan=skip]").click()
    await until(page, "document.querySelector('#todos > li:nth-child(2)').classList.contains('skipped')")
    await page.locator("[data-do=approve]").click()
    house.allow(ALL)
    await until(page, "document.querySelector('#references')")
    assert [t["status"] for t in (await house.show(run))["todos"]] == ["completed", "skipped", "completed"]
    assert tab.errors == []


async def test_what_fails_says_so_where_it_happened_and_can_be_tried_again(browse: Browse, house: House) -> None:
    house.allow(ALL)
    run = await house.ask(
        plan=[{"title": "Vacuuming", "query": "VACUUM dead rows table"}, {"title": "broken", "query": "rows"}]
    )
    await house.wait(run, "incomplete")
    tab = await browse(f"{house.address}/runs/{run}")
    failed = tab.page.locator("#todos > li.failed")
    assert "the analyst broke <b>down</b>" in await failed.locator(".reason").inner_text()
    before = (await house.show(run))["events"]
    await failed.locator(".reason [data-do=retry]").click()
    await until(tab.page, f"Number(document.querySelector('#desk').dataset.seq) > {before}")
    assert (await house.wait(run, "incomplete"))["events"] > before


async def test_a_follow_up_keeps_the_sources(browse: Browse, house: House) -> None:
    house.allow(ALL)
    run = await house.ask()
    await house.wait(run, "complete")
    tab = await browse(f"{house.address}/runs/{run}")
    await tab.page.locator("#topic").fill("What does freezing do to rows of a table?")
    await tab.page.locator("#topic").press("Enter")
    await tab.page.wait_for_url(lambda url: "/runs/" in url and run not in url)
    assert (await house.show(tab.page.url.rpartition("/")[2]))["sources"] == ["@manual"]


async def test_sources_and_timeline_tell_of_the_run(browse: Browse, house: House) -> None:
    house.allow(ALL)
    run = await house.ask()
    await house.wait(run, "complete")
    tab = await browse(f"{house.address}/runs/{run}")
    await tab.page.locator(".tabs a").nth(2).click()
    await until(tab.page, "document.querySelector('#sources tbody tr')")
    cited = await tab.page.locator("#sources .dot").all_inner_texts()
    assert sum(map(int, cited)) >= (await house.show(run))["points"]
    await tab.page.locator(".tabs a").nth(3).click()
    await until(tab.page, "document.querySelectorAll('#timeline li').length >= 3")
    assert await tab.page.locator("#timeline rect.k-point").count() >= (await house.show(run))["points"]
    await tab.page.go_back()
    await until(tab.page, "document.querySelector('#sources')")
    assert tab.errors == []


async def test_a_finished_run_is_deleted_after_a_second_thought(browse: Browse, house: House) -> None:
    house.allow(ALL)
    run = await house.ask()
    await house.wait(run, "complete")
    tab = await browse(f"{house.address}/runs/{run}")
    await tab.page.locator("[data-delete]").click()
    assert (await house.show(run))["state"] == "complete"
    await tab.page.locator("[data-delete]").click()
    await tab.page.wait_for_url(f"{house.address}/")
    assert (await house.client.get(f"/api/v1/runs/{run}")).status_code == 404
    assert (await house.client.get(f"/runs/{run}")).status_code == 404

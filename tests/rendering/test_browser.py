"""The page of a report in a real browser: hostile text does nothing there, evidence opens, with and without the script."""

from pathlib import Path

import pytest
from tests.browser import IN_BROWSER, Browse, Tab
from tests.reports import PAGES, make_sample

from leadline.rendering import render_page, view_report

pytestmark = IN_BROWSER

VECTORS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "<svg/onload=alert(3)>",
    '"><iframe src=javascript:alert(4)></iframe>',
    "</style><script>alert(5)</script>",
    "</title><script>alert(6)</script>",
    "<a href='javascript:alert(7)'>click</a>",
    "[click](javascript:alert(8))",
    "![x](https://evil.example/pixel.png)",
    "[1]: https://evil.example/ 't'",
    "<https://evil.example/auto>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>@import url(https://evil.example/y.css)</style>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<base href=https://evil.example/>",
    "<form action=https://evil.example/><button autofocus onfocus=alert(9)>go</button></form>",
    "<details open ontoggle=alert(10)>",
    "<math><mtext><mglyph><style><!--</style><img title='--><img src onerror=alert(11)>'>",
    "&lt;script&gt;alert(12)&lt;/script&gt;",
    "&#x6A;avascript:alert(13)",
    "`<script>alert(14)</script>`",
    "```\n<script>alert(15)</script>",
    "<!-- unclosed",
    "<textarea><plaintext>",
    "{{ 7 * 7 }} {% raw %}",
    "\u202e<scr\u0000ipt>alert(16)</scr\u0000ipt>",
)


def _hostile(tmp_path: Path) -> str:
    """Write a page in which every text that somebody else has written is a vector, and return its address."""
    sentences = [" ".join(f"Rows {vector} are kept.".split()) for vector in VECTORS]
    text = "# Rows <script>alert(0)</script>\n\n" + "\n\n".join(sentences)
    addresses = ("javascript:alert(17)", "https://e.example/'><script>alert(18)</script>")
    pages = [
        PAGES[0].model_copy(update={"title": vector, "site": vector, "address": address, "text": text, "authors": (vector,)})
        for vector, address in zip(VECTORS, addresses, strict=False)
    ]
    pages = [page.model_copy(update={"id": f"{number}" * 64}) for number, page in enumerate(pages)]
    said = [(vector, (sentence,)) for vector, sentence in zip(VECTORS, sentences, strict=True)]
    run, saved = make_sample(pages, said, title=" ".join(VECTORS))
    file = tmp_path / "report.html"
    file.write_text(render_page(view_report(run, saved)), encoding="utf-8")
    return file.as_uri()


def _plain(tmp_path: Path) -> str:
    run, pages = make_sample()
    file = tmp_path / "report.html"
    file.write_text(render_page(view_report(run, pages)), encoding="utf-8")
    return file.as_uri()


async def _opened(tab: Tab) -> list[str]:
    """The evidence that can be seen."""
    return [str(await one.get_attribute("id")) for one in await tab.page.locator(".evidence:visible").all()]


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
async def test_hostile_text_does_nothing(browse: Browse, tmp_path: Path, script: bool) -> None:
    tab = await browse(_hostile(tmp_path), java_script_enabled=script)
    await tab.page.evaluate("document.querySelectorAll('a.cite').forEach((cite) => cite.click())")
    await tab.page.locator("body").press("Tab")
    assert tab.harm == []
    assert tab.errors == []
    assert await tab.page.locator("img, iframe, form, object, base, link").count() == 0
    assert await tab.page.locator("main a[href^='javascript'], .panel a[href^='javascript']").count() == 0
    assert await tab.page.locator(".points .point").count() == len(VECTORS)
    assert await tab.page.locator("#references li").count() == 2
    body = await tab.page.inner_text("main")
    assert all(words in body for words in ("<script>alert(1)</script>", "[click](javascript:alert(8))", "{{ 7 * 7 }}"))


async def test_a_script_that_got_in_would_not_run(browse: Browse, tmp_path: Path) -> None:
    run, pages = make_sample()
    html = render_page(view_report(run, pages)).replace(
        "</main>", "<script>alert(1)</script><img src=x onerror=alert(2)></main>"
    )
    file = tmp_path / "report.html"
    file.write_text(html, encoding="utf-8")
    tab = await browse(file.as_uri())
    assert tab.dialogs == []
    assert any("Content Security Policy" in error for error in tab.errors)


async def test_evidence_by_mouse(browse: Browse, tmp_path: Path) -> None:
    tab = await browse(_plain(tmp_path))
    assert await _opened(tab) == []
    await tab.page.click("#p1-1 a.cite >> nth=1")
    assert await _opened(tab) == ["e1-1-2"]
    assert (
        await tab.page.inner_text(".evidence:visible mark")
        == "VACUUM makes the space of dead rows reusable inside the same table."
    )
    assert await tab.page.locator("#p1-1.is-lit").count() == 1
    await tab.page.click(".close")
    assert await _opened(tab) == []
    assert tab.errors == tab.harm == []


async def test_evidence_by_keys(browse: Browse, tmp_path: Path) -> None:
    tab = await browse(_plain(tmp_path))
    await tab.page.focus("#p1-1 a.cite")
    await tab.page.keyboard.press("Enter")
    assert await _opened(tab) == ["e1-1-1"]
    assert await tab.page.evaluate("document.activeElement.id") == "e1-1-1"
    await tab.page.keyboard.press("ArrowRight")
    await tab.page.keyboard.press("ArrowRight")
    assert await _opened(tab) == ["e2-1-2"]
    await tab.page.keyboard.press("ArrowLeft")
    assert await _opened(tab) == ["e1-1-2"]
    await tab.page.keyboard.press("Escape")
    assert await _opened(tab) == []
    assert await tab.page.evaluate("document.activeElement.hash") == "#e1-1-2"


async def test_evidence_without_the_script(browse: Browse, tmp_path: Path) -> None:
    tab = await browse(_plain(tmp_path), java_script_enabled=False)
    await tab.page.click("#p1-1 a.cite >> nth=1")
    assert await _opened(tab) == ["e1-1-2"]
    await tab.page.click(".evidence:visible .back")
    assert await _opened(tab) == []


async def test_an_address_with_its_evidence_opens_there(browse: Browse, tmp_path: Path) -> None:
    tab = await browse(f"{_plain(tmp_path)}#e2-1-2")
    assert await _opened(tab) == ["e2-1-2"]


@pytest.mark.parametrize("width", [360, 800, 1080, 1440, 3840])
async def test_nothing_is_wider_than_the_screen(browse: Browse, tmp_path: Path, width: int) -> None:
    tab = await browse(_plain(tmp_path), viewport={"width": width, "height": 800})
    await tab.page.click("#p1-1 a.cite >> nth=0")
    assert await tab.page.evaluate("document.documentElement.scrollWidth") <= width
    box = await tab.page.locator(".evidence:visible mark").bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width

"""From a hit to a page: what was read, what stands in for it, and what is kept."""

from collections.abc import Callable

import pytest
from tests.web import Answer, Asked, Site, page, redirect

from leadline.reading import RecalledReader, WebReader
from leadline.records import Hit, NotRead, Page
from leadline.store import Store

Make = Callable[..., WebReader]
SNIPPET = "VACUUM reclaims the storage that dead rows occupy, says the <b>manual</b>."


def _hit(url: str, **more: object) -> Hit:
    return Hit(backend="fake", address=url, title="Rows", **more)


async def _read(reader: WebReader, hit: Hit) -> Page:
    answer = await reader.read(hit)
    assert isinstance(answer, Page), answer
    return answer


async def test_a_page_is_read_and_saved(make_reader: Make, store: Store) -> None:
    async with Site({"/": redirect("/a"), "/a": page("Dead rows", "Dead rows take space.")}) as site:
        read = await _read(make_reader(site), _hit(site.url()))
        assert (read.kind, read.title, read.site, read.address) == ("read", "Dead rows", "127.0.0.1", site.url("/a"))
    assert "Dead rows take space." in read.text
    assert await store.snapshots("r1").load(read.id) == read


GBK = (
    '<html><head><meta charset="gb2312"></head><body><article>'
    "<p>朱镕基说，五千亿元已经到位，各地正在安排使用。</p></article></body></html>"
)


@pytest.mark.parametrize("label", ["", "; charset=utf-8", "; charset=ISO-8859-1", "; charset=gb2312"])
async def test_gbk_pages_are_readable_whatever_the_server_says(make_reader: Make, label: str) -> None:
    async with Site({"/": Answer(GBK.encode("gb18030"), headers={"Content-Type": f"text/html{label}"})}) as site:
        read = await _read(make_reader(site), _hit(site.url()))
    assert "五千亿元" in read.text
    assert "镕" in read.text


async def test_an_excerpt_stands_in_and_says_why(make_reader: Make) -> None:
    async with Site({"/a": Answer(status=500)}) as site:
        read = await _read(make_reader(site), _hit(site.url("/a"), snippet=SNIPPET))
    assert (read.kind, read.reason) == ("snippet", "the server answered HTTP 500")
    assert read.text == "VACUUM reclaims the storage that dead rows occupy, says the manual."


@pytest.mark.parametrize("target", ["/image", "/challenge", "/gone"])
async def test_what_is_refused_has_no_stand_in(make_reader: Make, target: str) -> None:
    routes = {
        "/image": Answer(b"x", headers={"Content-Type": "image/png"}),
        "/challenge": Answer(status=403, headers={"cf-mitigated": "challenge"}),
    }
    async with Site(routes) as site:
        answer = await make_reader(site).read(_hit(site.url(target), snippet=SNIPPET))
    assert isinstance(answer, NotRead)
    assert answer.refused


async def test_without_an_excerpt_there_is_a_reason(make_reader: Make) -> None:
    async with Site({"/a": Answer(status=500)}) as site:
        answer = await make_reader(site).read(_hit(site.url("/a"), snippet="Rows…"))
    assert answer == NotRead(address=site.url("/a"), reason="127.0.0.1: the server answered HTTP 500")


async def test_an_address_inside_has_no_stand_in(make_reader: Make, canary: Site) -> None:
    answer = await make_reader().read(_hit(canary.url(), snippet=SNIPPET))
    assert isinstance(answer, NotRead)
    assert answer.refused
    assert "address not allowed" in answer.reason


async def test_an_abstract_may_be_cited_and_an_open_copy_is_read_instead(make_reader: Make) -> None:
    async with Site({"/paper": page("Draft", "We measure the space of dead rows.")}) as site:
        reader = make_reader(site)
        paper = _hit("https://arxiv.org/abs/2401.00001", abstract="We measure rows.", authors=("A. Author",), date="2024-01-02")
        abstract = await _read(reader, paper)
        whole = await _read(reader, paper.model_copy(update={"document": site.url("/paper")}))
        fallen = await _read(reader, paper.model_copy(update={"document": site.url("/none")}))
    assert (abstract.kind, abstract.text, abstract.authors) == ("abstract", "We measure rows.", ("A. Author",))
    assert (whole.kind, whole.title, whole.address) == ("read", "Rows", "https://arxiv.org/abs/2401.00001")
    assert "space of dead rows" in whole.text
    assert fallen == abstract


async def test_a_page_that_has_not_changed_is_not_sent_again(make_reader: Make, store: Store) -> None:
    def serve(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == '"1"':
            return Answer(status=304)
        return Answer(page("Rows", "Dead rows take space.").body, headers={"Content-Type": "text/html", "ETag": '"1"'})

    async with Site({"/a": serve}) as site:
        first = await _read(make_reader(site), _hit(site.url("/a")))
        again = await _read(make_reader(site), _hit(site.url("/a")))
    assert first == again
    assert [asked.headers.get("if-none-match") for asked in site.asked if asked.target == "/a"] == [None, '"1"']


async def test_a_page_that_has_changed_is_another_page(make_reader: Make, store: Store) -> None:
    async with Site({"/a": page("Rows", "Dead rows take space.")}) as site:
        first = await _read(make_reader(site), _hit(site.url("/a")))
        site.routes["/a"] = page("Rows", "Dead rows took space.")
        again = await _read(make_reader(site), _hit(site.url("/a")))
    assert first.id != again.id
    assert await store.snapshots("r1").load(first.id) == first


async def test_a_run_reads_a_page_once_under_all_its_addresses(make_reader: Make, store: Store) -> None:
    async with Site({"/a": page("Rows", "Dead rows take space.")}) as site:
        first: Page | NotRead | None = None
        for url in (site.url("/a"), site.url("/a?utm_source=x&fbclid=1"), site.url("/a#s2"), site.url("/a/")):
            reader = RecalledReader(make_reader(site), store.journal("r1"), store.snapshots("r1"))
            answer = await reader.read(_hit(url))
            first = first or answer
            assert answer == first
    assert site.targets.count("/a") == 1


async def test_a_failed_read_is_remembered_too(make_reader: Make, store: Store) -> None:
    async with Site() as site:
        for _ in range(2):
            reader = RecalledReader(make_reader(site), store.journal("r1"), store.snapshots("r1"))
            assert isinstance(await reader.read(_hit(site.url("/none"))), NotRead)
    assert site.targets.count("/none") == 1

"""What may never be connected to: every address, every hop. A canary listens where a mistake would lead."""

import ipaddress

import pytest
from tests.reading.conftest import Make
from tests.web import PUBLIC, Answer, Internet, Site, page, redirect

from leadline.errors import FetchFailed

NAME = "news.example"


async def _refused(make_fetcher: Make, url: str, **more: object) -> str:
    with pytest.raises(FetchFailed, match="address not allowed") as caught:
        await make_fetcher(**more).fetch(url)
    assert caught.value.kind == "address not allowed"
    return str(caught.value)


def _spell(port: int) -> list[str]:
    number = int(ipaddress.ip_address("127.0.0.1"))
    hosts = [
        "127.0.0.1", "127.1", "127.0.1", str(number), "0x7f.1", "0x7f000001", "0177.0.0.1", "0", "0.0.0.0", "127.0.0.1.",
        "[::1]", "[::]", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
        "localhost", "LOCALHOST", "localhost.", "user@127.0.0.1", "user:secret@127.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1",
    ]  # fmt: skip
    return [f"http://{host}:{port}/" for host in hosts]


async def test_no_spelling_of_loopback_is_connected_to(make_fetcher: Make, canary: Site) -> None:
    for url in _spell(canary.port):
        await _refused(make_fetcher, url)


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/", "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::a9fe:a9fe]/", "http://100.64.0.1/", "http://user@127.0.0.1/", "http://localhost./",
        "http://[fe80::1%25eth0]/",
        "file:///etc/passwd", "ftp://news.example/", "gopher://127.0.0.1/", "data:text/html,hi",
        "javascript:alert(1)", "//127.0.0.1/",
        "http://", "http:///", "http://news.example:22/", "http://news.example:6379/", "http://user@news.example/", "http://[",
        "http://news.example:port/", "http://1.2.3.4.5/", "\x00", "", "http://news.example:99999/",
    ],
)  # fmt: skip
async def test_addresses_of_the_field(make_fetcher: Make, url: str) -> None:
    internet = Internet({NAME: [[PUBLIC]]}, {})
    await _refused(make_fetcher, url, internet=internet)
    assert internet.dialled == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_inside_is_not_followed(make_fetcher: Make, canary: Site, status: int) -> None:
    async with Site({"/": redirect(canary.url(), status)}) as site:
        await _refused(make_fetcher, f"http://{NAME}/", internet=Internet({NAME: [[PUBLIC]]}, {PUBLIC: site}))
        assert "/" in site.targets


@pytest.mark.parametrize(
    "target", ["//127.0.0.1/", "http:\\\\127.0.0.1\\", "file:///etc/passwd", "http://[::1]/", "http://[bad"]
)
async def test_redirects_in_other_spellings(make_fetcher: Make, target: str) -> None:
    async with Site({"/": redirect(target)}) as site:
        internet = Internet({NAME: [[PUBLIC]]}, {PUBLIC: site})
        with pytest.raises(FetchFailed):
            await make_fetcher(internet=internet).fetch(f"http://{NAME}/")
        assert {address for address, _ in internet.dialled} == {PUBLIC}


async def test_a_meta_refresh_inside_is_not_followed(make_fetcher: Make, canary: Site) -> None:
    html = f'<html><head><meta http-equiv="refresh" content="0; url={canary.url()}"></head><body>Wait</body></html>'
    async with Site({"/": Answer(html.encode())}) as site:
        await _refused(make_fetcher, f"http://{NAME}/", internet=Internet({NAME: [[PUBLIC]]}, {PUBLIC: site}))


async def test_a_robots_txt_inside_is_not_followed(make_fetcher: Make, canary: Site) -> None:
    async with Site({"/": page("News"), "/robots.txt": redirect(canary.url("/robots.txt"))}) as site:
        await _refused(make_fetcher, f"http://{NAME}/", internet=Internet({NAME: [[PUBLIC]]}, {PUBLIC: site}))


async def test_a_second_answer_of_the_name_server_is_checked_too(make_fetcher: Make, canary: Site) -> None:
    async with Site({"/": Answer(b"hello", headers={"Connection": "close"})}) as site:
        internet = Internet({NAME: [[PUBLIC], ["127.0.0.1"]]}, {PUBLIC: site, "127.0.0.1": canary})
        site.routes["/robots.txt"] = Answer(headers={"Connection": "close"})
        await _refused(make_fetcher, f"http://{NAME}/", internet=internet)
        assert site.targets == ["/robots.txt"]
        assert {address for address, _ in internet.dialled} == {PUBLIC}


async def test_one_inner_address_among_public_ones_is_enough_to_refuse(make_fetcher: Make, canary: Site) -> None:
    internet = Internet({NAME: [[PUBLIC, "10.0.0.1"]]}, {PUBLIC: canary})
    await _refused(make_fetcher, f"http://{NAME}/", internet=internet)


async def test_the_connection_goes_to_the_checked_address_and_keeps_the_name(make_fetcher: Make) -> None:
    async with Site({"/": page("News", "Rows were counted.")}) as site:
        internet = Internet({NAME: [[PUBLIC]]}, {PUBLIC: site})
        fetched = await make_fetcher(internet=internet).fetch(f"http://{NAME}/")
    assert fetched.body is not None
    assert {address for address, _ in internet.dialled} == {PUBLIC}
    assert {asked.headers["host"] for asked in site.asked} == {NAME}


async def test_a_service_of_the_user_s_own_is_allowed_on_its_port_only(make_fetcher: Make, canary: Site) -> None:
    async with Site({"/": page("Mine", "It is here.")}) as site:
        fetcher = make_fetcher(site)
        assert (await fetcher.fetch(site.url("/"))).body
        with pytest.raises(FetchFailed, match="address not allowed"):
            await fetcher.fetch(canary.url())


async def test_offline_connects_to_nothing_beyond_this_machine(make_fetcher: Make, canary: Site) -> None:
    internet = Internet({NAME: [[PUBLIC]]}, {PUBLIC: canary})
    for url in (f"http://{NAME}/", f"http://{PUBLIC}/", "https://[2606:4700::1111]/"):
        assert "--offline" in await _refused(make_fetcher, url, internet=internet, offline=True)
    assert internet.dialled == []


async def test_offline_leaves_a_service_on_loopback(make_fetcher: Make) -> None:
    async with Site({"/": page("Mine", "It is here.")}) as site:
        assert (await make_fetcher(site, offline=True).fetch(site.url("/"))).body

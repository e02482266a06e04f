"""What is refused before it reaches anything: strangers' pages, strange names, too much."""

import ipaddress
from collections.abc import AsyncIterator

import httpx
import pytest
from tests.server.conftest import opened, upload

from leadline.desk import Desk
from leadline.errors import UsageError
from leadline.server.access import Access, read_networks

PROXY = "10.0.0.2"
BEHIND = Access(
    host="0.0.0.0",
    token="s3cret",
    allowed_hosts=frozenset({"research.example"}),
    root_path="/leadline",
    proxies=(ipaddress.ip_network("10.0.0.0/24"),),
    user_header="X-Forwarded-User",
)
OTHER_SITE = {"Origin": "https://evil.example"}


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7733", "127.0.0.1.evil.example", "localhost.", "", "[::", "a@localhost"]
)
async def test_a_strange_name_is_refused(desk: Desk, host: str) -> None:
    async with opened(desk) as client:
        refused = await client.get("/healthz", headers={"Host": host})
        assert refused.status_code == 421
        assert refused.json()["error"]["code"] == "wrong_host"


@pytest.mark.parametrize("host", ["localhost", "localhost:9999", "127.0.0.1:7733", "[::1]:7733", "LOCALHOST"])
async def test_the_names_of_loopback_are_known(desk: Desk, host: str) -> None:
    async with opened(desk) as client:
        assert (await client.get("/healthz", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        OTHER_SITE,
        {"Origin": "null"},
        {"Origin": "http://localhost:7734"},
        {"Origin": "https://localhost:7733"},
        {"Origin": "http://localhost:7733.evil.example"},
        {"Origin": "http://localhost:port"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Cookie": "leadline=x"},
    ],
)
async def test_another_sites_page_changes_nothing(desk: Desk, headers: dict[str, str]) -> None:
    async with opened(desk) as client:
        assert (await client.post("/api/v1/libraries", json=upload(), headers=headers)).status_code == 403
        assert (await client.delete("/api/v1/libraries/manual", headers=headers)).status_code == 403
        assert (await client.get("/api/v1/libraries")).json()["items"] == []


async def test_a_page_of_this_server_and_a_program_change_something(desk: Desk) -> None:
    async with opened(desk) as client:
        for headers in ({"Origin": "http://localhost:7733", "Sec-Fetch-Site": "same-origin", "Cookie": "a=b"}, {}):
            assert (await client.post("/api/v1/libraries", json=upload(), headers=headers)).status_code == 201


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
async def test_a_change_is_json(desk: Desk, kind: str) -> None:
    async with opened(desk) as client:
        refused = await client.post("/api/v1/libraries", content=b"{}", headers={"Content-Type": kind})
        assert refused.status_code == 415


async def test_no_get_changes_anything(desk: Desk) -> None:
    async with opened(desk) as client:
        paths = (await client.get("/api/v1/openapi.json")).json()["paths"]
        changing = [
            path for path, methods in paths.items() if {"post", "put", "delete"} & set(methods) and "get" not in methods
        ]
        assert len(changing) >= 7
        for path in changing:
            answer = await client.get(path.format(run="r", name="n", point="p"))
            assert answer.status_code == 405, path
            assert "GET" not in answer.headers["allow"]


async def test_too_large_a_body_is_refused_whatever_it_says(desk: Desk) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(2_000):
            yield b" " * 1_000

    async with opened(desk, Access(largest=1_500_000)) as client:
        json = {"Content-Type": "application/json"}
        for path in ("/api/v1/runs", "/api/v1/libraries"):
            refused = await client.post(path, content=endless(), headers=json)
            assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too_large"), path


async def test_a_client_that_changes_too_much_has_to_wait(desk: Desk) -> None:
    async with opened(desk, Access(changes_a_minute=3)) as client:
        answers = [await client.post("/api/v1/runs", json={}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [422, 422, 422, 429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
        assert (await client.get("/api/v1/runs")).status_code == 200


async def test_every_answer_tells_browsers_what_they_may_do(desk: Desk) -> None:
    async with opened(desk) as client:
        for path in ("/healthz", "/api/v1/runs", "/nothing", "/api/v1/runs/nothing"):
            headers = (await client.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-store"
            assert "access-control-allow-origin" not in headers


# --- a wider bind, and proxies ----------------------------------------------------------------------------------------


def test_a_wider_bind_needs_a_token() -> None:
    for host in ("0.0.0.0", "::", "192.168.1.5", "research.example"):
        with pytest.raises(UsageError, match="needs a token"):
            Access(host=host)
    assert Access(host="127.0.0.2").token is None
    assert "s3cret" not in repr(BEHIND)


def test_a_user_header_needs_proxies_that_are_believed() -> None:
    with pytest.raises(UsageError, match="--trusted-proxy"):
        Access(user_header="X-User")
    with pytest.raises(UsageError, match="'everyone'"):
        read_networks(["everyone"])


async def test_whoever_knows_the_token_comes_in(desk: Desk) -> None:
    async with opened(desk, BEHIND, peer="192.168.1.9") as client:
        refused = await client.get("/api/v1/runs")
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        for wrong in ("Bearer wrong", "Bearer ", "Basic s3cret", "s3cret"):
            assert (await client.get("/api/v1/runs", headers=[("Authorization", wrong)])).status_code == 401
        assert (await client.get("/api/v1/runs", headers={"Authorization": "Bearer s3cret"})).status_code == 200
        assert (await client.get("/healthz")).status_code == 200
        page = await client.get("/leadline/runs/r", headers={"Accept": "text/html,*/*"})
        assert (page.status_code, page.headers["location"]) == (303, "/leadline/login?next=/leadline/runs/r")


async def test_the_token_is_exchanged_for_a_cookie(desk: Desk) -> None:
    async with opened(desk, BEHIND, peer="192.168.1.9") as client:
        assert (await client.post("/api/v1/session", json={"token": "wrong"})).status_code == 401
        given = await client.post("/api/v1/session", json={"token": "s3cret"})
        cookie = given.headers["set-cookie"].lower()
        assert given.status_code == 204
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "path=/leadline" in cookie
        assert "s3cret" not in cookie
        value = given.headers["set-cookie"].partition(";")[0]
        assert (await client.get("/api/v1/runs", headers={"Cookie": value})).status_code == 200
        assert (await client.get("/api/v1/runs", headers={"Cookie": value[:-1]})).status_code == 401
        assert (await client.delete("/api/v1/session")).headers["set-cookie"].startswith('leadline="";')


async def test_guessing_tokens_is_slowed_down(desk: Desk) -> None:
    access = Access(host="0.0.0.0", token="s3cret", changes_a_minute=5)
    async with opened(desk, access, peer="192.168.1.9") as client:
        guesses = [await client.get("/api/v1/runs", headers={"Authorization": f"Bearer {n}"}) for n in range(7)]
        assert [guess.status_code for guess in guesses] == [401] * 5 + [429] * 2


async def test_a_proxy_is_believed_and_nobody_else(desk: Desk) -> None:
    headers = {"Host": "research.example", "X-Forwarded-User": "ada", "X-Forwarded-Proto": "https"}
    change = {**headers, "Origin": "https://research.example"}
    async with opened(desk, BEHIND, peer=PROXY) as client:
        assert (await client.get("/leadline/api/v1/config", headers=headers)).json()["user"] == "ada"
        assert (await client.get("/api/v1/config", headers=headers)).json()["user"] == "ada"
        assert (await client.post("/leadline/api/v1/libraries", json=upload(), headers=change)).status_code == 201
        plain = {**change, "Origin": "http://research.example"}
        assert (await client.post("/leadline/api/v1/libraries", json=upload(), headers=plain)).status_code == 403
        assert (await client.get("/api/v1/config", headers={**headers, "X-Forwarded-User": ""})).status_code == 401
    async with opened(desk, BEHIND, peer="10.0.1.2") as client:
        assert (await client.get("/leadline/api/v1/config", headers=headers)).status_code == 401
        known = await client.get("/leadline/api/v1/config", headers={**headers, "Authorization": "Bearer s3cret"})
        assert known.json()["user"] == ""


async def test_clients_behind_a_proxy_are_counted_apart_and_cannot_hide(desk: Desk) -> None:
    access = Access(proxies=read_networks([PROXY]), changes_a_minute=2)

    async def change(client: httpx.AsyncClient, forwarded: str) -> int:
        answer = await client.post("/api/v1/runs", json={}, headers={"X-Forwarded-For": forwarded})
        return answer.status_code

    async with opened(desk, access, peer=PROXY) as client:
        assert [await change(client, f"{n}.{n}.{n}.{n}, 1.1.1.1") for n in range(3)] == [422, 422, 429]
        assert await change(client, "2.2.2.2") == 422


async def test_the_user_that_a_proxy_names_owns_the_run(desk: Desk) -> None:
    access = Access(proxies=read_networks([PROXY]), user_header="X-User")
    headers = {"X-User": "ada"}
    async with opened(desk, access, peer=PROXY) as client:
        await client.post("/api/v1/libraries", json=upload())
        body = {"topic": "How?", "sources": ["manual"]}
        begun = await client.post("/api/v1/runs", json=body, headers={**headers, "Idempotency-Key": "k"})
        assert begun.json()["owner"] == "ada"
        other = await client.post("/api/v1/runs", json=body, headers={"X-User": "bob", "Idempotency-Key": "k"})
        assert (other.json()["owner"], other.json()["id"] == begun.json()["id"]) == ("bob", False)

"""One shape for whatever goes wrong, at every address."""

from itertools import product
from pathlib import Path

import httpx
import pytest
from tests.server.conftest import opened, question, upload

from leadline.desk import Desk, open_desk
from leadline.server.access import Access
from leadline.settings import load_settings

BODIES = (b"", b"{", b"[]", b"null", b'"text"', b'{"unknown": 1}', b'{"topic": 1}', b"\xff\xfe", b"[" * 50_000)


def check(response: httpx.Response) -> None:
    """A failure has the one shape, and its message is a sentence that names no path of this machine."""
    assert response.status_code >= 400
    assert response.headers["content-type"] == "application/json"
    failure = response.json()
    assert list(failure) == ["error"]
    assert list(failure["error"]) == ["code", "message", "fields"]
    assert failure["error"]["message"].endswith("."), failure
    assert "Traceback" not in response.text
    assert str(Path.home()) not in response.text


async def test_every_address_refuses_in_one_shape(desk: Desk) -> None:
    async with opened(desk, Access(changes_a_minute=100_000)) as client:
        paths = (await client.get("/api/v1/openapi.json")).json()["paths"]
        addresses = [path.format(run="nothing", name="nothing", point="p") for path in paths]
        unknown = ["/", "/nothing", "/api", "/api/v2/runs", "/api/v1/runs/a/b/c", "/api/v1/runs/%00", "/%2e%2e/etc/passwd"]
        json = {"Content-Type": "application/json"}
        seen = 0
        for method, address in product(
            ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"), addresses + unknown
        ):
            for body in BODIES if method in ("POST", "PUT") else (b"",):
                response = await client.request(method, address, content=body, headers=json)
                if response.status_code >= 400:
                    check(response)
                    seen += 1
                else:
                    assert method == "GET" or (method, address, response.status_code) == ("DELETE", "/api/v1/session", 204)
        assert seen > 300


async def test_what_is_wrong_in_a_body_is_named(desk: Desk) -> None:
    async with opened(desk) as client:
        refused = await client.post("/api/v1/runs", json=question(todos=99, width=2))
        check(refused)
        assert [field["name"] for field in refused.json()["error"]["fields"]] == ["body.todos", "body.width"]
        assert "found 99" in refused.json()["error"]["message"]


async def test_a_mistake_in_the_program_has_the_shape_too(desk: Desk) -> None:
    async with opened(desk) as client:
        app = client._transport.app  # type: ignore[attr-defined]

        async def break_down() -> None:
            raise ZeroDivisionError("secret detail")

        app.add_api_route("/broken", break_down)

        broken = await client.get("/broken")
        check(broken)
        assert "secret detail" not in broken.text


async def test_a_store_that_fails_is_said_in_one_sentence(home: Path) -> None:
    async with open_desk(load_settings()) as desk, opened(desk) as client:
        await client.post("/api/v1/libraries", json=upload())
        (home / "libraries.json").write_text("{", encoding="utf-8")
        answer = await client.get("/api/v1/libraries")
        assert answer.status_code == 503
        assert "damaged" in answer.json()["error"]["message"]
        assert (await client.post("/api/v1/runs", json=question())).status_code == 503


@pytest.mark.parametrize("run", ["nothing", "NOTHING", "%E6%AD%BB", "a.b", "-", "x" * 101])
async def test_a_run_that_is_not_there(desk: Desk, run: str) -> None:
    async with opened(desk) as client:
        for rest in ("", "/report", "/events", "/points/p"):
            answer = await client.get(f"/api/v1/runs/{run}{rest}")
            check(answer)
            assert answer.status_code in (404, 422)

"""Libraries sent over HTTP."""

import asyncio
import base64
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.server.conftest import TEXTS, finish, opened, served, upload

from leadline.desk import Desk
from leadline.library import Registry


async def test_documents_become_a_library_that_is_searched_and_deleted(desk: Desk, home: Path) -> None:
    async with opened(desk) as client:
        made = await client.post("/api/v1/libraries", json=upload())
        assert made.status_code == 201
        assert made.json()["documents"] == len(TEXTS)
        assert (await client.get("/api/v1/libraries")).json()["items"] == [{"name": "manual", "uploaded": True}]
        found = (await client.get("/api/v1/libraries/manual/search", params={"q": "freezing", "limit": 1})).json()["items"]
        assert [item["address"] for item in found] == ["manual/freezing.md"]
        assert (await client.delete("/api/v1/libraries/manual")).status_code == 204
        assert (await client.get("/api/v1/libraries")).json()["items"] == []
        assert not (home / "uploads" / "manual").exists()


async def test_more_documents_are_added_and_replaced(desk: Desk) -> None:
    async with opened(desk) as client:
        await client.post("/api/v1/libraries", json=upload())
        more = {"freezing.md": "# Freezing\n\nPuffins nest on cliffs.\n", "死行.md": "# 死行\n\n死行占用表的空间。\n"}
        again = (await client.post("/api/v1/libraries", json=upload(texts=more))).json()
        assert again["documents"] == len(TEXTS) + 1
        found = (await client.get("/api/v1/libraries/manual/search", params={"q": "puffins"})).json()["items"]
        assert [item["address"] for item in found] == ["manual/freezing.md"]


async def test_what_cannot_be_read_is_named_and_makes_no_library(desk: Desk, home: Path) -> None:
    async with opened(desk) as client:
        refused = await client.post("/api/v1/libraries", json=upload(texts={"empty.md": ""}))
        assert refused.status_code == 409
        assert "no readable document" in refused.json()["error"]["message"]
        assert str(home) not in refused.text
        assert (await client.get("/api/v1/libraries")).json()["items"] == []
        partly = await client.post("/api/v1/libraries", json=upload(texts={"empty.md": "", **TEXTS}))
        assert partly.json()["skipped"] == {"manual/empty.md": "empty"}


@pytest.fixture
def database(postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let this test's store be a PostgreSQL database of its own."""
    name = f"leadline_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        monkeypatch.setenv("LEADLINE_DATABASE_URL", urlsplit(postgres_server)._replace(path=f"/{name}").geturl())
        yield
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


async def test_a_library_that_was_just_sent_is_researched_on_postgresql(database: None) -> None:
    async with served() as client:
        while not (await client.get("/healthz")).json()["working"]:
            await asyncio.sleep(0.05)
        assert (await client.post("/api/v1/libraries", json=upload())).status_code == 201
        assert (await finish(client))["state"] == "complete"


@pytest.mark.parametrize(
    "name",
    [
        "../a.md",
        "/etc/passwd",
        "a/b.md",
        "a\\b.md",
        ".hidden",
        "..",
        "a\x00.md",
        "a\n.md",
        "c:a.md",
        "a.",
        "\ud800.md",
        "é" * 101,
    ],
)
async def test_a_document_cannot_lead_out_of_its_library(desk: Desk, home: Path, name: str) -> None:
    async with opened(desk) as client:
        body = {"name": "manual", "documents": [{"name": name, "content": base64.b64encode(b"text").decode()}]}
        headers = {"Content-Type": "application/json"}
        refused = await client.post("/api/v1/libraries", content=json.dumps(body), headers=headers)
        assert refused.status_code in (409, 422), refused.text
        assert not list(home.glob("uploads/**/*"))


async def test_a_folder_of_this_machine_is_neither_shown_nor_written_into(desk: Desk, home: Path, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.md").write_text("# Rows\n\nVACUUM reclaims dead rows.\n", encoding="utf-8")
    Registry(home).add("papers", [str(tmp_path / "papers")])
    async with opened(desk) as client:
        for path in (
            "/api/v1/libraries",
            "/api/v1/libraries/papers",
            "/api/v1/libraries/papers/search?q=rows",
            "/api/v1/config",
        ):
            shown = await client.get(path)
            assert shown.status_code == 200
            assert str(tmp_path) not in shown.text
        assert (await client.post("/api/v1/libraries", json=upload("papers"))).status_code == 409
        assert (await client.delete("/api/v1/libraries/papers")).status_code == 409
        assert [path.name for path in (tmp_path / "papers").iterdir()] == ["a.md"]

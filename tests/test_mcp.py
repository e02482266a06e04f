"""The tools for agents, used by a real client: over stdio, and over HTTP."""

import sys
import time
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from tests.server.conftest import TOPIC, add_manual, served

TOOLS = ["cancel_run", "get_report", "get_run", "research", "search_library", "verify"]


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """Call a tool, and return what it gave as data."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def refuse(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that refuses, and return what it says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


async def travel(client: Client, address: str) -> None:
    """The journey of an agent."""
    tools = (await client.list_tools()).tools
    assert sorted(tool.name for tool in tools) == TOOLS
    assert all(tool.description and "  " not in tool.description for tool in tools)
    told: list[tuple[float, float | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    arguments = {"topic": TOPIC, "libraries": ["manual"], "todos": 2, "wait": 40}
    waited = await client.call_tool("research", arguments, progress_callback=tell)
    run = waited.structured_content or {}
    assert run["state"] == "complete", waited.content
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] == len(run["todos"])
    assert run["address"].endswith(address.format(run=run["id"]))
    began = time.monotonic()
    second = await call(client, "research", topic=TOPIC, libraries=["@manual"])
    assert time.monotonic() - began < 2
    assert second["id"] != run["id"]

    head = await call(client, "get_report", run=run["id"])
    assert head["text"].startswith(f"# {TOPIC}")
    number = next(n for n, name in enumerate(head["sections"], 1) if name.startswith("1."))
    part = await call(client, "get_report", run=run["id"], section=number)
    assert part["text"].startswith(f"## {head['sections'][number - 1]}")
    assert [source["address"] for source in part["references"]]

    found = await call(client, "search_library", library="manual", query="freezing", limit=1)
    assert [hit["address"] for hit in found["result"]] == ["manual/freezing.md"]
    sentence = "VACUUM reclaims the space that dead rows of a table take up."
    proof = await call(client, "verify", sentence=sentence, library="manual")
    assert (proof["verdict"], proof["proofs"][0]["quote"]) == ("verbatim", sentence)
    denied = await call(
        client, "verify", sentence="VACUUM does not reclaim the space of dead rows of a table.", library="manual"
    )
    assert denied["verdict"] not in ("verbatim", "supported")

    assert "known: @manual" in await refuse(client, "research", topic=TOPIC, libraries=["/etc"])
    assert "known: @manual" in await refuse(client, "search_library", library="../manual", query="x")
    assert "No run" in await refuse(client, "get_run", run="nothing")
    assert "has ended" in await refuse(client, "cancel_run", run=run["id"])
    assert "not 99" in await refuse(client, "get_report", run=run["id"], section=99)


async def test_an_agent_on_stdio(home: Path, tmp_path: Path) -> None:
    add_manual(home, tmp_path / "manual")
    server = StdioServerParameters(command=sys.executable, args=["-m", "leadline", "mcp"], env={"LEADLINE_HOME": str(home)})
    async with Client(stdio_client(server)) as client:
        await travel(client, "leadline open {run}")


async def test_an_agent_over_http(home: Path, tmp_path: Path) -> None:
    add_manual(home, tmp_path / "manual")
    async with served() as web, Client(str(web.base_url.join("/mcp"))) as client:
        await travel(client, "/runs/{run}")
        listed = (await web.get("/api/v1/runs")).json()["items"]
        assert len(listed) == 2


async def test_the_guard_stands_before_the_tools_too() -> None:
    async with served() as web:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        headers = {"Accept": "application/json, text/event-stream"}
        assert (await web.post("/mcp", json=body, headers={**headers, "Origin": "http://evil.example"})).status_code == 403
        assert (await web.post("/mcp", json=body, headers={**headers, "Host": "evil.example"})).status_code == 421

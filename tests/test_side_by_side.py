"""A server, an agent's tools and two command lines at once, on one data folder."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from tests.forks import Fork
from tests.server.conftest import add_manual

from leadline.engine import Place, open_books
from leadline.events import DoneEvent, PlanEvent, ReportEvent, TaskEvent
from leadline.store import Store, open_store

COMMANDS = ("What is freezing?", "What is bloat?")
SERVER, AGENT = "How are dead rows reclaimed?", "What does VACUUM do?"


@pytest.fixture
def forks(tmp_path: Path) -> Iterator[list[Fork]]:
    """Return a list of processes that are killed in the end."""
    forked: list[Fork] = []
    yield forked
    for fork in forked:
        fork.process.kill()
        fork.end()


async def test_server_agent_and_command_lines_share_a_data_folder(forks: list[Fork], home: Path, tmp_path: Path) -> None:
    add_manual(home, tmp_path / "manual")
    tools = StdioServerParameters(command=sys.executable, args=["-m", "leadline", "mcp"], env={"LEADLINE_HOME": str(home)})
    log = tmp_path / "mcp.log"

    def start(*arguments: str) -> Fork:
        forks.append(Fork(arguments, tmp_path, os.environ))
        return forks[-1]

    server = start("serve", "--port", "0")
    client = httpx.AsyncClient(base_url=server.out.readline().strip(), timeout=120)
    with log.open("w", encoding="utf-8") as said:
        async with Client(stdio_client(tools, said)) as agent, client, await open_store(home) as store:
            commands = {topic: start("research", topic, "--in", "@manual", "--quiet") for topic in COMMANDS}
            begun = await agent.call_tool("research", {"topic": AGENT, "libraries": ["manual"]})
            asked = await client.post("/api/v1/runs", json={"topic": SERVER, "sources": ["manual"]})
            for run in (begun.structured_content or {}, asked.json()):
                async for _ in store.runs.watch(str(run["id"])):
                    pass
            for topic, command in commands.items():
                assert command.out.read().startswith(f"# {topic}\n")  # its own run, and no other
                assert command.err.read() == ""
            await check(store, {*COMMANDS, AGENT, SERVER})
            async with open_books(Place(home)) as books:
                assert await books.interrupted() == []
    server.send(signal.SIGTERM)
    assert "locked" not in server.err.read() + log.read_text(encoding="utf-8")


async def check(store: Store, topics: set[str]) -> None:
    """Each run has come to its end, was done once, and has all its events."""
    runs = await store.runs.list()
    assert ({run.topic.text for run in runs}, len(runs)) == (topics, len(topics))
    for run in runs:
        assert run.status in ("complete", "incomplete"), run.reason
        events = await store.runs.events(run.id)
        assert [envelope.seq for envelope in events] == list(range(1, len(events) + 1))
        told = [envelope.event for envelope in events]
        assert isinstance(told[-1], DoneEvent)
        (plan,) = [event.plan for event in told if isinstance(event, PlanEvent)]
        begun = [event.task.id for event in told if isinstance(event, TaskEvent) and event.task.status == "in_progress"]
        assert sorted(begun) == [todo.id for todo in plan.todos]
        assert [event.report for event in told if isinstance(event, ReportEvent)] == [run.report]

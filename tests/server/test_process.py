"""The command in processes of its own: killed, started again, side by side with others."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.conftest import TEXTS, TOPIC, upload

TODOS = [{"title": f"Dead rows of table {n}", "query": f"dead row vacuum table {n}"} for n in range(1, 7)]


class Started:
    """`leadline serve` in a process of its own."""

    def __init__(self, home: Path, *options: str) -> None:
        command = [sys.executable, "-m", "leadline", "serve", *options]
        pipe = subprocess.PIPE
        environment = {**os.environ, "LEADLINE_HOME": str(home)}
        self.popen = subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, encoding="utf-8")
        assert self.popen.stdout is not None
        self.address = self.popen.stdout.readline().strip()

    def end(self, number: int) -> str:
        """Send a signal, wait for the end, and return what was said."""
        self.popen.send_signal(number)
        return self.popen.communicate(timeout=20)[1]


@pytest.fixture
def start(home: Path) -> Iterator[Callable[..., Started]]:
    """Return what starts a server; what still works in the end is killed."""
    started: list[Started] = []

    def call(*options: str) -> Started:
        started.append(Started(home, *options))
        return started[-1]

    yield call
    for server in started:
        server.popen.kill()
        server.popen.communicate()


def texts() -> dict[str, str]:
    """Documents that six todos work on for a second or two."""
    return {
        f"{n}.md": f"# Rows {n}\n\n"
        + "\n\n".join(f"A dead row number {n} of page {k} is reclaimed by vacuum {n * k} in table {k}." for k in range(40))
        for n in range(60)
    }


def find_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


def read(address: str, run: str, after: int, stop: Callable[[Any], bool]) -> list[tuple[int, Any]]:
    """Return the events after one, to the end of the stream or until one is met; a broken stream is an end, too."""
    events: list[tuple[int, Any]] = []
    number = 0
    try:
        with httpx.stream("GET", f"{address}api/v1/runs/{run}/events", params={"after": after}, timeout=60) as response:
            for line in response.iter_lines():
                if line.startswith("id: "):
                    number = int(line[4:])
                elif line.startswith("data: "):
                    events.append((number, json.loads(line[6:])))
                    if stop(events[-1][1]):
                        break
    except httpx.HTTPError:
        pass
    return events


def begin(address: str) -> str:
    """Begin a run that works for a second or two."""
    assert httpx.post(f"{address}api/v1/libraries", json=upload("rows", texts()), timeout=60).status_code == 201
    body = {"topic": "How are dead rows reclaimed?", "sources": ["rows"], "plan": TODOS}
    begun = httpx.post(f"{address}api/v1/runs", json=body, timeout=60)
    assert begun.status_code == 202, begun.text
    return str(begun.json()["id"])


def test_a_killed_server_goes_on_by_itself_and_streams_lose_and_repeat_nothing(start: Callable[..., Started]) -> None:
    port = str(find_port())
    first = start("--port", port)
    run = begin(first.address)
    seen = read(first.address, run, 0, lambda event: event["type"] == "point")
    first.end(signal.SIGKILL)
    second = start("--port", port)
    assert second.address == first.address
    seen += read(second.address, run, seen[-1][0], lambda event: event["type"] == "task")
    seen += read(second.address, run, seen[-1][0], lambda event: False)
    assert [number for number, _ in seen] == list(range(1, len(seen) + 1))
    assert seen[-1][1] == {"type": "done", "status": "complete"}
    points = [event["point"]["id"] for _, event in seen if event["type"] == "point"]
    assert len(points) == len(set(points))
    assert seen == read(second.address, run, 0, lambda event: False)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_does_so_at_once(start: Callable[..., Started], number: int) -> None:
    server = start("--port", "0")
    run = begin(server.address)
    began = time.monotonic()
    with httpx.stream("GET", f"{server.address}api/v1/runs/{run}/events", timeout=60) as response:
        next(response.iter_lines())
        said = server.end(number)
    assert time.monotonic() - began < 10
    assert server.popen.returncode == 0
    assert "the server has stopped" in said
    assert "Traceback" not in said


def test_a_busy_port_is_one_sentence(start: Callable[..., Started]) -> None:
    server = start("--port", "0")
    port = server.address.rsplit(":", 1)[1].strip("/")
    done = subprocess.run([sys.executable, "-m", "leadline", "serve", "--port", port], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert (
        done.stderr
        == f"leadline: Port {port} is taken by another program; choose another one, for example --port {int(port) + 1}.\n"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "needs a token"),
        (["--host", "nowhere.invalid", "--token-file", "token"], "cannot be listened at"),
        (["--host", "0.0.0.0", "--token-file", "missing"], "'missing' cannot be read"),
        (["--host", "0.0.0.0", "--token-file", "empty"], "'empty' is empty"),
        (["--user-header", "X-User"], "--trusted-proxy"),
        (["--trusted-proxy", "everyone"], "'everyone' is no address"),
        (["--port", "70000"], "0 to 65535"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(tmp_path: Path, options: list[str], words: str) -> None:
    (tmp_path / "token").write_text("s3cret\n", encoding="utf-8")
    (tmp_path / "empty").write_text("\n", encoding="utf-8")
    command = [sys.executable, "-m", "leadline", "serve", *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_server_and_a_research_of_the_terminal_share_a_data_folder(start: Callable[..., Started], tmp_path: Path) -> None:
    server = start("--port", "0")
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    sources = [option for name in TEXTS for option in ("--in", str(tmp_path / name))]
    run = begin(server.address)
    done = leadline("research", TOPIC, *sources)
    assert done.returncode == 0, done.stderr
    events = read(server.address, run, 0, lambda event: False)
    assert events[-1][1]["status"] == "complete"
    items = httpx.get(f"{server.address}api/v1/runs").json()["items"]
    assert [item["state"] for item in items] == ["complete", "complete"]
    assert len(leadline("runs", "watch", run, "--json").stdout.splitlines()) == len(events)


def leadline(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command line in a process of its own."""
    return subprocess.run([sys.executable, "-m", "leadline", *arguments], capture_output=True, text=True)

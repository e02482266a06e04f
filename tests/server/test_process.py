"""The command in processes of its own: killed, started again, side by side with others."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.conftest import TEXTS, TOPIC, upload

from leadline import cli
from leadline.server.serving import bound

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
        return self.popen.communicate(timeout=60)[1]


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
    with httpx.stream("GET", f"{server.address}api/v1/runs/{run}/events", timeout=60) as response:
        next(response.iter_lines())
        said = server.end(number)
    assert server.popen.returncode == 0
    assert "the server stops" in said
    assert "Traceback" not in said


def test_a_busy_port_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with bound("127.0.0.1", 0) as opened:
        port = opened.getsockname()[1]
        assert cli.run(["serve", "--port", str(port)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"leadline: Port {port} is taken by another program; choose another one, for example --port {port + 1}.\n"
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
def test_what_cannot_be_served_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    (tmp_path / "token").write_text("s3cret\n", encoding="utf-8")
    (tmp_path / "empty").write_text("\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.run(["serve", *options]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_a_server_and_a_research_of_the_terminal_share_a_data_folder(
    start: Callable[..., Started], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = start("--port", "0")
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    sources = [option for name in TEXTS for option in ("--in", str(tmp_path / name))]
    run = begin(server.address)
    assert cli.run(["research", TOPIC, *sources]) == 0
    events = read(server.address, run, 0, lambda event: False)
    assert events[-1][1]["status"] == "complete"
    items = httpx.get(f"{server.address}api/v1/runs").json()["items"]
    assert [item["state"] for item in items] == ["complete", "complete"]
    capsys.readouterr()
    assert cli.run(["runs", "watch", run, "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(events)

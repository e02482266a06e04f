"""How long a run takes when the model, the search and the pages are as slow as real ones: `python -m bench.speed`.

The model answers after 0.5 s with 100 tokens a second (`bench.chat`), a search after 0.6 s, a page after 0.3 s
(`bench.provider`), each in a process of its own: a plan of 200 tokens, 4 todos with 5 pages each, summaries of 600, overview
and summary of 100. One stage after the other that is 12.4 s; with searching and reading behind the plan and both last texts at
once 10.5 s.

`wall_s`: one run, from the question to the report, in a process that is up. `first_point_s`: until the first checked point.
`idle_s`: of it, the time in which no model was being waited for. `eight_*`: eight runs at once, and the most memory of their
process; `fifty_wall_s`: fifty. Beside them, for comparison, a run with one question about undecided points per todo.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, print_figures
from leadline.cli import collect_seldom

MODEL = 0.5 + 200 / 100 + 0.5 + 600 / 100 + 0.5 + 100 / 100
"""Seconds that the model needs on the critical path."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one run: seconds to its first point and to its end, calls and tokens."""

    first_point: float
    wall: float
    calls: int
    prompt_tokens: int
    points: int


@contextmanager
def serving(module: str, *arguments: str) -> Iterator[int]:
    """Run a server in a process of its own for the block; yields its port."""
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


async def measure(model: str, home: Path) -> Measured:
    """Do one run, and return how long it took."""
    from leadline import api
    from leadline.events import PointEvent, ReportEvent
    from leadline.models import ModelChoice

    start = time.perf_counter()
    first, report = 0.0, None
    stream = api.stream(
        "How do databases reclaim dead rows?",
        search=["tavily"],
        todos=4,
        model=ModelChoice(name="compatible:good", url=model, parallel=16),
        home=home,
        keep=False,
    )
    async with aclosing(stream) as events:
        async for envelope in events:
            if isinstance(envelope.event, PointEvent):
                first = first or time.perf_counter() - start
            if isinstance(envelope.event, ReportEvent):
                report = envelope.event.report
    assert report is not None
    assert all(section.status == "completed" for section in report.sections), report.sections
    points = sum(len(section.points) for section in report.sections)
    return Measured(first, time.perf_counter() - start, report.usage.model_calls, report.usage.prompt_tokens, points)


def work(model: str, at_once: int) -> None:
    """Do some runs at once in this process after one that loads all code, and print what they took as Python."""

    async def all_of_them() -> tuple[float, list[Measured]]:
        with tempfile.TemporaryDirectory() as home:
            await measure(model, Path(home))
            start = time.perf_counter()
            done = await asyncio.gather(*(measure(model, Path(home)) for _ in range(at_once)))
            return time.perf_counter() - start, done

    collect_seldom()
    wall, done = asyncio.run(all_of_them())
    print(repr((wall, [(m.first_point, m.wall, m.calls, m.prompt_tokens, m.points) for m in done], peak_mb())))


def peak_mb() -> float:
    """Return the most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_apart(url: str, at_once: int, environment: dict[str, str]) -> tuple[float, list[Measured], float]:
    """Do some runs at once in a fresh process; return seconds in all, each run, and the memory."""
    command = [sys.executable, "-m", "bench.speed", url, str(at_once)]
    said = subprocess.run(command, env=environment, check=True, capture_output=True, encoding="utf-8").stdout
    wall, runs, memory = eval(said.splitlines()[-1], {"__builtins__": {}})
    return wall, [Measured(*run) for run in runs], memory


def main() -> None:
    """Measure and print."""
    with serving("bench.chat") as chat, serving("bench.chat", "--loose") as loose, serving("bench.provider") as web:
        environment = {
            **os.environ,
            "TAVILY_URL": f"http://127.0.1.1:{web}/tavily/search",
            "TAVILY_API_KEY": "tvly-bench",
            "LEADLINE_ALLOW": ",".join(f"127.0.1.{n}:{web}" for n in range(1, 31)),
        }
        urls = [f"http://127.0.0.1:{port}" for port in (chat, loose)]
        _, [one], _ = run_apart(urls[0], 1, environment)
        eight_wall, _, eight_mb = run_apart(urls[0], 8, environment)
        fifty_wall, _, _ = run_apart(urls[0], 50, environment)
        _, [located], _ = run_apart(urls[1], 1, environment)
    print(
        f"{one.points} points; with one question about undecided points per todo: {located.calls} calls, {located.wall:.3f} s"
    )
    print_figures(
        [
            Figure("wall_s", one.wall, 11.4),
            Figure("model_calls", one.calls, 7),
            Figure("prompt_tokens", one.prompt_tokens, 20_000),
            Figure("idle_s", one.wall - MODEL, 0.3),
            Figure("first_point_s", one.first_point, 4.5),
            Figure("eight_wall_s", eight_wall, 12.0),
            Figure("eight_peak_mb", eight_mb, 260),
            Figure("fifty_wall_s", fifty_wall, 14),
        ]
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        work(sys.argv[1], int(sys.argv[2]))
    else:
        main()

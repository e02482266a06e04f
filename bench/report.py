"""Writes what is measured here into the documentation: `python -m bench.report quality|speed MODULE …`.

`quality` needs `LEADLINE_EVAL_DATA`, the folder with `summhay` and `dragonball`; scorers that lie there (`score_summhay.py`,
`score_evidence.py`) judge the answers too. `speed` runs the named benchmarks, each with what it needs.
"""

import asyncio
import datetime as dt
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from leadline.evaluation.evidence import measure_evidence
from leadline.evaluation.measures import find_failures, read_bounds, write_table
from leadline.evaluation.planning import measure_plans
from leadline.evaluation.summhay import measure_summhay

DOCS = Path(__file__).parents[1] / "docs"

QUALITY = """The figures of the analyst that needs no model. Beside each its 95 % interval over resampled questions, what a
system gets that does nothing for it, what can be had at all, and the floor that the interval's unlucky end is held to.

- *summhay*: insights that recur in many of 100 news documents. *told*: a point holds half the weight of the insight's words;
  *citation*: F1 of what that point cites; *joint*: their product.
- *plan*: of the subtopics that so many todos can meet, those that a todo has *named* by half the weight of their words in its
  title, intent and query, and those that a section has *reached*, by telling at least two of their insights. *echoes*: todos
  without a word of their own.
- *evidence*: sentences that answers of Chinese questions rest on, in the first 5, 10, 20 passages of three sentences.
  *abstained*: questions that were left unanswered, rightly where the documents have no answer, wrongly where they have.
"""

ANCHORS = """The same answers, judged by the benchmarks' own scorers. Joint of others on SummHay's five news topics, same judge:
best BM25 sentences .101; GPT-4o with the whole context .148, with keyword search .308, with vector search .340, given the right
documents .465. The constants were tuned on the three topics here; `python -m bench.held_out` leaves each out in turn.
"""


def describe_machine() -> str:
    """Return date, machine and load: what figures must be read with."""
    load = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"Measured on {dt.datetime.now(dt.UTC):%-d %B %Y}: {os.cpu_count()} cores, {platform.machine()}, {platform.system()},"
        f" Python {platform.python_version()}{load} at the start."
    )


def run(*command: str) -> str:
    """Return what a command prints; its progress goes to the terminal."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout.strip()


def report_quality(data: Path) -> str:
    """Return the page on quality; end when a floor is not held."""
    with tempfile.TemporaryDirectory() as folder:
        answers = {"summhay": Path(folder, "summhay"), "evidence": Path(folder, "evidence")}
        measures = [
            *asyncio.run(measure_summhay(data / "summhay", answers["summhay"])),
            *asyncio.run(measure_plans(data / "summhay")),
            *measure_evidence(data / "dragonball", answers["evidence"]),
        ]
        floors = read_bounds("data")
        if failures := find_failures(measures, floors):
            raise SystemExit("\n".join(failures))
        judged = [
            f"```text\n{run(sys.executable, str(scorer), str(answers[kind]), '--data', str(data / place))}\n```"
            for kind, place in (("summhay", "summhay"), ("evidence", "dragonball"))
            if (scorer := data / f"score_{kind}.py").is_file()
        ]
    table = "\n".join(write_table(measures, floors))
    parts = ["# Quality", describe_machine(), QUALITY, "`leadline eval all --data DATA -o quality.md --gate data`", table]
    return "\n\n".join([*parts, *(["## By the benchmarks' scorers", ANCHORS, *judged] if judged else [])]) + "\n"


def report_speed(modules: list[str]) -> str:
    """Return the page on speed and memory: what each benchmark prints, without its line for scripts."""
    parts = ["# Speed and memory", describe_machine()]
    for module in modules:
        lines = run(sys.executable, "-m", f"bench.{module}").splitlines()
        table = "\n".join(lines[:-1])
        parts += [f"## `python -m bench.{module}`", f"```text\n{table}\n```"]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Measure and write one page."""
    match sys.argv[1:]:
        case ["quality"] if data := os.environ.get("LEADLINE_EVAL_DATA"):
            text = report_quality(Path(data))
        case ["speed", _, *_]:
            text = report_speed(sys.argv[2:])
        case _:
            raise SystemExit(__doc__)
    (DOCS / f"{sys.argv[1]}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

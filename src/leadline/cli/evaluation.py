"""`leadline eval`: figures of quality, predictions for benchmarks, and how well checks tell right from wrong."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from leadline.cli.streams import put, say
from leadline.evaluation import grounding
from leadline.evaluation.evidence import measure_evidence
from leadline.evaluation.gate import Corpus, measure_all
from leadline.evaluation.grounding import Rate
from leadline.evaluation.measures import Measure, find_failures, read_bounds, write_table
from leadline.evaluation.planning import measure_plans
from leadline.evaluation.rows import write_text
from leadline.evaluation.summhay import measure_summhay
from leadline.exports import write_file


def evaluate_summhay(data: Path, output: Path) -> None:
    """Answer the queries of SummHay, write the answers and print figures."""
    _show(asyncio.run(measure_summhay(data, output, say)))


def evaluate_evidence(data: Path, output: Path) -> None:
    """Rank evidence for the questions of DRAGONBall, write it and print figures."""
    _show(measure_evidence(data, output, say))


def evaluate_plan(data: Path, output: Path) -> None:
    """Plan the topics of SummHay; write and print figures."""
    write_text(output, _show(asyncio.run(measure_plans(data, say))))


def evaluate_all(data: Path, output: Path, gate: Corpus | None) -> int:
    """Take all measures, write and print them; return 1 when a floor is not held, else 0."""
    floors = read_bounds(gate) if gate else {}
    measures = asyncio.run(measure_all(data, say))
    write_text(output, _show(measures, floors))
    failures = find_failures(measures, floors)
    for failure in failures:
        say(failure)
    return 1 if failures else 0


def _show(measures: Sequence[Measure], floors: Mapping[str, float] | None = None) -> list[str]:
    table = write_table(measures, floors or {})
    for line in table:
        put(line)
    return table


def measure_grounding(data: Sequence[Path], output: Path | None) -> int:
    """Print every rate beside its floor, and return 1 when one is broken."""
    rates = list(dict.fromkeys(rate for folder in data for rate in grounding.measure(folder)))
    for rate in rates:
        put(_describe(rate))
    if output:
        write_file(output, (json.dumps([asdict(rate) for rate in rates], indent=1) + "\n").encode())
    return int(not all(rate.holds for rate in rates))


def _describe(rate: Rate) -> str:
    sign = "≥" if rate.better == "more" else "≤"
    bound = "" if rate.bound is None else f"  {sign}{rate.bound:5.1%}  {'holds' if rate.holds else 'FAILS'}"
    return f"{rate.sample:14}{rate.name:34}{rate.share:7.1%} of {rate.count:5}{bound}"

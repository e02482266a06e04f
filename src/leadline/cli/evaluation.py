"""`leadline eval`: figures of quality, and predictions for benchmarks."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from leadline.cli.streams import put, say
from leadline.evaluation.evidence import measure_evidence
from leadline.evaluation.gate import Corpus, measure_all, read_floors
from leadline.evaluation.measures import Measure, find_failures, write_table
from leadline.evaluation.planning import measure_plans
from leadline.evaluation.rows import write_text
from leadline.evaluation.summhay import measure_summhay


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
    floors = read_floors(gate) if gate else {}
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

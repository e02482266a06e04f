"""`leadline eval`: predictions for benchmarks, and how well checks tell right from wrong."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from leadline.cli.streams import put, say
from leadline.evaluation import grounding, summhay
from leadline.evaluation.grounding import Rate
from leadline.exports import write_file


def predict_summhay(data: Path, output: Path) -> None:
    """Answer the queries of SummHay, with a line of progress for each."""
    count = asyncio.run(summhay.predict(data, output, say))
    put(f"{output}: {count} predictions")


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

"""The gate: all measures over a folder of data, held to floors that are data (`floors.json`).

A floor is judged by the unlucky end of the interval. `python -m bench.floors` moves floors, and lowers one only with a reason.
"""

from pathlib import Path
from typing import Literal, get_args

from leadline.evaluation.evidence import measure_evidence
from leadline.evaluation.measures import Measure
from leadline.evaluation.planning import measure_plans
from leadline.evaluation.summhay import Tell, measure_summhay

Corpus = Literal["own", "data"]
"""What floors are for: the small corpus of the tests, or the benchmarks' data."""

CORPORA: tuple[Corpus, ...] = get_args(Corpus)


async def measure_all(data: Path, tell: Tell = lambda _: None) -> list[Measure]:
    """Return every measure.

    Args:
        data: folder with the folders `summhay` and `dragonball`.
        tell: is called with lines of progress.

    Raises:
        SourceError: a folder does not hold its data.
    """
    return [
        *await measure_summhay(data / "summhay", tell=tell),
        *await measure_plans(data / "summhay", tell=tell),
        *measure_evidence(data / "dragonball", tell=tell),
    ]

"""`leadline eval`: predictions for benchmarks."""

import asyncio
from pathlib import Path

from leadline.cli.streams import put, say
from leadline.evaluation import summhay


def predict_summhay(data: Path, output: Path) -> None:
    """Answer the queries of SummHay, with a line of progress for each."""
    count = asyncio.run(summhay.predict(data, output, say))
    put(f"{output}: {count} predictions")

"""Indexing 1,169 pages, and a whole run over them: `LEADLINE_TEST_DOCS=… python -m bench.library`.

LEADLINE_TEST_DOCS names the folder that Debian's `postgresql-doc-15` is unpacked in (`dpkg-deb -x`).
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import Figure, print_figures

PAGES = "usr/share/doc/postgresql-doc-15/html"
TOPIC = "How does PostgreSQL reclaim the storage of deleted rows?"
TRIES = 3


async def measure(folder: Path, home: Path) -> dict[str, float]:
    """Index a folder, then run over it; return seconds, and the peak of this process' memory in MB."""
    import resource

    import leadline
    from leadline.library import Library

    start = time.perf_counter()
    library = await Library.open([str(folder)], home)
    figures = {"documents": float(len(library)), "index": time.perf_counter() - start, "run": float("inf")}
    for _ in range(TRIES):
        start = time.perf_counter()
        run = await leadline.research(TOPIC, sources=[folder], home=home)
        figures["run"] = min(figures["run"], time.perf_counter() - start)
        if not run.points:
            raise SystemExit(f"The run found nothing: {run.status} {run.reason}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {**figures, "peak": peak / (1024**2 if sys.platform == "darwin" else 1024)}


def measure_apart(folder: Path) -> dict[str, float]:
    """Measure in a process of its own, with a data folder of its own, so that memory is that of the work alone."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "bench.library", str(folder), home]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def main() -> None:
    """Measure and print; with a folder and a data folder as arguments, be the process that is measured."""
    if len(sys.argv) == 3:
        print(json.dumps(asyncio.run(measure(Path(sys.argv[1]), Path(sys.argv[2])))))
        return
    documents = os.environ.get("LEADLINE_TEST_DOCS")
    if not documents:
        raise SystemExit("Set LEADLINE_TEST_DOCS to the folder that postgresql-doc-15 is unpacked in.")
    figures = measure_apart(Path(documents) / PAGES)
    print(f"{figures['documents']:.0f} pages indexed, {TRIES} runs, the fastest counts")
    print_figures(
        [
            Figure("index_1169_pages_s", figures["index"], 5.0),
            Figure("run_warm_s", figures["run"], 1.5),
            Figure("peak_mb", figures["peak"], 300.0),
        ]
    )


if __name__ == "__main__":
    main()

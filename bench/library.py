"""Indexing 1,169 pages and a whole run over them, a topic of 100 documents, and libraries of up to 100,000 documents.

`LEADLINE_TEST_DOCS=… LEADLINE_EVAL_DATA=… python -m bench.library [PLOT.svg]`: the folder that Debian's `postgresql-doc-15` is
unpacked in (`dpkg-deb -x`), and the one with SummHay in `summhay`; without the second, `topic100_s` is not measured.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from bench.figures import Figure, print_figures
from bench.scale import SIZES, Scaled, measure_scale, name_growth, write_library, write_plot

PAGES = "usr/share/doc/postgresql-doc-15/html"
TOPIC = "How does PostgreSQL reclaim the storage of deleted rows?"
TRIES = 3


async def measure_run(folder: Path, home: Path, topic: str) -> dict[str, float]:
    """Index a folder, then run over it; return seconds, and the peak of this process' memory in MB."""
    import resource

    import leadline
    from leadline.library import Library

    start = time.perf_counter()
    library = await Library.open([str(folder)], home)
    figures = {"documents": float(len(library)), "index": time.perf_counter() - start, "run": float("inf")}
    for _ in range(TRIES):
        start = time.perf_counter()
        run = await leadline.research(topic, sources=[folder], home=home)
        figures["run"] = min(figures["run"], time.perf_counter() - start)
        if not run.points:
            raise SystemExit(f"The run found nothing: {run.status} {run.reason}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {**figures, "peak": peak / (1024**2 if sys.platform == "darwin" else 1024)}


def measure_apart(what: str, folder: Path, topic: str = "") -> dict[str, float]:
    """Measure in a process of its own, with a data folder of its own, so that memory is that of the work alone."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "bench.library", what, str(folder), home, topic]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def measure_topic(data: Path) -> float:
    """Return the seconds of a warm run over a topic of 100 documents, on its first question."""
    from leadline.evaluation.summhay import lay_out, read_summhay

    topics, queries = read_summhay(data)
    with tempfile.TemporaryDirectory() as folder:
        place = lay_out(topics[queries[0].topic], Path(folder, "topic"))
        return measure_apart("run", place, queries[0].query)["run"]


def measure_scales() -> list[Scaled]:
    """Make and measure libraries of each size."""
    scales = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            write_library(Path(folder), size)
            found = measure_apart("scale", Path(folder))
        scales.append(Scaled(**found))
    return scales


def describe_scales(scales: list[Scaled]) -> list[str]:
    """Return a Markdown table, a library a line, with how each figure grows."""
    rows = [
        f"| {s.documents:,.0f} | {s.index_s:.1f} | {s.size_mb:.0f} | {s.p50_ms:.1f} | {s.p95_ms:.1f} | {s.peak_mb:.0f} |"
        for s in scales
    ]
    names = ("index_s", "size_mb", "p50_ms", "p95_ms", "peak_mb")
    growth = " | ".join(name_growth(scales, name) for name in names)
    head = ["| documents | index, s | size, MB | search p50, ms | p95, ms | memory, MB |", "|---|---|---|---|---|---|"]
    return [*head, *rows, f"| grows | {growth} |"]


def main() -> None:
    """Measure and print."""
    documents, data = os.environ.get("LEADLINE_TEST_DOCS"), os.environ.get("LEADLINE_EVAL_DATA")
    if not documents:
        raise SystemExit("Set LEADLINE_TEST_DOCS to the folder that postgresql-doc-15 is unpacked in.")
    run = measure_apart("run", Path(documents) / PAGES, TOPIC)
    print(f"{run['documents']:.0f} pages indexed, {TRIES} runs, the fastest counts\n")
    topic = [Figure("topic100_s", measure_topic(Path(data, "summhay")), 1.0)] if data else []
    scales = measure_scales()
    print("\n".join(describe_scales(scales)), end="\n\n")
    if len(sys.argv) == 2:
        Path(sys.argv[1]).write_text(write_plot(scales), encoding="utf-8")
    print_figures(
        [
            Figure("index_1169_pages_s", run["index"], 5.0),
            Figure("run_warm_s", run["run"], 1.5),
            Figure("peak_mb", run["peak"], 300.0),
            *topic,
            Figure("p95_100k_ms", scales[-1].p95_ms, 300.0),
            Figure("peak_100k_mb", scales[-1].peak_mb, 1000.0),
        ]
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", folder, home, topic]:
            print(json.dumps(asyncio.run(measure_run(Path(folder), Path(home), topic))))
        case ["scale", folder, home, _]:
            print(json.dumps(asdict(asyncio.run(measure_scale(Path(folder), Path(home))))))
        case _:
            main()

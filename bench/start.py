"""How long Leadline takes to start: `python -m bench.start`."""

import subprocess
import sys
import time
from collections.abc import Sequence

from bench.figures import Figure, print_figures

TRIES = 5
"""Processes started for each figure; the fastest counts, as it is the one least disturbed by others."""


def time_command(command: Sequence[str]) -> float:
    """Return the seconds that the fastest of some runs of a command takes."""
    times = []
    for _ in range(TRIES):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Measure and print."""
    print_figures(
        [
            Figure("help_s", time_command([sys.executable, "-m", "leadline", "--help"]), 0.25),
            Figure("import_s", time_command([sys.executable, "-c", "import leadline"]), 0.15),
        ]
    )


if __name__ == "__main__":
    main()

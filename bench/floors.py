"""Moves the floors of the gate to what is measured now: `python -m bench.floors own|data DIR [--lower NAME REASON]`.

A floor rises by itself. It falls only when it is named with a reason, which is kept beside it.
"""

import argparse
import asyncio
import json
import math
from pathlib import Path
from typing import Any

from leadline.evaluation.gate import CORPORA, measure_all
from leadline.evaluation.measures import Measure

GATE = Path(__file__).parents[1] / "src/leadline/evaluation/floors.json"


def move_floor(old: dict[str, Any] | None, measure: Measure, reason: str | None) -> dict[str, Any]:
    """Return the floor for a measure: the unlucky end of its interval, easier than the old one only for a reason."""
    low, high = measure.interval
    bound = math.floor(low * 100) / 100 if measure.better == "more" else math.ceil(high * 100) / 100
    if old is None:
        return {"bound": bound}
    easier = bound < old["bound"] if measure.better == "more" else bound > old["bound"]
    if easier and reason is None:
        return old
    lowered = (
        [*old.get("lowered", []), {"from": old["bound"], "to": bound, "because": reason}] if easier else old.get("lowered", [])
    )
    return {"bound": bound, **({"lowered": lowered} if lowered else {})}


def main() -> None:
    """Measure, and write the floors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=CORPORA)
    parser.add_argument("data", type=Path)
    parser.add_argument("--lower", nargs=2, action="append", default=[], metavar=("NAME", "REASON"))
    options = parser.parse_args()
    reasons = {name: reason.strip() for name, reason in options.lower}
    if not all(reasons.values()):
        raise SystemExit("A floor is lowered for a reason: --lower NAME REASON.")
    gate = json.loads(GATE.read_text(encoding="utf-8"))
    floors = gate[options.corpus]
    for measure in asyncio.run(measure_all(options.data, print)):
        floors[measure.name] = move_floor(floors.get(measure.name), measure, reasons.get(measure.name))
    GATE.write_text(_write(gate), encoding="utf-8")


def _write(groups: dict[str, dict[str, Any]]) -> str:
    """Return floors as JSON, a line each."""
    parts = {
        group: ",\n".join(f"  {json.dumps(name)}: {json.dumps(floor, ensure_ascii=False)}" for name, floor in floors.items())
        for group, floors in groups.items()
    }
    return "{\n" + ",\n".join(f' "{group}": {{\n{part}\n }}' for group, part in parts.items()) + "\n}\n"


if __name__ == "__main__":
    main()

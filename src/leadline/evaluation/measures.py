"""Measured means with their uncertainty, and the floors that they are held to."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

_RESAMPLES = 1000
_TAIL = 0.025
"""Share of resamples on either side of the interval: 95 % lie within (percentile bootstrap, Efron 1979)."""


@dataclass(frozen=True)
class Measure:
    """A mean over questions, each counting from 0 to 1.

    `idle` is what a system gets that does nothing for it, `most` what can be had at all; None where there is no such thing.
    `better` says whether a high or a low value is wanted; `anchor` what another system gets.
    """

    name: str
    values: tuple[float, ...]
    idle: float | None = None
    most: float | None = None
    better: str = "more"
    anchor: str = ""

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return find_mean(self.values)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean over resampled questions. The same values give the same interval."""
        chance = random.Random(7)
        count = len(self.values)
        means = sorted(find_mean(chance.choices(self.values, k=count)) for _ in range(_RESAMPLES)) if count else [0.0]
        return means[int(_TAIL * len(means))], means[int((1 - _TAIL) * len(means))]

    def holds(self, floor: float) -> bool:
        """Say whether the unlucky end of the interval is on the right side of a floor."""
        low, high = self.interval
        return low >= floor if self.better == "more" else high <= floor


def find_mean(values: Sequence[float]) -> float:
    """Return the mean of numbers; 0 of none."""
    return sum(values) / len(values) if values else 0.0


@cache
def read_floors(group: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the floors of `own`, `data` or `grounding` from `floors.json`, by the name of the figure.

    Each has a `bound`; grounding's also what is `better` and, some of them, the `fewest` checks from which on they count.
    """
    floors: dict[str, dict[str, dict[str, Any]]] = json.loads(
        resources.files(__package__).joinpath("floors.json").read_text(encoding="utf-8")
    )
    return floors[group]


def read_bounds(group: str) -> dict[str, float]:
    """Return the bounds of `own` or `data` by the names of measures."""
    return {name: float(floor["bound"]) for name, floor in read_floors(group).items()}


def find_failures(measures: Iterable[Measure], floors: Mapping[str, float]) -> list[str]:
    """Return a sentence for every floor that is not held; one whose measure was not taken is not held."""
    taken = {measure.name: measure for measure in measures}
    failures = []
    for name, floor in floors.items():
        measure = taken.get(name)
        if measure is None:
            failures.append(f"{name} was not measured; its floor is {floor:g}.")
        elif not measure.holds(floor):
            low, high = measure.interval
            failures.append(f"{name} is {measure.mean:.3f} [{low:.3f}, {high:.3f}]; its floor is {floor:g}.")
    return failures


def write_table(measures: Sequence[Measure], floors: Mapping[str, float]) -> list[str]:
    """Return a Markdown table, a line a measure."""
    rows = [("measure", "value", "95 %", "doing nothing", "at most", "others", "floor", "n")]
    for measure in measures:
        low, high = measure.interval
        bound = floors.get(measure.name)
        rows.append(
            (
                measure.name,
                f"{measure.mean:.3f}",
                f"{low:.3f}-{high:.3f}",
                _format(measure.idle),
                _format(measure.most),
                measure.anchor,
                "" if bound is None else f"{'≥' if measure.better == 'more' else '≤'} {bound:g}",
                str(len(measure.values)),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def _format(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"

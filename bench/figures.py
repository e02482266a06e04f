"""What every benchmark prints: a table for people, then one line of JSON for scripts."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value and the bound that it is held to; its unit is the end of its name."""

    name: str
    value: float
    bound: float
    better: Literal["less", "more"] = "less"

    @property
    def holds(self) -> bool:
        """Whether the value is within its bound."""
        return self.value <= self.bound if self.better == "less" else self.value >= self.bound


def print_figures(figures: Sequence[Figure]) -> None:
    """Print a table and, as the last line, `{"name": {"value": …, "bound": …, "better": …}, …}`."""
    width = max(len(figure.name) for figure in figures)
    print(f"{'figure':{width}}  {'value':>9}  {'bound':>9}")
    for figure in figures:
        sign = "≤" if figure.better == "less" else "≥"
        verdict = "holds" if figure.holds else "FAILS"
        print(f"{figure.name:{width}}  {figure.value:9.3f}  {sign}{figure.bound:8.3f}  {verdict}")
    values = {f.name: {"value": round(f.value, 3), "bound": f.bound, "better": f.better} for f in figures}
    print(json.dumps(values))

"""The gate over the project's own small corpus, and what keeps floors from sinking."""

import json
from importlib import resources
from pathlib import Path

import pytest

from leadline.evaluation.gate import CORPORA, measure_all
from leadline.evaluation.measures import Measure, find_failures, read_bounds, write_table

OWN = Path(__file__).parent / "own"


async def test_the_own_corpus_holds_its_floors() -> None:
    measures = await measure_all(OWN)
    assert find_failures(measures, read_bounds("own")) == [], "\n".join(write_table(measures, read_bounds("own")))


def test_a_floor_was_lowered_only_for_a_reason() -> None:
    gate = json.loads(resources.files("leadline.evaluation").joinpath("floors.json").read_text(encoding="utf-8"))
    assert tuple(gate) == (*CORPORA, "grounding")
    lowered = [step for floors in gate.values() for floor in floors.values() for step in floor.get("lowered", [])]
    assert all(step["because"].strip() for step in lowered)


@pytest.mark.parametrize(
    ("measure", "floor"),
    [
        (Measure("recall", (1.0, 1.0, 0.0, 1.0)), 0.7),
        (Measure("wrongly", (0.0, 0.0, 1.0, 0.0), better="less"), 0.3),
    ],
)
def test_a_floor_is_judged_by_the_unlucky_end(measure: Measure, floor: float) -> None:
    (failure,) = find_failures([measure], {measure.name: floor})
    assert failure.startswith(f"{measure.name} is {measure.mean:.3f} [")
    assert failure.endswith(f"its floor is {floor:g}.")


def test_what_was_not_measured_does_not_hold() -> None:
    assert find_failures([], {"recall": 0.1}) == ["recall was not measured; its floor is 0.1."]


def test_the_interval_is_the_same_each_time_and_holds_the_mean() -> None:
    values = tuple(float(number % 3 == 0) for number in range(100))
    low, high = Measure("one", values).interval
    assert (low, high) == Measure("one", values).interval
    assert low < Measure("one", values).mean < high
    assert 0.1 < high - low < 0.3


def test_the_table_has_what_is_beside_a_figure() -> None:
    table = write_table([Measure("recall", (1.0, 1.0), idle=0.1, most=0.9, anchor="BM25 0.3")], {"recall": 0.5})
    assert table[2].split("|")[1:-1] == [
        " recall  ", " 1.000 ", " 1.000-1.000 ", " 0.100         ", " 0.900   ", " BM25 0.3 ", " ≥ 0.5 ", " 2 ",
    ]  # fmt: skip

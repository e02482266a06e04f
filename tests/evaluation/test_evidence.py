import json
from pathlib import Path

from leadline.evaluation.evidence import measure_evidence

OWN = Path(__file__).parent / "own" / "dragonball"


def test_passages_hold_the_evidence_and_strangers_are_not_answered(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    figures = {measure.name: measure.mean for measure in measure_evidence(OWN, out)}
    assert figures["evidence recall@10"] == 1.0
    assert figures["evidence abstained rightly"] == 1.0
    rows = {row["id"]: row for row in map(json.loads, out.read_text(encoding="utf-8").splitlines())}
    assert "640米" in "".join(rows[1]["passages"])
    assert not rows[10]["abstained"], "a question that compares is answered from two places"
    assert rows[100]["abstained"]

import json
from pathlib import Path

import pytest

from leadline.cli import run
from leadline.errors import SourceError
from leadline.evaluation.grounding import measure
from leadline.evaluation.measures import read_floors
from leadline.evaluation.samples import read_samples

DOCUMENTS = Path(__file__).parent / "documents"


def test_the_floors_hold_on_a_corpus_of_our_own() -> None:
    rates = measure(DOCUMENTS)
    assert {rate.sample for rate in rates} == {"by hand", "documents en", "documents zh"}
    assert {rate.name for rate in rates} >= set(read_floors("grounding")) - {"group"}
    assert [rate for rate in rates if not rate.holds] == []


def test_the_same_documents_give_the_same_sample() -> None:
    first, second = read_samples(DOCUMENTS), read_samples(DOCUMENTS)
    assert [s.text for one in first for s in one.statements] == [s.text for one in second for s in one.statements]


def test_a_folder_without_sentences_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Short.", encoding="utf-8")
    with pytest.raises(SourceError, match="no page with sentences"):
        read_samples(tmp_path)


def test_the_command_prints_each_rate_beside_its_floor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "figures.json"
    assert run(["eval", "grounding", "--data", str(DOCUMENTS), "-o", str(out)]) == 0
    assert "untouched" in capsys.readouterr().out
    assert {rate["name"] for rate in json.loads(out.read_text(encoding="utf-8"))} >= {"shuffled", "mutated"}

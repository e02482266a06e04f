import json
from pathlib import Path

import pytest

from leadline.errors import OutputError, SourceError
from leadline.evaluation.summhay import measure_summhay

TEXTS = {
    7: "The new engine reaches 1,025 horsepower when it runs on E85 fuel. The car weighs more than its rivals do.",
    12: "Running on E85 fuel, the new engine reaches 1,025 horsepower. Dealers expect long queues of buyers in spring.",
    40: "The factory in Brampton closes at the end of the year. Workers were told about it in a short letter.",
}


def lay_out(folder: Path) -> Path:
    rows = [
        {"topic": 1, "doc_no": number, "doc_id": f"id{number}", "text": text, "insights": ["i"] * (number != 40)}
        for number, text in TEXTS.items()
    ]
    query = {
        "topic": 1,
        "subtopic_id": "s",
        "query": "Engine power on E85 fuel?",
        "insights": [{"insight_id": "i", "insight": "The engine makes 1,025 horsepower on E85 fuel."}],
    }
    (folder / "docs.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "queries.jsonl").write_text(json.dumps(query) + "\n", encoding="utf-8")
    return folder


async def test_writes_points_with_the_numbers_of_the_documents_they_cite(tmp_path: Path) -> None:
    told: list[str] = []
    out = tmp_path / "predictions.jsonl"
    figures = {measure.name: measure for measure in await measure_summhay(lay_out(tmp_path), out, told.append)}
    (line,) = out.read_text(encoding="utf-8").splitlines()
    prediction = json.loads(line)
    assert (prediction["topic"], prediction["subtopic_id"]) == (1, "s")
    (bullet,) = prediction["bullets"]
    assert "1,025 horsepower" in bullet["text"]
    assert sorted(bullet["citations"]) == [7, 12]
    assert figures["summhay joint"].mean == 1.0
    assert figures["summhay joint"].idle == pytest.approx(2 / 3), "the first sentence tells it, and cites one of two documents"
    assert told == ["1/1 Engine power on E85 fuel?"]


async def test_a_folder_without_the_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"queries\.jsonl"):
        await measure_summhay(tmp_path)


async def test_rows_of_another_shape_are_refused(tmp_path: Path) -> None:
    lay_out(tmp_path)
    (tmp_path / "docs.jsonl").write_text('{"text": 1}\n', encoding="utf-8")
    with pytest.raises(SourceError, match="not of this benchmark"):
        await measure_summhay(tmp_path)


async def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="missing"):
        await measure_summhay(lay_out(tmp_path), tmp_path / "missing" / "out.jsonl")

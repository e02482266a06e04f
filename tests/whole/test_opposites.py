"""Sources that say the opposite are both in the report, and neither is cited for the other."""

from pathlib import Path

import pytest

import leadline

PAIRS = [
    (
        "How does vacuum change the disk space used by a table?",
        "Running vacuum increases the disk space that is used by a table.",
        "Running vacuum decreases the disk space that is used by a table.",
    ),
    (
        "What is the default of autovacuum on a new cluster of the server?",
        "By default autovacuum is enabled on every new cluster of the server.",
        "By default autovacuum is disabled on every new cluster of the server.",
    ),
]


@pytest.mark.parametrize(("question", "one", "other"), PAIRS)
async def test_both_sides_are_said(tmp_path: Path, question: str, one: str, other: str) -> None:
    for name, text in (("a.md", one), ("b.md", other)):
        (tmp_path / name).write_text(f"# Doc\n\n{text}\n", encoding="utf-8")
    run = await leadline.research(question, sources=[tmp_path], keep=False)
    assert {point.text for point in run.points} == {one, other}
    assert all(evidence.quote == point.text for point in run.points for evidence in point.evidence)

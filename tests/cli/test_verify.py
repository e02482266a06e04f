"""`leadline verify` over Markdown, as a person meets it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

GOOD = "VACUUM makes the space of dead rows reusable inside the same table [1]."
REPORT = f"""# Somebody's report

{GOOD} Zebras of the savanna have stripes [1].
Prepared transactions that were forgotten block VACUUM too ([page](blocking.md)). Nothing is cited here.

## Sources

1. VACUUM. vacuum.md
"""


@pytest.fixture
def report(documents: Path) -> Path:
    path = documents / "report.md"
    path.write_text(REPORT, encoding="utf-8")
    return path


def test_files_beside_the_report_are_read(leadline: Run, report: Path) -> None:
    done = leadline("verify", "manual/report.md")
    assert done.status == 3
    first, *rest = done.out.splitlines()
    assert first == "✗ line 3: unsupported: Zebras of the savanna have stripes."
    assert "    source: vacuum.md" in rest
    assert rest[-1] == "3 citations: 2 verbatim, 1 unsupported · score 0.67"
    assert done.err == "1 sentence without a citation: not checked\n"


def test_a_report_that_holds(leadline: Run, documents: Path, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(f"{GOOD}\n\n[1] VACUUM. vacuum.md\n", encoding="utf-8")
    done = leadline("verify", "good.md", "--in", "manual", "--json")
    assert done.status == 0, done.out
    data = json.loads(done.out)
    assert (data["holds"], data["score"], data["verdicts"]) == (True, 1.0, {"verbatim": 1})
    assert data["findings"][0]["quote"] == GOOD.replace(" [1]", "")


def test_what_cannot_be_read_is_listed_once(leadline: Run, documents: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_text("One [1].\n\nTwo [1]. Three [9].\n\n[1] Gone. gone.html\n", encoding="utf-8")
    done = leadline("verify", "bad.md")
    assert done.status == 3
    assert "✗ unreachable: gone.html\n    lines:  1, 3\n" in done.out
    assert "[9] is in no list of references" in done.out


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("none.md", None, "cannot be read"),
        ("plain.md", b"Nothing is cited.", "nothing can be checked"),
        ("latin.md", b"caf\xe9 [1]", "UTF-8"),
        ("broken.zip", b"no archive", "is not a bundle"),
        ("none.zip", None, "cannot be read"),
    ],
)
def test_wrong_use(leadline: Run, tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = leadline("verify", name)
    assert (done.status, done.out) == (2, "")
    assert name in done.err
    assert says in done.err

"""What is shown of a run that has ended."""

from pathlib import Path

import pytest
from tests.reports import make_disputed_sample

from leadline.cli.showing import Ending
from leadline.desk import open_desk
from leadline.pipeline.rendering import to_markdown
from leadline.records import Plan, Run
from leadline.settings import load_settings


async def _show(run: Run, out: Path | None = None) -> None:
    async with open_desk(load_settings(), keep=False) as desk:
        if out is not None:
            await desk.store.runs.save(run)
        await Ending(desk, out=out, quiet=True)(run)


async def test_a_run_without_a_plan_has_no_report_to_print(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_disputed_sample().run
    assert run.report is not None
    report = run.report.model_copy(update={"sections": (), "conflicts": (), "overview": (), "summary": (), "references": ()})
    await _show(run.model_copy(update={"plan": Plan(todos=()), "report": report, "status": "cancelled"}))
    assert capsys.readouterr().out == ""
    assert to_markdown(report).splitlines()[2].endswith(" · no todos")


async def test_the_reasons_are_where_they_were_written(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_disputed_sample().run
    await _show(run)
    assert "1 dropped (why: leadline runs export -o report.json)" in capsys.readouterr().out
    await _show(run, tmp_path / "out")
    assert "1 dropped (why: report.json)" in capsys.readouterr().out
    assert "(why: report.json)" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")

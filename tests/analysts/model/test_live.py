"""A whole run with a real model, which LEADLINE_TEST_MODEL names (`ollama:qwen3:8b`), at LEADLINE_TEST_MODEL_URL if set."""

import os
import sys
from pathlib import Path

import pytest
from tests.analysts.model.conftest import QUESTION

from leadline import api
from leadline.models import ModelChoice
from leadline.pipeline.rendering import to_markdown

MODEL, URL = os.environ.get("LEADLINE_TEST_MODEL", ""), os.environ.get("LEADLINE_TEST_MODEL_URL", "")


@pytest.mark.skipif(not MODEL, reason="LEADLINE_TEST_MODEL is not set: PROVIDER:NAME of a model that may be asked")
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_real_model_writes_a_report_that_holds(
    documents: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ModelChoice(name=MODEL, url=URL)
    run = await api.research(QUESTION, sources=[documents], language=language, model=model, keep=False)
    assert run.report is not None
    with capsys.disabled():
        sys.stdout.write(f"\n{to_markdown(run.report)}\n{run.usage}\n")
    assert run.points
    assert not run.report.notices

"""A report on a terminal."""

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from leadline.cli.markdown import ReportMarkdown, wrap


def _render(markdown: str, width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=True, color_system=None).print(ReportMarkdown(markdown))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_chinese_fills_its_lines_and_keeps_marks_off_their_start() -> None:
    text = "PostgreSQL 中的更新会写入该行的新版本，并在任何事务都不再看到旧版本之前，把它留在原地（死元组）。" * 3
    lines = [line.plain for line in wrap(Text(text), 40)]
    assert all(36 <= cell_len(line) <= 40 for line in lines[:-1])
    assert not any(line[0] in "，。（）" and line[0] != "（" for line in lines)
    assert not any(line.endswith("（") for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_english_breaks_at_spaces_and_keeps_a_reference_with_its_sentence() -> None:
    lines = [line.plain for line in wrap(Text("Plain VACUUM makes the space reusable [2]. It runs often."), 38)]
    assert lines == ["Plain VACUUM makes the space", "reusable [2]. It runs often."]


@example("1（量）", 5)
@given(st.text(alphabet="ab 量，（）[1].é🚀", max_size=80), st.integers(4, 30))
def test_no_line_is_too_wide_and_nothing_is_lost(text: str, width: int) -> None:
    lines = [line.plain for line in wrap(Text(text), width)]
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("width", [80, 120])
def test_headings_stand_at_the_left(width: int) -> None:
    lines = _render("# Dead rows\n\n## 1. What they are\n\nText [1].\n", width)
    assert [line for line in lines if line] == ["Dead rows", "═════════", "1. What they are", "Text [1]."]

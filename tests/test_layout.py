"""The rules of the house that no linter knows."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "src").rglob("*.py"))

LONGEST_MODULE = 500
LONGEST_FUNCTION = 50
LONGEST_CLASS = 300


TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
"""Parsed before any test runs: CPython 3.11 may fail to while threads that a test has left behind parse too."""


def _nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(TREES[path])


def _lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT / "src").as_posix())
def test_everything_is_of_a_size_to_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE
    for node in _nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert _lines(node) - _docstring_lines(node) <= LONGEST_FUNCTION, node.name
        elif isinstance(node, ast.ClassDef):
            assert _lines(node) <= LONGEST_CLASS, node.name


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return len((ast.get_docstring(node) or "").splitlines())


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT / "src").as_posix())
def test_text_files_are_opened_as_utf8(path: Path) -> None:
    for node in _nodes(path):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("read_text", "write_text")
        ):
            assert "encoding" in {k.arg for k in node.keywords} or node.args, f"line {node.lineno}"


def test_tests_mirror_the_source() -> None:
    rooms = {p.name for p in (ROOT / "src" / "leadline").iterdir() if p.is_dir() and any(p.glob("*.py"))}
    folders = {p.name for p in (ROOT / "tests").iterdir() if p.is_dir() and any(p.glob("*.py"))}
    assert folders - rooms <= {"bench", "desk", "page", "whole"}

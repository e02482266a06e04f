"""What the documents say exists."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from leadline.cli.commands import leadline

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _commands(path: Path) -> Iterator[list[str]]:
    """The command lines in the shell blocks of a document."""
    for language, block in FENCE.findall(_text(path)):
        if language == "sh":
            yield from (shlex.split(line, comments=True) for line in block.splitlines() if line.strip())


def _check_leadline(arguments: list[str]) -> None:
    """Parse a command line as the program would, without running it."""
    command: click.Command = leadline
    context = click.Context(command, info_name="leadline")
    while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
        name, *arguments = arguments
        found = command.get_command(context, name)
        assert found is not None, f"no such command: {name}"
        command, context = found, click.Context(found, info_name=name, parent=context)
    plain = [a for a in arguments if a not in (">", "|")]
    command.make_parser(context).parse_args(plain)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_commands_exist(path: Path) -> None:
    for words in _commands(path):
        program, *arguments = words
        if program in ("leadline", ".venv/bin/leadline"):
            _check_leadline(arguments)
        elif program == "make":
            assert set(arguments) <= TARGETS
        else:
            assert program in {"git", "cd", "uv", "pipx", "export"}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_resolve(path: Path) -> None:
    for link in LINK.findall(FENCE.sub("", _text(path))):
        if link.startswith(("http:", "https:")):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name) if name else path
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


def _anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", _text(path)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from _leaves(command, (*path, name))
        else:
            yield (*path, name), command


@pytest.mark.parametrize(
    ("names", "command"), list(_leaves(leadline)), ids=lambda v: "-".join(v) if isinstance(v, tuple) else ""
)
def test_every_command_and_option_is_in_the_documents(names: tuple[str, ...], command: click.Command) -> None:
    section = re.search(rf"^## {names[0]}\n(.*?)(?=^## |\Z)", _text(ROOT / "docs" / "cli.md"), re.MULTILINE | re.DOTALL)
    assert section is not None
    assert f"leadline {' '.join(names)}" in section[1]
    options = [o for p in command.params if isinstance(p, click.Option) for o in p.opts]
    assert [o for o in options if f"`{o}" not in section[1]] == []


def test_the_exit_statuses_in_help_and_documents_are_the_same() -> None:
    in_help = re.findall(r"^ +(\d+) ", CliRunner().invoke(leadline, ["--help"]).output, re.MULTILINE)
    in_documents = re.findall(r"^\| (\d+) \|", _text(ROOT / "docs" / "cli.md"), re.MULTILINE)
    assert in_help == in_documents == ["0", "1", "2", "3", "130"]


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = _text(folder / "README.md")
    assert [p.name for p in sorted(folder.glob("[0-9]*.md")) if f"({p.name})" not in listed] == []


def test_the_python_lines_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "FOLDER" / "rows.md").write_text("# Dead rows\n\nVACUUM reclaims the space of dead rows.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    blocks = [block for language, block in FENCE.findall(_text(ROOT / "README.md")) if language == "python"]
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert "# How are dead rows reclaimed?" in capsys.readouterr().out

"""The wheel, installed where nothing else is and run from another folder."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.web import Site, page, served

ROOT = Path(__file__).parent.parent
DOCUMENT = """# Dead rows

An update writes a new version of the row and leaves the old one in place. A dead row is a version that no transaction can see.

VACUUM reclaims the space of dead rows. Autovacuum runs VACUUM when enough dead rows have gathered in a table.
"""

PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")

pytestmark = [pytest.mark.install, pytest.mark.xdist_group("install")]


def _run(*words: str | Path, folder: Path, **environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(words, cwd=folder, env={**clean, **environment}, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs `uv` and `pipx`."""
    folder = tmp_path_factory.mktemp("tools")
    _run(sys.executable, "-m", "venv", folder, folder=folder)
    _run(folder / "bin" / "python", *PIP, "uv", "pipx", folder=folder)
    return folder / "bin"


@pytest.fixture(scope="session")
def wheel(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    _run(tools / "uv", "build", "--quiet", "--python", sys.executable, "--wheel", "--out-dir", folder, ROOT, folder=folder)
    (built,) = folder.glob("*.whl")
    return built


def _install_by_pip(wheel: Path, tools: Path, folder: Path) -> Path:
    _run(sys.executable, "-m", "venv", "--without-pip", folder / "env", folder=folder)
    _run(tools / "python", "-m", "pip", "--python", folder / "env", *PIP[2:], wheel, folder=folder)
    return folder / "env" / "bin"


def _install_by_uv(wheel: Path, tools: Path, folder: Path) -> Path:
    places = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    _run(tools / "uv", "tool", "install", "--quiet", "--python", sys.executable, wheel, folder=folder, **places)
    return folder / "bin"


def _install_by_pipx(wheel: Path, tools: Path, folder: Path) -> Path:
    places = {"PIPX_HOME": str(folder / "home"), "PIPX_BIN_DIR": str(folder / "bin")}
    words = ("install", "--quiet", "--pip-args=--no-compile", "--python", sys.executable)
    _run(tools / "pipx", *words, wheel, folder=folder, **places)
    return folder / "bin"


@pytest.mark.parametrize("install", [_install_by_pip, _install_by_uv, _install_by_pipx], ids=["pip", "uv-tool", "pipx"])
def test_the_wheel_works_on_its_own(
    install: Callable[[Path, Path, Path], Path], wheel: Path, tools: Path, tmp_path: Path
) -> None:
    place, elsewhere = tmp_path / "place", tmp_path / "elsewhere"
    place.mkdir()
    elsewhere.mkdir()
    (elsewhere / "rows.md").write_text(DOCUMENT, encoding="utf-8")
    program = install(wheel, tools, place) / "leadline"
    home: Mapping[str, str] = {"LEADLINE_HOME": str(tmp_path / "data")}
    assert _run(program, "--version", folder=elsewhere, **home).startswith("leadline ")
    words = ("research", "What is a dead row?", "--in", ".", "--todos", "1", "--out", "report")
    assert "[1]" in _run(program, *words, folder=elsewhere, **home)
    assert "[1]" in (elsewhere / "report" / "report.md").read_text(encoding="utf-8")


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"leadline"}
    assert "leadline/py.typed" in names
    data = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / "leadline").rglob("*.json")}
    assert data <= set(names)


def test_the_sample_backend_is_installed_and_asked(wheel: Path, tools: Path, tmp_path: Path) -> None:
    programs, sample = tmp_path / "env" / "bin", ROOT / "examples" / "search-bookmarks"
    _run(tools / "uv", "venv", "--quiet", "--python", sys.executable, tmp_path / "env", folder=tmp_path)
    _run(tools / "uv", "pip", "install", "--quiet", "--python", programs / "python", wheel, sample, folder=tmp_path)
    site = Site(
        {"/rows": page("Dead rows", "VACUUM reclaims the space of dead rows.", "A dead row is seen by no transaction.")}
    )
    (tmp_path / "data").mkdir()
    settings = f'[search.bookmarks]\nfile = "{tmp_path}/marks.txt"\n'
    (tmp_path / "data" / "config.toml").write_text(settings, encoding="utf-8")
    with served(site):
        (tmp_path / "marks.txt").write_text(f"{site.url('/rows')} Dead rows and VACUUM\n", encoding="utf-8")
        home = {"LEADLINE_HOME": str(tmp_path / "data"), "LEADLINE_ALLOW": f"127.0.0.1:{site.port}"}
        assert "leadline-bookmarks" in _run(programs / "leadline", "backends", folder=tmp_path, **home)
        words = ("research", "What is a dead row?", "--search", "bookmarks", "--offline", "--todos", "1")
        assert site.url("/rows") in _run(programs / "leadline", *words, folder=tmp_path, **home)

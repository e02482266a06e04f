"""What programs see of the package."""

import importlib
import subprocess
import sys
from importlib.metadata import version

import pytest

import leadline

HEAVY = ("dbos", "pydantic", "rich", "sqlite3", "asyncio", "resiliparse", "markdown_it", "docx", "jinja2", "nh3", "weasyprint")


def _loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after some code."""
    probe = f"{code}\nimport sys; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_all_is_sorted_and_true() -> None:
    assert leadline.__all__ == sorted(leadline.__all__)
    assert dir(leadline) == leadline.__all__
    assert all(getattr(leadline, name) is not None for name in leadline.__all__)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="reserch"):
        _ = leadline.reserch


def test_every_public_name_is_documented() -> None:
    undocumented = [name for name in leadline.__all__ if name != "Event" and not getattr(leadline, name).__doc__]
    assert undocumented == []


def test_import_loads_nothing_heavy() -> None:
    assert not _loaded_by("import leadline") & set(HEAVY)


def test_help_loads_nothing_heavy() -> None:
    commands: tuple[list[str], ...] = ([], ["research"], ["notes", "list"], ["runs", "edit"], ["worker"], ["open"])
    code = f"from leadline.cli import run\nfor command in {commands}: run([*command, '--help'])"
    assert not _loaded_by(code) & {*HEAVY} - {"asyncio"}


def test_the_types_are_shipped() -> None:
    assert importlib.resources.files("leadline").joinpath("py.typed").is_file()


def test_the_version_is_that_of_the_distribution() -> None:
    done = subprocess.run([sys.executable, "-m", "leadline", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"leadline {version('leadline')}\n"


def test_research_stays_a_function_whatever_was_imported() -> None:
    _loaded_by("import leadline, leadline.api, leadline.pipeline.loop\nassert callable(leadline.research)")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("todos", 13),
        ("depth", 0),
        ("max_points", 0),
        ("max_calls", 0),
        ("max_cost", -1.0),
        ("unsupported", "hide"),
        ("search", "exa"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(option: str, value: object) -> None:
    with pytest.raises(leadline.PlanError, match=f"^{option}={value!r} is not possible"):
        leadline.research_sync("Why?", **{option: value})  # type: ignore[arg-type]


def test_an_option_that_is_not_there_is_named() -> None:
    with pytest.raises(TypeError, match="no option 'source'; there are depth, fallback"):
        leadline.research_sync("Why?", source=["a"])  # type: ignore[call-arg]

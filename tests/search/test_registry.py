"""Backends of third parties come through the same door, and broken ones harm nobody."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from leadline.errors import SourceError
from leadline.network import Gate, open_client
from leadline.records import Query
from leadline.search import Setup
from leadline.search.registry import find_providers, list_entries
from leadline.testing import Corpus, check_backend

ROOT = Path(__file__).parent.parent.parent

Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return what installs a package of one module as an installer would lay it out."""
    folder = tmp_path / "site"
    monkeypatch.syspath_prepend(str(folder))

    def make(name: str, code: str, point: str) -> None:
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(f"[leadline.search]\n{point}\n", encoding="utf-8")
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
        sys.modules.pop(name, None)

    return make


GOOD = """
from leadline.search import LOCAL, Provider
provider = Provider("mine", lambda setup: None, url=LOCAL)
"""


def test_a_package_of_somebody_else_is_known(install: Install) -> None:
    install("good_package", GOOD, "mine = good_package:provider")
    assert find_providers(["mine"])["mine"].variable == "MINE_API_KEY"
    assert [entry.package for entry in list_entries() if entry.name == "mine"] == ["good_package"]


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import nowhere", "cannot be imported"),
        ("provider = 3", "is a int"),
        ("raise SystemExit", "cannot be imported"),
        ("(", "cannot"),
    ],
)
def test_a_broken_package_is_skipped_by_name(install: Install, code: str, fault: str) -> None:
    install("broken_package", code, "broken = broken_package:provider")
    assert find_providers(["wikipedia"])
    (entry,) = [entry for entry in list_entries() if entry.name == "broken"]
    assert fault in entry.fault
    with pytest.raises(SourceError, match="broken_package"):
        find_providers(["broken"])


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(SourceError, match="There is no search backend 'googel'; known: arxiv, bocha, brave"):
        find_providers(["googel"])


async def test_the_fake_keeps_the_contract() -> None:
    await check_backend(Corpus({"a.md": "VACUUM 固态电池 word"}))


async def test_the_sample_package_keeps_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "search-bookmarks" / "src"))
    provider = importlib.import_module("leadline_bookmarks").provider
    (tmp_path / "marks.txt").write_text("https://e.org/a How VACUUM works\n\nnonsense\n", encoding="utf-8")
    async with open_client(Gate(offline=True)) as client:
        options = {"file": str(tmp_path / "marks.txt")}
        backend = provider.open(Setup(client=client, check=Gate().check_url, options=options))
        await check_backend(backend)
        assert [hit.address for hit in await backend.search(Query(text="vacuum"))] == ["https://e.org/a"]

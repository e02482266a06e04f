"""A bundle checks out as it was written, and not when anything in it was changed."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.reports import make_disputed_sample, make_sample

from leadline.errors import UsageError
from leadline.exports.bundle import to_bundle
from leadline.exports.material import Material
from leadline.verification import verify_bundle


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    run, pages = make_sample()
    assert run.report is not None
    path = tmp_path / "evidence.zip"
    path.write_bytes(to_bundle(Material(run, run.report, (), (), pages)))
    return path


def _change(path: Path, name: str, change: Callable[[str], str], hide: bool = True) -> None:
    """Rewrite one file of a bundle, and its hash too if the change is to be hidden."""
    with zipfile.ZipFile(path) as archive:
        files = {info.filename: archive.read(info) for info in archive.infolist()}
    changed = change(files[name].decode())
    assert changed != files[name].decode()
    files[name] = changed.encode()
    if hide:
        manifest = json.loads(files["manifest.json"])
        manifest["sha256"][name] = hashlib.sha256(files[name]).hexdigest()
        files["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)


def test_a_bundle_as_written_holds(bundle: Path) -> None:
    found = verify_bundle(bundle)
    assert found.failures == ()
    assert {finding.kind for finding in found.findings} == {"file", "quote", "verdict", "report"}
    assert found.score == 1.0


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_a_bundle_with_conflicts_and_marked_points_holds(tmp_path: Path, language: str) -> None:
    run, pages = make_disputed_sample(language)
    assert run.report is not None
    path = tmp_path / "evidence.zip"
    path.write_bytes(to_bundle(Material(run, run.report, (), (), pages)))
    assert verify_bundle(path).failures == ()


def test_the_same_run_gives_the_same_bytes() -> None:
    run, pages = make_sample()
    assert run.report is not None
    assert to_bundle(Material(run, run.report, (), (), pages)) == to_bundle(Material(run, run.report, (), (), pages))


def test_it_says_that_it_holds_full_texts(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as archive:
        assert "FULL TEXTS OF THE SOURCES" in archive.read("README.txt").decode()


PAGE = f"pages/{'a' * 64}.json"


@pytest.mark.parametrize(
    ("name", "old", "new", "kind"),
    [
        (PAGE, "reusable inside", "reusable outside", "quote"),
        (PAGE, "An update leaves", "No update leaves the", "quote"),
        ("run.json", "rewrites the whole table", "never rewrites the whole table", "verdict"),
        ("report.md", "rewrites the whole table", "never rewrites the whole table", "report"),
    ],
)
def test_a_change_is_seen_even_with_a_new_hash(bundle: Path, name: str, old: str, new: str, kind: str) -> None:
    _change(bundle, name, lambda text: text.replace(old, new, 1 if name != "report.md" else -1))
    assert kind in {finding.kind for finding in verify_bundle(bundle).failures}


def test_a_change_without_a_new_hash_is_a_file(bundle: Path) -> None:
    _change(bundle, "README.txt", str.upper, hide=False)
    (failure,) = verify_bundle(bundle).failures
    assert (failure.kind, failure.subject) == ("file", "README.txt")


def test_a_file_that_is_missing_or_more(bundle: Path) -> None:
    _change(bundle, "manifest.json", lambda text: text.replace("README.txt", "LIESMICH.txt"), hide=False)
    assert {failure.subject for failure in verify_bundle(bundle).failures} == {"README.txt", "LIESMICH.txt"}


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_bundle(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"x\.zip' is not a bundle"):
        verify_bundle(path)
    with pytest.raises(UsageError, match="cannot be read"):
        verify_bundle(tmp_path / "missing.zip")


@pytest.mark.parametrize("place", [0.3, 0.5, 0.7])
def test_damage_never_goes_unseen(bundle: Path, place: float) -> None:
    content = bytearray(bundle.read_bytes())
    content[int(len(content) * place)] ^= 0xFF
    bundle.write_bytes(content)
    with pytest.raises(UsageError, match="is damaged"):
        assert verify_bundle(bundle).failures == ()

import os
from pathlib import Path

import pytest

from leadline.errors import NotFound, SourceError, StoreError
from leadline.library import NamedLibrary, Registry, find_roots


@pytest.fixture
def registry(home: Path) -> Registry:
    return Registry(home)


def label(registry: Registry, *sources: Path | str) -> list[str]:
    return [root.label for root in find_roots([str(source) for source in sources], registry)]


def test_a_folder_alone_has_no_label_and_several_have_their_names(tmp_path: Path, registry: Registry) -> None:
    for name in ("a/docs", "b/docs", "c"):
        (tmp_path / name).mkdir(parents=True)
    assert label(registry, tmp_path / "a/docs") == [""]
    assert label(registry, tmp_path / "a/docs", tmp_path / "c") == ["docs", "c"]
    assert label(registry, tmp_path / "a/docs", tmp_path / "b/docs") == ["docs", "docs-2"]


def test_a_file_is_called_by_its_name(tmp_path: Path, registry: Registry) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "note.md").write_text("x", encoding="utf-8")
    (root,) = find_roots([str(tmp_path / "a/note.md")], registry)
    assert root.name_document("") == "note.md"
    assert label(registry, tmp_path / "a/note.md", tmp_path / "b/note.md") == ["note.md", "note-2.md"]


def test_the_same_source_twice_is_one(tmp_path: Path, registry: Registry) -> None:
    assert len(find_roots([str(tmp_path), str(tmp_path / "." / ".")], registry)) == 1


def test_a_named_library_goes_by_its_name(tmp_path: Path, registry: Registry) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    registry.add("pg", [str(tmp_path / "one")])
    registry.add("both", [str(tmp_path / "one"), str(tmp_path / "two")])
    assert label(registry, "@pg") == ["pg"]
    assert label(registry, "@both") == ["both/one", "both/two"]
    (root,) = find_roots(["@pg"], registry)
    assert root.name_document(os.path.join("a", "b.md")) == "pg/a/b.md"


@pytest.mark.parametrize("source", ["missing", "missing/deeper", "\0", "a" * 5000])
def test_a_path_that_cannot_be_used_is_named(source: str, registry: Registry) -> None:
    with pytest.raises(SourceError, match="name another"):
        find_roots([source], registry)


def test_no_source_says_what_to_do(registry: Registry) -> None:
    with pytest.raises(SourceError, match="--in @NAME"):
        find_roots([], registry)


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path, registry: Registry) -> None:
    registry.add("pg", [str(tmp_path)])
    with pytest.raises(SourceError, match=r"'@docs'; known: @pg\. Add one with `leadline library add docs PATH`"):
        find_roots(["@docs"], registry)


def test_a_name_whose_folder_has_gone_is_an_error(registry: Registry) -> None:
    registry.add("gone", ["/nowhere/at/all"])
    with pytest.raises(SourceError, match="There is no file or folder"):
        find_roots(["@gone"], registry)


def test_names_are_kept_in_order_replaced_and_removed(tmp_path: Path, home: Path) -> None:
    registry = Registry(home)
    assert registry.list() == ()
    registry.add("b", ["/b"])
    registry.add("a", ["/a", "/a"])
    registry.add("b", ["/c"])
    assert Registry(home).list() == (NamedLibrary("a", ("/a",)), NamedLibrary("b", ("/c",)))
    registry.remove("a")
    assert [library.name for library in registry.list()] == ["b"]
    with pytest.raises(NotFound, match="'a'"):
        registry.remove("a")


@pytest.mark.parametrize("name", ["", "A", "../x", ".x", "a b", "x" * 65, "名"])
def test_names_that_are_not_allowed(name: str, registry: Registry) -> None:
    with pytest.raises(SourceError, match="cannot name a library"):
        registry.add(name, ["/x"])


def test_a_name_needs_a_path(registry: Registry) -> None:
    with pytest.raises(SourceError, match="library add x PATH"):
        registry.add("x", [])


def test_a_damaged_list_says_so(home: Path, registry: Registry) -> None:
    registry.add("x", ["/x"])
    (home / "libraries.json").write_text("[1", encoding="utf-8")
    with pytest.raises(StoreError, match="damaged"):
        registry.list()

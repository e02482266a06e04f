import gzip
import os
import sqlite3
from pathlib import Path

import pytest

from leadline.errors import SourceError, StoreError
from leadline.library import Library, Registry, summarise_skipped
from leadline.records import Hit, NotRead, Page, Query

VACUUM = "# Vacuum\n\nVACUUM reclaims the storage that dead rows occupy.\n"
REPLICATION = "# Replication\n\nA replication slot keeps the log that a standby still needs.\n"
CHINESE = "# 清理\n\n数据库会自动回收死元组占用的存储空间。\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "docs"
    (top / "deep").mkdir(parents=True)
    (top / "vacuum.md").write_text(VACUUM, encoding="utf-8")
    (top / "deep" / "replication.txt.gz").write_bytes(gzip.compress(REPLICATION.encode()))
    (top / "zh.txt").write_bytes(CHINESE.encode("gb18030"))
    return top


async def find(library: Library, query: str) -> list[str]:
    return [hit.address for hit in await library.search(Query(text=query, limit=10))]


async def test_documents_are_found_and_read(folder: Path, home: Path) -> None:
    library = await Library.open([str(folder)], home)
    (hit,) = await library.search(Query(text="How is storage reclaimed?", limit=10))
    page = await library.read(hit)
    assert isinstance(page, Page)
    assert (hit.backend, hit.address, hit.title) == ("library", "vacuum.md", "Vacuum")
    assert page.text[hit.spans[0].start : hit.spans[0].end] == "VACUUM reclaims the storage that dead rows occupy."
    assert (page.address, page.title, page.language) == ("vacuum.md", "Vacuum", "en")
    assert await find(library, "slots for replication") == ["deep/replication.txt.gz"]


async def test_chinese_is_found_by_pairs_of_characters(folder: Path, home: Path) -> None:
    library = await Library.open([str(folder)], home)
    assert await find(library, "存储怎样回收") == ["zh.txt"]
    assert library.languages == {"en": pytest.approx(2 / 3), "zh": pytest.approx(1 / 3)}


@pytest.mark.parametrize(
    "query",
    ['"', "AND OR NOT", "a* NEAR(b)", "col:val", "-x", "(", "^", "", "''", "text MATCH", "x" * 50_000, "\0", "。", "\ud800"],
)
async def test_no_query_is_a_syntax_error(folder: Path, home: Path, query: str) -> None:
    library = await Library.open([str(folder)], home)
    assert await library.search(Query(text=query, limit=10)) == [] or query


async def test_a_word_of_the_query_language_is_a_word(folder: Path, home: Path) -> None:
    (folder / "near.md").write_text("Use NEAR to search.", encoding="utf-8")
    assert await find(await Library.open([str(folder)], home), "NEAR") == ["near.md"]


async def test_the_limit_and_the_order_hold(folder: Path, home: Path) -> None:
    for number in range(130):
        (folder / f"{number:03}.txt").write_text(f"Document {number} says zebra.", encoding="utf-8")
    library = await Library.open([str(folder)], home)
    hits = await library.search(Query(text="zebra", limit=120))
    assert len(hits) == 120
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits == await library.search(Query(text="zebra", limit=120))


async def test_files_with_the_same_bytes_are_one_document(folder: Path, home: Path) -> None:
    (folder / "copy.md").write_text(VACUUM, encoding="utf-8")
    library = await Library.open([str(folder)], home)
    assert await find(library, "reclaims") == ["copy.md"]
    assert len(library) == 3


async def test_only_what_changed_is_read_again(folder: Path, home: Path) -> None:
    await Library.open([str(folder)], home)
    state = (folder / "vacuum.md").stat()
    (folder / "vacuum.md").write_text(VACUUM.replace("reclaims", "RECLAIMS"), encoding="utf-8")
    os.utime(folder / "vacuum.md", ns=(state.st_atime_ns, state.st_mtime_ns))
    (folder / "zh.txt").write_text("A new text about zebras.", encoding="utf-8")
    (folder / "deep" / "replication.txt.gz").unlink()
    (folder / "new.txt").write_text("Something about giraffes.", encoding="utf-8")
    library = await Library.open([str(folder)], home)
    (hit,) = await library.search(Query(text="reclaims", limit=5))
    page = await library.read(hit)
    assert isinstance(page, Page)
    assert "reclaims" in page.text  # size and time are as before: the file was not opened
    assert await find(library, "zebras") == ["zh.txt"]
    assert await find(library, "giraffes") == ["new.txt"]
    assert await find(library, "存储 replication standby") == []


async def test_what_is_skipped_is_counted_by_kind(folder: Path, home: Path) -> None:
    for name in ("a.pptx", "b.pptx", "c.bin"):
        (folder / name).write_bytes(b"PK\x03\x04\x00\x00")
    (folder / "noise.pdf").write_bytes(b"\x00\xff\x9c\x01" * 99)
    (folder / "empty.txt").write_bytes(b"  \n")
    (folder / "style.css").write_text("p { color: red }", encoding="utf-8")
    (folder / "cut.gz").write_bytes(gzip.compress(b"words " * 99)[:30])
    library = await Library.open([str(folder)], home)
    assert summarise_skipped(library.skipped) == "7 skipped: 2 .pptx, 2 unreadable, 1 .bin, 1 .css, 1 empty"
    names = ["a.pptx", "b.pptx", "c.bin", "cut.gz", "empty.txt", "noise.pdf", "style.css"]
    assert [skipped.address for skipped in library.skipped] == names
    assert len(library) == 3


async def test_what_is_not_part_of_the_folder_is_not_walked(folder: Path, tmp_path: Path, home: Path) -> None:
    for name in (
        ".git/x.txt",
        "node_modules/x.txt",
        "__pycache__/x.txt",
        ".hidden.txt",
        "p.dist-info/RECORD",
        "p.dist-info/x.txt",
    ):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("zebra", encoding="utf-8")
    (tmp_path / "outside.txt").write_text("zebra", encoding="utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "loop").symlink_to(folder)
    (folder / "broken").symlink_to(folder / "nothing")
    (folder / "p.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: demo\nVersion: 1\nSummary: A demo\n", encoding="utf-8"
    )
    library = await Library.open([str(folder)], home)
    assert await find(library, "zebra") == []
    assert await find(library, "demo") == ["p.dist-info/METADATA"]
    assert library.skipped == ()


async def test_a_file_may_be_named_itself_whatever_its_suffix(tmp_path: Path, home: Path) -> None:
    (tmp_path / "notes.yaml").write_text("Plain words about zebras.", encoding="utf-8")
    library = await Library.open([str(tmp_path / "notes.yaml")], home)
    assert await find(library, "zebras") == ["notes.yaml"]
    assert library.label == "notes.yaml"


async def test_addresses_never_show_where_a_folder_is(folder: Path, tmp_path: Path, home: Path) -> None:
    Registry(home).add("pg", [str(folder)])
    named = await Library.open(["@pg"], home)
    assert await find(named, "reclaims") == ["pg/vacuum.md"]
    assert named.label == "pg"
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.txt").write_text("Zebras.", encoding="utf-8")
    both = await Library.open([str(folder), str(other)], home)
    assert sorted(await find(both, "reclaims zebras")) == ["docs/vacuum.md", "other/x.txt"]
    assert both.label == "docs, other"
    assert str(tmp_path) not in (await both.search(Query(text="zebras", limit=1)))[0].model_dump_json()


async def test_file_names_that_are_not_utf8_are_shown_and_read(folder: Path, home: Path) -> None:
    (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9\n.txt"))).write_text("Zebras drink coffee.", encoding="utf-8")
    library = await Library.open([str(folder)], home)
    (hit,) = await library.search(Query(text="zebras", limit=1))
    assert hit.address == "caf\ufffd\ufffd.txt"
    assert isinstance(await library.read(hit), Page)
    hit.model_dump_json()


async def test_a_hit_of_another_library_is_not_read(folder: Path, home: Path) -> None:
    library = await Library.open([str(folder)], home)
    assert await library.read(Hit(backend="library", address="gone.md")) == NotRead(
        address="gone.md", reason="no longer in the library"
    )


async def test_a_folder_without_a_document_says_what_was_skipped(tmp_path: Path, home: Path) -> None:
    (tmp_path / "slides").mkdir()
    with pytest.raises(SourceError, match="no file at all"):
        await Library.open([str(tmp_path / "slides")], home)
    (tmp_path / "slides" / "a.pptx").write_bytes(b"PK\x03\x04")
    with pytest.raises(SourceError, match=r"1 skipped: 1 \.pptx"):
        await Library.open([str(tmp_path / "slides")], home)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_what_may_not_be_read_is_counted_or_named(folder: Path, home: Path) -> None:
    (folder / "vacuum.md").chmod(0)
    (folder / "deep").chmod(0)
    library = await Library.open([str(folder)], home)
    assert summarise_skipped(library.skipped) == "2 skipped: 2 unreadable"
    (folder / "vacuum.md").chmod(0o644)
    assert await find(await Library.open([str(folder)], home), "reclaims") == ["vacuum.md"]
    folder.chmod(0)
    with pytest.raises(SourceError, match="may not read"):
        await Library.open([str(folder)], home)
    folder.chmod(0o755)
    (folder / "deep").chmod(0o755)


def find_index(home: Path) -> Path:
    (path,) = (home / "libraries").glob("*.db")
    return path


async def test_a_damaged_index_is_built_anew(folder: Path, home: Path) -> None:
    await Library.open([str(folder)], home)
    find_index(home).write_bytes(b"no database at all" * 500)
    library = await Library.open([str(folder)], home)
    assert await find(library, "reclaims") == ["vacuum.md"]
    find_index(home).write_bytes(b"damaged while it is open" * 500)
    assert await find(library, "reclaims") == ["vacuum.md"]


async def test_an_index_of_another_version_is_built_anew(folder: Path, home: Path) -> None:
    await Library.open([str(folder)], home)
    with sqlite3.connect(find_index(home)) as connection:
        connection.execute("DELETE FROM documents")
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert await find(await Library.open([str(folder)], home), "reclaims") == ["vacuum.md"]


async def test_a_data_folder_that_cannot_be_used_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match="LEADLINE_HOME"):
        await Library.open([str(folder)], tmp_path / "file")


async def test_order_of_creation_does_not_show(tmp_path: Path) -> None:
    texts = {f"{name}.txt": f"The zebra is number {name}." for name in "cabd"}
    found = []
    for number, names in enumerate((list(texts), sorted(texts), sorted(texts, reverse=True))):
        top = tmp_path / str(number) / "docs"
        top.mkdir(parents=True)
        for name in names:
            (top / name).write_text(texts[name], encoding="utf-8")
        library = await Library.open([str(top)], tmp_path / f"home{number}")
        found.append(await library.search(Query(text="zebra", limit=10)))
    assert found[0] == found[1] == found[2]


async def test_very_common_words_leave_the_query(tmp_path: Path, home: Path) -> None:
    top = tmp_path / "docs"
    top.mkdir()
    for number in range(1200):
        (top / f"{number}.txt").write_text(f"The server has number {number}.", encoding="utf-8")
    (top / "rare.txt").write_text("A giraffe met an okapi.", encoding="utf-8")
    library = await Library.open([str(top)], home)
    assert await find(library, "server giraffe okapi number") == ["rare.txt"]
    assert len(await find(library, "server number")) == 10


async def test_a_document_that_was_read_is_held_for_the_next_todo(tmp_path: Path) -> None:
    source = tmp_path / "a.md"
    source.write_text("Autovacuum reclaims dead rows.", encoding="utf-8")
    library = await Library.open([str(source)], tmp_path / "home")
    (hit,) = await library.search(Query(text="autovacuum", limit=5))
    assert await library.read(hit) is await library.read(hit)

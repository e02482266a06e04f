"""Folders that would hang, end or mislead a run."""

import asyncio
import os
import socket
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from leadline.errors import SourceError, StoreError
from leadline.library import Library, Registry, find_path, find_roots, summarise_skipped, write_path
from leadline.library.index import Index
from leadline.library.outputs import is_export
from leadline.records import Query

REPORT = '{\n  "version": 1,\n  "run": "abc",\n  "status": "complete"\n}\n'
NOTE = '---\nid: "abc-1"\ntitle: "Zebras"\ntype: "summary"\n---\n\nZebras sleep standing, says a note.\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "docs"
    top.mkdir()
    (top / "zebra.txt").write_text("Zebras sleep standing.", encoding="utf-8")
    return top


async def find(folder: Path, home: Path) -> list[str]:
    return [hit.address for hit in await (await Library.open([str(folder)], home)).search(Query(text="zebras", limit=10))]


def export(folder: Path) -> None:
    (folder / "notes").mkdir(parents=True)
    (folder / "report.json").write_text(REPORT, encoding="utf-8")
    (folder / "events.jsonl").write_text("{}\n", encoding="utf-8")
    (folder / "report.md").write_text("# Zebras\n\nZebras sleep standing [1].\n", encoding="utf-8")
    (folder / "notes" / "01-zebras.md").write_text(NOTE, encoding="utf-8")


async def test_reports_of_earlier_runs_are_no_sources(folder: Path, home: Path) -> None:
    export(folder / "out")
    library = await Library.open([str(folder)], home)
    assert await find(folder, home) == ["zebra.txt"]
    assert summarise_skipped(library.skipped) == "4 skipped: 4 leadline output"


async def test_in_a_folder_that_was_exported_into_the_persons_own_files_are_read(folder: Path, home: Path) -> None:
    assert await find(folder, home) == ["zebra.txt"]
    export(folder)
    (folder / "notes" / "mine.md").write_text("# Zebras\n\nMy own words on zebras.", encoding="utf-8")
    (folder / "notes" / "02-mine.md").write_text("# Zebras\n\nMore of my own words on zebras.", encoding="utf-8")
    assert sorted(await find(folder, home)) == ["notes/02-mine.md", "notes/mine.md", "zebra.txt"]
    (folder / "events.jsonl").unlink()
    assert "report.md" in await find(folder, home)


def test_a_report_of_something_else_is_no_export(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text('{"tests": 7}', encoding="utf-8")
    assert not is_export(tmp_path, ["report.json", "events.jsonl"])
    assert not is_export(tmp_path / "missing", ["report.json", "events.jsonl"])


async def test_folders_may_be_nested_without_end(folder: Path, home: Path) -> None:
    before = Path.cwd()
    os.chdir(folder)
    try:
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(before)
    try:
        assert await find(folder, home) == ["zebra.txt"]
    finally:  # shutil.rmtree recurses, and with it pytest's own clean-up would fail, some sessions later
        subprocess.run(["rm", "-rf", str(folder / "d")], check=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
async def test_what_is_neither_file_nor_folder_is_not_opened(folder: Path, home: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert await find(folder, home) == ["zebra.txt"]
    for source in (str(folder / "pipe"), "/dev/zero"):
        with pytest.raises(SourceError, match="neither a file nor a folder"):
            await Library.open([source], home)


async def test_a_socket_is_not_opened(folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as open_socket:
        open_socket.bind("door")
        assert await find(folder, home) == ["zebra.txt"]


async def test_a_file_over_the_limit_is_named_by_the_limit(folder: Path, home: Path) -> None:
    with (folder / "large.txt").open("wb") as file:
        file.truncate(20 * 1024 * 1024 + 1)
    assert summarise_skipped((await Library.open([str(folder)], home)).skipped) == "1 skipped: 1 over 20 MB"


async def test_a_lock_that_is_held_ends_in_a_sentence(folder: Path, home: Path) -> None:
    index = Index(find_roots([str(folder)], Registry(home)), home, patience=0.1)
    index.refresh()
    (lock,) = (home / "libraries").glob("*.lock")
    with FileLock(lock), pytest.raises(StoreError, match="Another process has been indexing"):
        await asyncio.to_thread(index.refresh)


def test_indexing_stops_between_files_and_goes_on_later(folder: Path, home: Path) -> None:
    roots = find_roots([str(folder)], Registry(home))
    stop = threading.Event()
    stop.set()
    with pytest.raises(StoreError, match="was stopped"):
        Index(roots, home, stop).refresh()
    assert [entry.relative for entry in Index(roots, home).refresh()] == ["zebra.txt"]


async def test_a_cancelled_opening_leaves_no_thread_at_work(folder: Path, home: Path) -> None:
    text = "Zebras number {} sleep standing under the old tree. "
    for number in range(3000):
        (folder / f"{number}.txt").write_text(text.format(number) * 200, encoding="utf-8")
    opening = asyncio.create_task(Library.open([str(folder)], home))
    await asyncio.sleep(0.3)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    began = time.monotonic()
    await asyncio.get_running_loop().shutdown_default_executor()
    assert time.monotonic() - began < 2


async def test_an_index_that_lost_its_tables_is_built_anew(folder: Path, home: Path) -> None:
    await Library.open([str(folder)], home)
    (path,) = (home / "libraries").glob("*.db")
    for table in ("files", "words"):
        with sqlite3.connect(path) as connection:
            connection.execute(f"DROP TABLE {table}")
        connection.close()
        assert await find(folder, home) == ["zebra.txt"]


async def test_a_full_disk_is_named(folder: Path, home: Path) -> None:
    await Library.open([str(folder)], home)
    index = Index(find_roots([str(folder)], Registry(home)), home)

    def fill(connection: sqlite3.Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        connection.execute("BEGIN")
        connection.execute("INSERT INTO documents SELECT 9, 'x', '', '', '', '', '', '', '', '', hex(randomblob(1000000))")

    with pytest.raises(StoreError, match="disk that holds the data folder is full"):
        index.query(fill)


async def test_names_that_are_no_unicode_or_turn_the_writing_round(tmp_path: Path, home: Path) -> None:
    top = Path(os.fsdecode(os.fsencode(tmp_path) + b"/gb\xce\xc4"))
    try:
        top.mkdir()
    except OSError:
        pytest.skip("the file system takes Unicode only")
    (top / "a\u202egnp.txt").write_text("Zebras sleep standing.", encoding="utf-8")
    stored = write_path(find_path(str(top)))
    stored.encode("utf-8")
    assert find_path(stored) == top.resolve()
    assert write_path(tmp_path / "plain é") == str(tmp_path / "plain é")
    library = await Library.open([stored], home)
    (hit,) = await library.search(Query(text="zebras", limit=1))
    assert hit.address == "a\ufffdgnp.txt"
    library.label.encode("utf-8")

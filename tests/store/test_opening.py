"""Opening a store: folders, URLs, schemas, and what cannot be opened."""

import asyncio
import os
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.store.conftest import Rows
from tests.store.samples import make_run

from leadline.errors import StoreError
from leadline.store import open_store


async def refuse(target: str | Path) -> str:
    """Return the one sentence by which a store refuses to open."""
    with pytest.raises(StoreError) as caught:
        await open_store(target, patience=0.2)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    return sentence


async def test_a_store_keeps_what_it_was_given(target: str | Path) -> None:
    run = make_run("r1")
    async with await open_store(target) as store:
        await store.runs.save(run)
    async with await open_store(target) as store:
        assert await store.runs.load("r1") == run


async def test_the_data_folder_is_made_and_holds_one_file(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "家"
    async with await open_store(str(folder)) as store:
        assert store.place == str(folder / "leadline.db")
    assert [path.name for path in folder.iterdir()] == ["leadline.db"]


async def test_many_can_open_an_empty_store_at_once(target: str | Path) -> None:
    stores = await asyncio.gather(*(open_store(target) for _ in range(6)))
    await asyncio.gather(*(store.runs.save(make_run(f"r{number}")) for number, store in enumerate(stores)))
    assert len(await stores[0].runs.list()) == 6
    for store in stores:
        await store.close()


async def test_a_closed_store_says_so(target: str | Path) -> None:
    store = await open_store(target)
    await store.close()
    for refused in (store.runs.list(), store.runs.save(make_run("r1"))):
        with pytest.raises(StoreError, match="was closed"):
            await refused


async def test_a_newer_schema_is_refused_with_both_versions(target: str | Path, rows: Rows) -> None:
    await (await open_store(target)).close()
    rows.change("UPDATE schema_version SET version = 99")
    assert "has schema 99, made by a newer Leadline; this one knows up to 2: upgrade" in await refuse(target)
    rows.change("UPDATE schema_version SET version = 2")
    await (await open_store(target)).close()


# --- folders ----------------------------------------------------------------------------------------------------------


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be made (Not a directory): make it writable, or choose another one." in await refuse(
        tmp_path / "file" / "home"
    )
    assert "cannot be made (File exists)" in await refuse(tmp_path / "file")


async def test_a_file_that_is_no_store_is_left_as_it_is(home: Path) -> None:
    home.mkdir()
    (home / "leadline.db").write_bytes(b"These are not the rows you are looking for.\n" * 100)
    assert "is damaged (file is not a database): restore it from a backup" in await refuse(home)
    assert (home / "leadline.db").read_bytes().startswith(b"These are not")


async def test_a_damaged_file_is_said_to_be_damaged(home: Path) -> None:
    await (await open_store(home)).close()
    with (home / "leadline.db").open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 4000)
    assert "is damaged (database disk image is malformed)" in await refuse(home)


@pytest.fixture
def ordinary_user(tmp_path: Path) -> Iterator[None]:
    """Give up the right to write everywhere, while the test lasts, where it runs as root."""
    if os.geteuid() != 0:
        yield
        return
    for folder in (tmp_path, *list(tmp_path.parents)[:2]):
        folder.chmod(0o755)
    os.seteuid(65534)
    yield
    os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no permission bits on Windows")
async def test_a_read_only_folder_is_named(tmp_path: Path, ordinary_user: None) -> None:
    folder = Path(f"{tmp_path}-locked")
    if os.getuid() != 0:
        folder.mkdir(mode=0o500)
    assert "make it writable, or choose another one." in await refuse(folder)


# --- URLs -------------------------------------------------------------------------------------------------------------


async def test_another_database_is_refused() -> None:
    assert await refuse("mysql://me:secret@localhost/x") == (
        "mysql:// is not a store: use a folder, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE."
    )


WRONG = (
    "me:secret@localhost:port/x",
    "me:secret@[::1/x",
    "h?no=x&password=secret",
    "me:a/secret@h/x",
    "me:12/secret@h/x",
    "me:%secret@h/x",
)


@pytest.mark.parametrize("url", WRONG)
async def test_a_url_of_a_wrong_shape_is_refused(url: str) -> None:
    assert "write postgresql://USER:PASSWORD@HOST:PORT/DATABASE" in await refuse(f"postgresql://{url}")


async def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    sentence = await refuse(f"postgresql://me:secret@127.0.0.1:{port}/x?password=secret")
    assert sentence.startswith(f"PostgreSQL at postgresql://me@127.0.0.1:{port}/x cannot be reached (")
    assert "Connection refused" in sentence


async def test_a_server_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert "timeout" in await refuse(f"postgresql://me:secret@127.0.0.1:{server.getsockname()[1]}/x")


async def test_a_wrong_password_or_database_is_told(postgres_server: str) -> None:
    parts = urlsplit(postgres_server)
    wrong = parts._replace(netloc=f"{parts.username}:secret@{parts.hostname}:{parts.port}")
    assert "password authentication failed" in await refuse(wrong.geturl())
    assert 'database "nowhere" does not exist' in await refuse(parts._replace(path="/nowhere").geturl())


def test_no_database_library_is_imported_before_it_is_needed() -> None:
    code = "import sys, leadline.store; print(sorted({'psycopg', 'sqlite3'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

"""Notes, over every store."""

import datetime as dt

import pytest
from tests.store.samples import MORNING, make_note

from leadline.errors import NotFound, UsageError
from leadline.store import Store


async def test_a_note_is_read_as_it_was_created(store: Store) -> None:
    note = make_note("n1", "清理 \x00 notes", "body\nwith 'quotes' and %", run="r1")
    assert await store.notes.create(note) == note
    assert await store.notes.read("n1") == note


async def test_a_note_of_the_same_id_is_left_as_it_is(store: Store) -> None:
    first = await store.notes.create(make_note("n1", "First"))
    assert await store.notes.create(make_note("n1", "Second")) == first
    assert await store.notes.read("n1") == first


async def test_title_and_body_are_replaced(store: Store) -> None:
    await store.notes.create(make_note("n1", "Old", "stale"))
    later = MORNING + dt.timedelta(hours=1)
    changed = await store.notes.update("n1", title="New", body="fresh", updated=later)
    assert (changed.title, changed.body, changed.updated, changed.created) == ("New", "fresh", later, MORNING)
    assert await store.notes.read("n1") == changed
    assert await store.notes.search("fresh") == [changed]
    assert await store.notes.search("stale") == []


@pytest.mark.parametrize("name", ["n1", "../n1", "", "n\x00", "n%"])
async def test_a_note_that_is_not_there_is_not_found(store: Store, name: str) -> None:
    with pytest.raises(NotFound):
        await store.notes.read(name)
    with pytest.raises(NotFound):
        await store.notes.update(name, title="", body="", updated=MORNING)
    with pytest.raises(NotFound):
        await store.notes.delete(name)


async def test_a_deleted_note_is_gone(store: Store) -> None:
    await store.notes.create(make_note("n1"))
    await store.notes.delete("n1")
    assert await store.notes.list() == []


@pytest.mark.parametrize("name", ["../n1", "", "a/b", "CON:", "a\\b", ".n", "注"])
async def test_an_unsafe_id_is_refused(store: Store, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the id of a note"):
        await store.notes.create(make_note(name))


async def test_notes_are_listed_newest_first_of_one_run_or_all(store: Store) -> None:
    for name, run, minute in (("a", "r1", 1), ("c", "r2", 0), ("b", "r1", 1)):
        await store.notes.create(make_note(name, run=run, minute=minute))
    assert [note.id for note in await store.notes.list()] == ["b", "a", "c"]
    assert [note.id for note in await store.notes.list("r1", limit=1)] == ["b"]
    assert await store.notes.list("r3") == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("vacuum", ["en"]),
        ("VACUUM freeze", ["en"]),
        ("freeze-vacuum?", ["en"]),
        ("vacuum missing", []),
        ("start", ["en"]),
        ("art", []),
        ("ＶＡＣＵＵＭ", ["en"]),
        ("数据库", ["zh"]),
        ("索引 数据库", ["zh"]),
        ("据库", ["zh"]),
        ("2026", ["zh", "en"]),
        ("postgres", ["zh"]),
        ("naïve", ["en"]),
        ("100%", ["en"]),
        ("a_b", []),
    ],
)
async def test_a_search_finds_notes_that_hold_every_word(store: Store, query: str, found: list[str]) -> None:
    await store.notes.create(make_note("en", "Vacuum and Freeze", "Start at 100 %, naïve, in 2026."))
    await store.notes.create(make_note("zh", "数据库的索引", "于2026年发布，PostgreSQL支持。", minute=1))
    assert [note.id for note in await store.notes.search(query)] == found


async def test_a_search_returns_at_most_its_limit_newest_first(store: Store) -> None:
    for number in range(5):
        await store.notes.create(make_note(f"n{number}", minute=number))
    assert [note.id for note in await store.notes.search("vacuum", limit=2)] == ["n4", "n3"]


@pytest.mark.parametrize("query", ["", "?!", "\x00", "x" * 1001])
async def test_a_search_without_words_or_too_long_is_refused(store: Store, query: str) -> None:
    with pytest.raises(UsageError):
        await store.notes.search(query)


async def test_a_search_of_the_longest_kind_is_answered(store: Store) -> None:
    words = "".join(f"{chr(0x4E00 + number)} " for number in range(500))
    await store.notes.create(make_note("n1", body=words))
    assert [note.id for note in await store.notes.search(words)] == ["n1"]
    assert [note.id for note in await store.notes.search(words.replace(" ", "")[:500])] == []

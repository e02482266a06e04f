"""Saved pages, over every store."""

import asyncio

import pytest
from tests.store.samples import make_page, make_run

from leadline.errors import NotFound, UsageError
from leadline.records import Visit
from leadline.store import Store


async def test_a_page_is_loaded_as_it_was_saved_first(store: Store) -> None:
    page = make_page("p1")
    await store.snapshots("r1").save(page)
    await store.snapshots("r1").save(page.model_copy(update={"text": "other"}))
    assert await store.snapshots("r1").load("p1") == page
    assert await store.snapshots("r2").load("p1") == page


async def test_two_processes_save_the_same_pages_in_any_order(peers: tuple[Store, Store]) -> None:
    one, other = (store.snapshots(f"r{number}") for number, store in enumerate(peers))
    pages = [make_page(f"p{number}") for number in range(60)]
    await asyncio.gather(*(one.save(page) for page in pages), *(other.save(page) for page in reversed(pages)))
    assert [await one.load(page.id) for page in pages] == pages


async def test_a_page_survives_that_one_run_saves_while_another_is_deleted(peers: tuple[Store, Store]) -> None:
    one, other = peers
    for number in range(20):
        await one.runs.save(make_run("old"))
        await one.snapshots("old").save(make_page(f"p{number}"))
        await asyncio.gather(one.runs.delete("old"), other.snapshots("new").save(make_page(f"p{number}")))
        assert await one.snapshots("new").load(f"p{number}") == make_page(f"p{number}")


@pytest.mark.parametrize("name", ["p1", "", "../p1", "p\x00"])
async def test_a_page_that_was_not_saved_is_not_found(store: Store, name: str) -> None:
    with pytest.raises(NotFound, match="No saved page"):
        await store.snapshots("r1").load(name)


async def test_a_page_without_a_proper_hash_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="cannot be the id of a page"):
        await store.snapshots("r1").save(make_page("../p"))


async def test_a_visit_is_found_by_address_as_long_as_its_page_is_kept(store: Store) -> None:
    await store.runs.save(make_run("r1"))
    snapshots = store.snapshots("r1")
    visit = Visit(address="e.com/a", page="p1", final="https://e.com/a", etag='"1"')
    await snapshots.save(make_page("p1"), visit)
    await snapshots.save(make_page("p2"), visit.model_copy(update={"page": "p2", "etag": '"2"'}))
    found = await store.snapshots("r2").find_visit("e.com/a")
    assert found == visit.model_copy(update={"page": "p2", "etag": '"2"'})
    assert await snapshots.find_visit("e.com/b") is None
    await store.runs.delete("r1")
    assert await snapshots.find_visit("e.com/a") is None

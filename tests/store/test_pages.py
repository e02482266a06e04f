"""Saved pages, over every store."""

import pytest
from tests.store.samples import make_page

from leadline.errors import NotFound, UsageError
from leadline.store import Store


async def test_a_page_is_loaded_as_it_was_saved_first(store: Store) -> None:
    page = make_page("p1")
    await store.snapshots("r1").save(page)
    await store.snapshots("r1").save(page.model_copy(update={"text": "other"}))
    assert await store.snapshots("r1").load("p1") == page
    assert await store.snapshots("r2").load("p1") == page


@pytest.mark.parametrize("name", ["p1", "", "../p1", "p\x00"])
async def test_a_page_that_was_not_saved_is_not_found(store: Store, name: str) -> None:
    with pytest.raises(NotFound, match="No saved page"):
        await store.snapshots("r1").load(name)


async def test_a_page_without_a_proper_hash_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="cannot be the id of a page"):
        await store.snapshots("r1").save(make_page("../p"))

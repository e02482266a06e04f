"""Fetchers and readers over sites of our own."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest
from tests.web import Internet, Site

from leadline.network import Gate, open_client
from leadline.reading import Fetcher, ReadingLimits, WebReader
from leadline.store import Store, open_store

Make = Callable[..., Fetcher]


@pytest.fixture
async def canary() -> AsyncIterator[Site]:
    """Yield a listener that nothing may ever connect to; when it was, the test fails."""
    async with Site() as site:
        yield site
        assert site.opened == 0


@pytest.fixture
async def make_fetcher() -> AsyncIterator[Make]:
    """Return what makes a fetcher that may read the given sites, over the given internet."""
    async with AsyncExitStack() as stack:

        def make(*own: Site, internet: Internet | None = None, offline: bool = False, **limits: float) -> Fetcher:
            places = [site.place for site in own]
            gate = Gate(places, offline, internet.resolve) if internet else Gate(places, offline)
            client = open_client(gate, dial=internet)
            stack.push_async_callback(client.aclose)
            fetcher = Fetcher(client, ReadingLimits(**limits))  # type: ignore[arg-type]
            stack.push_async_callback(fetcher.close)
            return fetcher

        yield make


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    async with await open_store(None) as opened:
        yield opened


@pytest.fixture
def make_reader(make_fetcher: Make, store: Store) -> Callable[..., WebReader]:
    """Return what makes a reader as `make_fetcher` makes fetchers, over one store."""
    return lambda *own, **more: WebReader(make_fetcher(*own, **more), store.snapshots("r1"))

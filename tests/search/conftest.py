"""Backends over services of our own on loopback."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest
from pydantic import JsonValue
from tests.web import Answer, Site

from leadline.network import Gate, open_client
from leadline.ports import SearchBackend
from leadline.search import Provider, Setup

Open = Callable[..., SearchBackend]

KEY = "sk-test-ABC123"


@pytest.fixture
async def open_backend() -> AsyncIterator[Open]:
    """Return what opens the backend of a provider over a site."""
    async with AsyncExitStack() as stack:

        def make(provider: Provider, site: Site, path: str = "/", offline: bool = False) -> SearchBackend:
            gate = Gate([site.place], offline)
            client = open_client(gate)
            stack.push_async_callback(client.aclose)
            return provider.open(Setup(client=client, check=gate.check_url, key=KEY, url=site.url(path)))

        yield make


def as_json(value: JsonValue, status: int = 200) -> Answer:
    return Answer(json.dumps(value).encode(), status, {"Content-Type": "application/json"})

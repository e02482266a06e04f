"""OpenSearch and Elasticsearch: a library beyond one machine, in an index of its own.

https://docs.opensearch.org/latest/api-reference/document-apis/bulk/; Elasticsearch answers to the same.
"""

import hashlib
import json
from collections.abc import AsyncIterable, Sequence

from pydantic import JsonValue, ValidationError

from leadline.errors import SearchFailed
from leadline.records import Hit, NotRead, Page, Query
from leadline.search.asking import Line, Reply
from leadline.search.items import pick, pick_items, pick_text
from leadline.search.provider import Provider, Setup

_TEXT: JsonValue = {"type": "text", "analyzer": "cjk", "fields": {"en": {"type": "text", "analyzer": "english"}}}
_MAPPINGS: JsonValue = {"dynamic": False, "properties": {"title": _TEXT, "text": _TEXT}}
_SEARCHED: JsonValue = ["text", "text.en", "title", "title.en"]

_THERE = "resource_already_exists_exception"
"""What engines answer with status 400 where the index is there."""

_BATCH = 4 * 1024 * 1024
"""Bytes from which on documents are sent; engines advise 5 to 15 MB a request."""


class OpenSearch:
    """An index of pages, `OPENSEARCH_URL=http://HOST:9200/INDEX`. It reads its own hits: the pages are in it."""

    name = "opensearch"

    def __init__(self, setup: Setup) -> None:
        self._url = setup.url.rstrip("/")
        self._line = Line(self.name, setup.client, "Check OPENSEARCH_API_KEY.")
        self._headers = {"Authorization": f"ApiKey {setup.key}"} if setup.key else {}

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return pages that hold words of the query, best first. Raises SearchFailed."""
        wanted: JsonValue = {"multi_match": {"query": query.text, "fields": _SEARCHED, "type": "most_fields"}}
        body: JsonValue = {"size": query.limit, "query": wanted, "_source": ["address", "title", "date"]}
        answer = (await self._ask("POST", "/_search", body=body)).read_json(self.name)
        hits = [
            Hit(backend=self.name, address=address, title=pick_text(item, "title"), date=pick_text(item, "date"))
            for item in (pick(found, "_source") for found in pick_items(answer, "hits", "hits"))
            if (address := pick_text(item, "address"))
        ]
        return hits[: query.limit]

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return the page of a hit as it was pushed."""
        try:
            answer = (await self._ask("GET", f"/_doc/{_name(hit.address)}")).read_json(self.name)
            return Page.model_validate_json(json.dumps(pick(answer, "_source")))
        except SearchFailed as failure:
            return NotRead(address=hit.address, reason=str(failure))
        except ValidationError:
            return NotRead(address=hit.address, reason="the index holds something else than `leadline library push` writes")

    async def push(self, pages: AsyncIterable[Page]) -> int:
        """Write pages into the index, which is made if it is not there, and return how many; one of the same address goes.

        Raises:
            SearchFailed: the engine did not take them.
        """
        made = (await self._ask("PUT", "", body={"mappings": _MAPPINGS}, accept=(200, 400))).read_json(self.name)
        if (kind := pick_text(made, "error", "type")) and kind != _THERE:
            reason = pick_text(made, "error", "reason") or kind
            raise SearchFailed("refused", f"opensearch did not make the index: {reason[:200]}")
        count, batch = 0, b""
        async for page in pages:
            count += 1
            lines = ({"index": {"_id": _name(page.address)}}, page.model_dump(mode="json"))
            batch += b"".join(json.dumps(line).encode() + b"\n" for line in lines)
            if len(batch) >= _BATCH:
                await self._send(batch)
                batch = b""
        await self._send(batch)
        return count

    async def _send(self, batch: bytes) -> None:
        if not batch:
            return
        answer = (await self._ask("POST", "/_bulk?refresh=true", content=batch)).read_json(self.name)
        for item in pick_items(answer, "items"):
            if reason := pick_text(item, "index", "error", "reason"):
                raise SearchFailed("refused", f"opensearch did not take a document: {reason[:200]}")

    async def _ask(
        self, method: str, path: str, body: JsonValue = None, content: bytes | None = None, accept: Sequence[int] = (200,)
    ) -> Reply:
        headers = self._headers | ({"Content-Type": "application/x-ndjson"} if content else {})
        return await self._line.ask(method, self._url + path, body=body, content=content, headers=headers, accept=accept)


def _name(address: str) -> str:
    """Return the id of a page in the index: engines take at most 512 bytes."""
    return hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest()


provider = Provider("opensearch", OpenSearch, key="optional", longest=1000)

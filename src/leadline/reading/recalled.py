"""Reads that a run has made are not made again: a resumed run meets its own pages."""

import hashlib

from pydantic import JsonValue

from leadline.grounding.address import address_key
from leadline.ports import Journal, Reader, Snapshots
from leadline.records import Hit, NotRead, Page


class RecalledReader:
    """A reader whose answers are recorded in a run's journal. One page under many addresses is read once in a run."""

    def __init__(self, reader: Reader, journal: Journal, snapshots: Snapshots) -> None:
        self._reader = reader
        self._journal = journal
        self._snapshots = snapshots

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return what the reader within answers, or what it has answered before in this run."""

        async def call() -> JsonValue:
            answer = await self._reader.read(hit)
            if isinstance(answer, NotRead):
                return {"not_read": answer.model_dump(mode="json")}
            head: JsonValue = answer.model_dump(mode="json", exclude={"text"})
            return {"page": head}

        mark = hashlib.sha256(address_key(hit.address).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        answer = await self._journal.once(f"read:{hit.attempt}:{mark}", "read", call)
        assert isinstance(answer, dict)
        if "not_read" in answer:
            return NotRead.model_validate(answer["not_read"])
        head = answer["page"]
        assert isinstance(head, dict)
        saved = await self._snapshots.load(str(head["id"]))
        return Page.model_validate({**head, "text": saved.text}, strict=False)

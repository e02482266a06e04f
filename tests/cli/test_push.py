"""A library in an engine: pushed there, searched and read there, over HTTP against what the engines' documentation says."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web import Answer, Asked, Site, served

Run = Callable[..., Any]

VACUUM = "# Vacuuming\n\nVACUUM reclaims the space of dead rows. VACUUM FULL rewrites the whole table without its dead rows.\n"
OTHER = "# Replication\n\nA standby server replays the log of the primary server.\n"


class Engine(Site):
    """An index as OpenSearch and Elasticsearch keep it; a search finds documents by the first word of the query."""

    def __init__(self) -> None:
        super().__init__()
        self.documents: dict[str, dict[str, str]] = {}
        self.mappings: list[object] = []
        self.routes = {"/manual": self._make, "/manual/_bulk": self._fill, "/manual/_search": self._search}

    def _make(self, asked: Asked) -> Answer:
        self.mappings.append(json.loads(asked.body))
        return _json({"error": {"type": "resource_already_exists_exception"}}, 400 if len(self.mappings) > 1 else 200)

    def _fill(self, asked: Asked) -> Answer:
        assert asked.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in asked.body.splitlines()]
        for told, document in zip(lines[::2], lines[1::2], strict=True):
            name = told["index"]["_id"]
            self.documents[name] = document
            self.routes[f"/manual/_doc/{name}"] = _json({"_id": name, "found": True, "_source": document})
        return _json({"errors": False, "items": [{"index": {"status": 201}}]})

    def _search(self, asked: Asked) -> Answer:
        word = json.loads(asked.body)["query"]["multi_match"]["query"].split()[-1].strip("?")
        found = [document for document in self.documents.values() if word in document["text"]]
        return _json({"hits": {"hits": [{"_source": {name: one[name] for name in ("address", "title")}} for one in found]}})


def _json(value: object, status: int = 200) -> Answer:
    return Answer(json.dumps(value).encode(), status, {"Content-Type": "application/json"})


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    site = Engine()
    with served(site):
        monkeypatch.setenv("OPENSEARCH_URL", site.url("/manual"))
        yield site


@pytest.fixture
def manual(leadline: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "vacuum.md").write_text(VACUUM, encoding="utf-8")
    (folder / "replication.md").write_text(OTHER, encoding="utf-8")
    assert leadline("library", "add", "manual", str(folder)).status == 0
    return folder


def test_what_was_pushed_is_found_and_cited(leadline: Run, engine: Engine, manual: Path) -> None:
    for _ in range(2):
        done = leadline("library", "push", "manual")
        assert (done.status, done.out) == (0, "@manual: 2 documents in the index. Ask it with --search opensearch\n"), done.err
    assert len(engine.documents) == 2, "pushing again replaces"
    done = leadline("research", "How does VACUUM treat dead rows?", "--search", "opensearch", "--offline")
    assert done.status == 0, done.err
    assert "VACUUM reclaims the space of dead rows [1]." in done.out
    assert "vacuum.md" in done.out.split("## References")[1]


def test_what_the_engine_refuses_is_told(leadline: Run, engine: Engine, manual: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.routes["/manual/_bulk"] = _json({"errors": True, "items": [{"index": {"error": {"reason": "the disk is full"}}}]})
    done = leadline("library", "push", "manual")
    assert (done.status, "the disk is full" in done.err) == (1, True), done.err
    engine.routes["/manual"] = _json({"error": {"type": "invalid_index_name_exception", "reason": "must be lowercase"}}, 400)
    done = leadline("library", "push", "manual")
    assert (done.status, "did not make the index: must be lowercase" in done.err) == (1, True), done.err
    monkeypatch.delenv("OPENSEARCH_URL")
    done = leadline("library", "push", "manual")
    assert (done.status, "OPENSEARCH_URL=http" in done.err) == (2, True), done.err

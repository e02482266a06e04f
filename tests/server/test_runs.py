"""The journey of a run over HTTP: asked for, followed, read, steered, deleted."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
from tests.server.conftest import TODOS, begin, finish, follow, question

from leadline.api import make_request
from leadline.desk import open_desk
from leadline.exports.formats import FORMATS
from leadline.server import bodies
from leadline.settings import load_settings
from leadline.wiring import name_run


async def test_a_run_is_begun_followed_and_read(client: httpx.AsyncClient) -> None:
    response = await client.post("/api/v1/runs", json=question())
    assert response.status_code == 202
    run = response.json()
    assert response.headers["location"] == f"/api/v1/runs/{run['id']}"
    assert run["sources"] == ["@manual"]
    events = await follow(client, run["id"])
    assert [number for number, _ in events] == list(range(1, len(events) + 1))
    assert events[-1][1] == {"type": "done", "status": "complete"}
    ended = (await client.get(f"/api/v1/runs/{run['id']}")).json()
    assert ended["state"] == "complete"
    assert [(todo["title"], todo["status"]) for todo in ended["todos"]] == [(t["title"], "completed") for t in TODOS]
    assert ended["events"] == len(events)
    listed = (await client.get("/api/v1/runs")).json()
    assert [item["id"] for item in listed["items"]] == [run["id"]]
    assert listed["next"] is None


async def test_a_report_is_sent_under_its_name(client: httpx.AsyncClient) -> None:
    run = await finish(client, topic="死行如何回收? VACUUM", language="zh")
    markdown = await client.get(f"/api/v1/runs/{run['id']}/report")
    assert markdown.text.startswith("# 死行如何回收")
    assert markdown.headers["content-type"].startswith("text/markdown")
    name = markdown.headers["content-disposition"]
    assert "filename*=UTF-8''%E6%AD%BB%E8%A1%8C" in name
    assert name.isascii()
    as_json = await client.get(f"/api/v1/runs/{run['id']}/report", params={"format": "json"})
    assert as_json.json()["run"] == run["id"]
    offered = (await client.get("/api/v1/config")).json()["formats"]
    assert sorted(f".{name}" for name in offered) == sorted(known.suffix for known in FORMATS)
    for name in offered:
        made = await client.get(f"/api/v1/runs/{run['id']}/report", params={"format": name})
        assert made.status_code == 200, name
        assert made.headers["content-disposition"].startswith("attachment;")
        assert made.content


async def test_a_point_shows_its_quote_in_its_page(client: httpx.AsyncClient) -> None:
    run = await finish(client)
    report = (await client.get(f"/api/v1/runs/{run['id']}/report", params={"format": "json"})).json()
    point = report["points"][0]
    shown = (await client.get(f"/api/v1/runs/{run['id']}/points/{point['id']}")).json()
    assert shown["text"] == point["text"]
    excerpt = shown["evidence"][0]
    assert excerpt["verdict"] == "verbatim"
    assert excerpt["address"] == point["evidence"][0]["address"]
    assert excerpt["before"].startswith("# ")
    assert excerpt["quote"]
    assert (await client.get(f"/api/v1/runs/{run['id']}/points/nothing")).status_code == 404


async def test_a_stream_goes_on_after_any_event_and_says_when_nothing_follows(client: httpx.AsyncClient) -> None:
    run = await finish(client)
    whole = await follow(client, run["id"])
    assert await follow(client, run["id"], after=5) == whole[5:]
    assert await follow(client, run["id"], headers={"Last-Event-ID": "7"}) == whole[7:]
    async with client.stream("GET", f"/api/v1/runs/{run['id']}/events") as response:
        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["x-accel-buffering"] == "no"
    over = await client.get(f"/api/v1/runs/{run['id']}/events", params={"after": len(whole)})
    assert over.status_code == 204


async def test_the_same_key_begins_one_run(client: httpx.AsyncClient) -> None:
    headers = {"Idempotency-Key": "a double click"}

    async def click() -> Any:
        return await client.post("/api/v1/runs", json=question(), headers=headers)

    first, second = await asyncio.gather(click(), click())
    assert first.status_code == second.status_code == 202
    assert first.json()["id"] == second.json()["id"]
    assert (await click()).json()["id"] == first.json()["id"]
    assert len((await client.get("/api/v1/runs")).json()["items"]) == 1
    other = await client.post("/api/v1/runs", json=question(topic="Another question"), headers=headers)
    assert other.status_code == 409
    assert (await client.post("/api/v1/runs", json=question(), headers={"Idempotency-Key": "b"})).json()["id"] != first.json()[
        "id"
    ]


async def test_a_run_that_was_saved_and_never_begun_is_begun_by_the_next_click(client: httpx.AsyncClient) -> None:
    body, key = question(), "a click that met its end"
    async with open_desk(load_settings()) as desk:
        await desk.take(bodies.make_request(bodies.NewRun(**body), None), name_run(f"\n{key}"))
    run = await client.post("/api/v1/runs", json=body, headers={"Idempotency-Key": key})
    assert run.status_code == 202, run.text
    assert (await follow(client, run.json()["id"]))[-1][1]["status"] == "complete"


async def test_a_plan_waits_for_approval_and_can_be_edited_meanwhile(client: httpx.AsyncClient) -> None:
    run = (await begin(client, review_plan=True))["id"]
    following = asyncio.create_task(follow(client, run))
    while not (shown := (await client.get(f"/api/v1/runs/{run}")).json())["todos"]:
        await asyncio.sleep(0.05)
    assert not shown["approved"]
    assert {todo["status"] for todo in shown["todos"]} == {"pending"}
    todos = [{"id": 2, **TODOS[1]}, {"title": "Bloat"}]
    edited = await client.put(f"/api/v1/runs/{run}/plan", json={"todos": todos, "revision": shown["revision"]})
    assert edited.status_code == 202, edited.text
    assert [(t["id"], t["title"], t["query"]) for t in edited.json()["todos"]] == [
        (2, "Freezing", "freezing transaction ids"),
        (3, "Bloat", "Bloat"),
    ]
    assert not edited.json()["approved"]
    assert (await client.post(f"/api/v1/runs/{run}/approve", json={})).status_code == 202
    events = [event for _, event in await following]
    approved = next(n for n, event in enumerate(events) if event["type"] == "plan" and event["approved"])
    assert not [event for event in events[:approved] if event["type"] == "status" and "Searching" in event["message"]]
    assert events[-1]["status"] == "complete"
    assert [t["title"] for t in (await client.get(f"/api/v1/runs/{run}")).json()["todos"]] == ["Freezing", "Bloat"]
    assert (await client.post(f"/api/v1/runs/{run}/approve", json={})).status_code == 409


async def test_a_run_that_waits_for_approval_is_cancelled_and_resumed(client: httpx.AsyncClient) -> None:
    run = (await begin(client, review_plan=True))["id"]
    cancelled = await client.post(f"/api/v1/runs/{run}/cancel", json={})
    assert cancelled.status_code == 200, cancelled.text
    assert cancelled.json()["state"] == "cancelled"
    assert (await client.post(f"/api/v1/runs/{run}/cancel", json={})).status_code == 409
    assert (await client.post(f"/api/v1/runs/{run}/resume", json={})).status_code == 202
    assert (await client.post(f"/api/v1/runs/{run}/approve", json={})).status_code in (202, 409)


async def test_an_edit_after_the_end_does_only_what_is_new(client: httpx.AsyncClient) -> None:
    run = await finish(client)
    last, revision = run["events"], run["revision"]
    todos = [{key: todo[key] for key in ("id", "title", "intent", "query", "skip")} for todo in run["todos"]]
    body = {"todos": [{"title": "Bloat", "query": "bloat space"}, *todos], "revision": revision}
    edited = await client.put(f"/api/v1/runs/{run['id']}/plan", json=body)
    assert edited.status_code == 202, edited.text
    events = [event for _, event in await follow(client, run["id"], after=last)]
    started = [e["task"]["title"] for e in events if e["type"] == "task" and e["task"]["status"] == "in_progress"]
    assert started == ["Bloat"]
    stale = await client.put(f"/api/v1/runs/{run['id']}/plan", json=body)
    assert stale.status_code == 409
    twice = await client.put(f"/api/v1/runs/{run['id']}/plan", json={"todos": [todos[0], todos[0]]})
    assert twice.status_code == 409


async def test_todos_are_done_again_and_sources_read_again(client: httpx.AsyncClient) -> None:
    run = await finish(client)
    last = run["events"]
    assert (await client.post(f"/api/v1/runs/{run['id']}/retry", json={})).status_code == 409
    assert (await client.post(f"/api/v1/runs/{run['id']}/retry", json={"todos": [99]})).status_code == 404
    again = await client.post(f"/api/v1/runs/{run['id']}/retry", json={"todos": [1]})
    assert again.status_code == 202, again.text
    events = [event for _, event in await follow(client, run["id"], after=last)]
    assert [e["task"]["id"] for e in events if e["type"] == "task" and e["task"]["status"] == "in_progress"] == [1]
    unchanged = await client.post(f"/api/v1/runs/{run['id']}/refresh", json={})
    assert (unchanged.status_code, unchanged.json()["state"]) == (202, "complete")


async def test_a_run_is_deleted(client: httpx.AsyncClient) -> None:
    run = (await begin(client, review_plan=True))["id"]
    assert (await client.delete(f"/api/v1/runs/{run}")).status_code == 409
    await client.post(f"/api/v1/runs/{run}/cancel", json={})
    gone = await client.delete(f"/api/v1/runs/{run}")
    assert (gone.status_code, gone.content) == (204, b"")
    assert (await client.get(f"/api/v1/runs/{run}")).status_code == 404


async def test_runs_are_listed_in_portions(client: httpx.AsyncClient) -> None:
    made = [(await begin(client, topic=f"Question {n}?"))["id"] for n in range(3)]
    first = (await client.get("/api/v1/runs", params={"limit": 2})).json()
    assert [item["id"] for item in first["items"]] == made[:0:-1]
    rest = (await client.get("/api/v1/runs", params={"limit": 2, "before": first["next"]})).json()
    assert [item["id"] for item in rest["items"]] == made[:1]


async def test_a_question_that_follows_keeps_the_sources(client: httpx.AsyncClient, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Rows\n\nVACUUM reclaims dead rows.\n", encoding="utf-8")
    async with open_desk(load_settings()) as desk:
        first = await desk.take(make_request("How?", sources=[tmp_path / "a.md"]))
    followed = await client.post("/api/v1/runs", json={"topic": "What reclaims dead rows?", "follows": first.id})
    assert followed.status_code == 202, followed.text
    assert followed.json()["sources"] == ["a.md"]
    assert str(tmp_path) not in followed.text
    assert (await client.post("/api/v1/runs", json=question(follows="nothing"))).status_code == 404


async def test_a_source_is_a_name_and_never_a_path(client: httpx.AsyncClient) -> None:
    for source in ("/etc", "../manual", "file:///etc/passwd", "run:abc", "http://127.0.0.1/", "@manual/..", "~"):
        refused = await client.post("/api/v1/runs", json=question(sources=[source]))
        assert refused.status_code == 422, source
        assert refused.json()["error"]["fields"][0]["name"] == "body.sources.0"
    unknown = await client.post("/api/v1/runs", json=question(sources=["unknown"]))
    assert (unknown.status_code, "known: @manual" in unknown.json()["error"]["message"]) == (409, True)
    model = await client.post("/api/v1/runs", json=question(model="ollama:other"))
    assert (model.status_code, "'ollama:other'" in model.json()["error"]["message"]) == (409, True)
    for search in ("unknown", "tavily"):
        refused = await client.post("/api/v1/runs", json=question(sources=[], search=[search]))
        assert refused.status_code == 409
        assert repr(search) in refused.json()["error"]["message"]
    assert (await client.get("/api/v1/runs")).json()["items"] == []

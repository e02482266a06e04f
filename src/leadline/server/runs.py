"""Runs over HTTP: asked for, listed, read, followed and deleted."""

import asyncio
import datetime as dt
import weakref
from importlib import import_module
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from leadline.errors import NotFound, UsageError
from leadline.pipeline.plan import check_todos
from leadline.records import Request, Run
from leadline.server.answers import PointEvidence, RunList, RunState, describe, find_evidence, head, list_models
from leadline.server.bodies import NewRun, make_request
from leadline.server.place import AskedRun, Here, House, User
from leadline.standing import judge
from leadline.wiring import name_run, settle_models

router = APIRouter(tags=["runs"])

_beginning: "weakref.WeakValueDictionary[str, asyncio.Lock]" = weakref.WeakValueDictionary()
"""By id: runs that are being begun, so that a double click makes one."""


_EVENT = {
    "type": "object",
    "required": ["id", "data"],
    "properties": {
        "id": {"type": "string", "description": "Its number, from 1 without gaps."},
        "data": {"type": "string", "contentMediaType": "application/json", "description": "See docs/events.md."},
    },
}


def _check_moment(text: object) -> object:
    if isinstance(text, str) and "T" not in text.upper():
        raise ValueError("is no moment; give one like 2026-05-04T03:02:01Z")
    return text


Key = Annotated[str, Field(min_length=1, max_length=200)]
Seq = Annotated[int, Field(ge=0, le=2**31)]
Moment = Annotated[dt.datetime, BeforeValidator(_check_moment)]


@router.post("/runs", status_code=202)
async def begin_run(
    here: Here,
    user: User,
    body: NewRun,
    response: Response,
    idempotency_key: Annotated[
        Key | SkipJsonSchema[None], Header(description="The same key and body begin one run, however often they come.")
    ] = None,
) -> RunState:
    """Begin a run. It is in work, or waits for its turn, when this answers."""
    followed = await here.desk.store.runs.load(body.follows) if body.follows else None
    if body.model and body.model not in list_models(here.desk.settings):
        raise UsageError(f"{body.model!r} is none of the models of this server: {', '.join(list_models(here.desk.settings))}.")
    request = settle_models(make_request(body, followed.request if followed else None), here.desk.settings)
    if request.plan:
        check_todos(request.plan.todos)
    run = await _begin(here, request, user, idempotency_key)
    response.headers["location"] = f"{here.access.root_path}/api/v1/runs/{run.id}"
    return await describe(here.desk, run)


async def _begin(here: House, request: Request, user: str, key: str | None) -> Run:
    if key is None:
        return await here.desk.begin(request, owner=user)
    name = name_run(f"{user}\n{key}")
    async with _beginning.setdefault(name, asyncio.Lock()):
        try:
            known = await here.desk.store.runs.load(name)
        except NotFound:
            return await here.desk.begin(request, name, user)
    if known.request != request:
        raise UsageError(f"The Idempotency-Key {key!r} has begun run {known.id}, which is another one; use a new key.")
    if known.status == "running":
        await here.desk.submit(known)  # whoever began it may have died before that
    return known


@router.get("/runs")
async def list_runs(
    here: Here,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: Annotated[Moment | SkipJsonSchema[None], Query()] = None,
) -> RunList:
    """List runs, newest first."""
    runs = await here.desk.store.runs.list(limit, before)
    states = await here.desk.states([run for run in runs if run.status == "running"])
    items = [head(run, judge(run, states.get(run.id))) for run in runs]
    return RunList(items=items, next=runs[-1].created if len(runs) == limit else None)


@router.get("/runs/{run}")
async def show_run(here: Here, run: AskedRun) -> RunState:
    """Show where a run stands."""
    return await describe(here.desk, run)


@router.delete("/runs/{run}", status_code=204)
async def delete_run(here: Here, run: AskedRun) -> None:
    """Delete a run that has ended, with its notes and the saved pages that no other run uses."""
    await here.desk.delete(run)


Suffix = Literal["md", "html", "pdf", "docx", "json", "csl.json", "bib", "zip"]
FORMATS: tuple[str, ...] = get_args(Suffix)


@router.get(
    "/runs/{run}/report",
    response_class=Response,
    responses={200: {"content": {"*/*": {}}, "description": "The report as a file."}},
)
async def show_report(here: Here, run: AskedRun, format: Suffix = "md") -> Response:
    """Return the report of a run as a file."""
    reports = await asyncio.to_thread(import_module, "leadline.server.reports")
    response: Response = await reports.send_report(here.desk.store, run, format)
    return response


@router.get(
    "/runs/{run}/events",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"text/event-stream": {"itemSchema": _EVENT}}, "description": "Server-Sent Events."},
        204: {"description": "The run has ended, and there is nothing after that event: do not come back."},
    },
)
async def follow_run(
    here: Here,
    run: AskedRun,
    after: Annotated[Seq, Query(description="The last event that is known.")] = 0,
    last_event_id: Annotated[
        Seq | SkipJsonSchema[None], Header(description="The same, as browsers send it; it goes first.")
    ] = None,
) -> Response:
    """Follow what a run does: the payloads of docs/events.md as data, their numbers as ids. Ends when the run has."""
    known = after if last_event_id is None else last_event_id
    if run.status != "running" and not await here.desk.store.runs.events(run.id, known):
        return Response(status_code=204)
    return StreamingResponse(
        here.feeds.follow(run.id, known, run.status == "running"),
        media_type="text/event-stream",
        headers={"cache-control": "no-cache", "x-accel-buffering": "no"},
    )


@router.get("/runs/{run}/points/{point}")
async def show_evidence(here: Here, run: AskedRun, point: str) -> PointEvidence:
    """Show what a point rests on: each quote in its saved page."""
    return await find_evidence(here.desk, run, point)

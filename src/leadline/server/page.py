"""The pages for people: each is a function of what the store holds, so that a page that is open asks for itself again."""

import functools
import hashlib
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from fastapi import APIRouter, Depends, Query, Request, Response
from jinja2 import ChoiceLoader, Environment, PackageLoader

from leadline.clock import SystemClock
from leadline.desk import Desk
from leadline.errors import NotFound
from leadline.pipeline.phrases import Phrases
from leadline.records import Run
from leadline.rendering import render_evidence, view_report
from leadline.rendering.html import environment
from leadline.server.about import show_configuration
from leadline.server.assets import TYPES, assets, digest
from leadline.server.bodies import MOST_TODOS
from leadline.server.libraries import list_libraries
from leadline.server.place import Here, House, User
from leadline.server.runs import Suffix
from leadline.server.timeline import KINDS, WIDTH, draw_timeline
from leadline.server.views import RunView, view_line, view_run
from leadline.server.wording import LANGUAGES, choose_language, page_words
from leadline.standing import Board, fold, judge

RECENT = 20
"""Runs that the first page lists."""

FILLED = ("count", "name", "names", "place", "title", "total")
"""Variables that scripts fill in."""

View = Literal["", "plan", "findings", "sources", "timeline"]

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Face:
    """How a page looks and speaks to one reader."""

    request: Request
    house: House
    user: str
    language: str

    @property
    def words(self) -> Phrases:
        """In the language of the reader."""
        return page_words(self.language)

    def say_raw(self, key: str) -> str:
        """Return a sentence with its variables left open, for a script to fill in."""
        return self.words.say(key, **{name: f"{{{name}}}" for name in FILLED})

    def show(self, template: str, status: int = 200, **values: Any) -> Response:
        """Return a page; nothing of it is sent when the browser has it already."""
        root = self.house.access.root_path
        html = (
            _templates()
            .get_template(template)
            .render(
                face=self,
                root=root,
                assets=f"{root}/static/{digest()}",
                say=self.words.say,
                raw=self.say_raw,
                count=self.words.count,
                languages=LANGUAGES,
                **values,
            )
        )
        body = html.encode("utf-8", "replace")
        mark = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        headers = {"etag": mark, "cache-control": "private, no-cache", "vary": "accept-language, cookie"}
        if self.request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers=headers)
        return Response(body, status, headers, "text/html; charset=utf-8")


@functools.cache
def _templates() -> Environment:
    own = PackageLoader(__package__)
    return environment().overlay(loader=ChoiceLoader([own, PackageLoader("leadline.rendering")]))


def _face(request: Request, here: Here, user: User) -> Face:
    return Face(request, here, user, choose_language(request.cookies, request.headers.get("accept-language", "")))


Reader = Annotated[Face, Depends(_face)]


@router.get("/")
async def show_home(face: Reader) -> Response:
    """Show where questions are asked, what would answer them, and what was asked before."""
    desk = face.house.desk
    runs = await desk.store.runs.list(RECENT)
    states = await desk.states([run for run in runs if run.status == "running"])
    config = await show_configuration(face.house, face.user)
    now = SystemClock().now()
    return face.show(
        "home.html",
        runs=[view_line(run, judge(run, states.get(run.id)), await _find_board(desk, run), now, face.words) for run in runs],
        config=config,
        backends=[backend.name for backend in config.search if backend.ready],
        web=config.web,
        most_todos=MOST_TODOS,
    )


@router.get("/runs/{run}")
async def show_run(face: Reader, run: str, view: Annotated[View, Query()] = "") -> Response:
    """Show a run: its plan, what it finds, and its report."""
    try:
        found = await face.house.desk.store.runs.load(run)
    except NotFound:
        return face.show("lost.html", 404, name=run)
    shown = await _view_as_it_stands(face, found, view == "findings")
    view = "" if view == "findings" and not shown.finished else view
    now = SystemClock().now()
    return face.show(
        "run.html",
        run=found,
        view=view or ("plan" if shown.state == "waiting" or (shown.live and not shown.groups) else ""),
        here=shown,
        drafted=view == "findings" or not shown.finished,
        timeline=draw_timeline(shown.calls, shown.plan) if view == "timeline" else None,
        width=WIDTH,
        kinds={kind: face.words.say(f"kind_{kind}") for kind in KINDS},
        elapsed=int(((found.ended or now) - found.created).total_seconds()),
        formats=get_args(Suffix),
    )


@router.get("/runs/{run}/evidence/{kind}/{anchor}")
async def show_evidence(face: Reader, run: str, kind: Literal["report", "findings"], anchor: str) -> Response:
    """Show what one citation of a report, or of the findings before it, rests on, as a part of its page."""
    found = await face.house.desk.store.runs.load(run)
    shown = await _view_as_it_stands(face, found, kind == "findings")
    exhibit = next((exhibit for exhibit in shown.report.exhibits if exhibit.anchor == anchor), None)
    if exhibit is None:
        raise NotFound(f"Run {found.id} has no evidence {anchor!r}.")
    page = await face.house.desk.store.snapshots(found.id).load(exhibit.evidence.page)
    again = view_report(shown.report.run, {page.id: page}, face.language)
    exhibit = next(exhibit for exhibit in again.exhibits if exhibit.anchor == anchor)
    return Response(render_evidence(again, exhibit).encode("utf-8", "replace"), media_type="text/html; charset=utf-8")


@router.get("/libraries")
async def show_libraries(face: Reader) -> Response:
    """Show the libraries, and take documents for new ones."""
    return face.show("libraries.html", libraries=(await list_libraries(face.house)).items)


@router.get("/login")
async def show_login(face: Reader) -> Response:
    """Ask for the token."""
    return face.show("login.html")


@router.get("/static/{mark}/{name}")
async def show_asset(mark: str, name: str) -> Response:
    """Send a part of the pages; under the address of this very state it may be kept for ever."""
    if name not in assets():
        raise NotFound(f"The pages have no part {name!r}.")
    kept = "public, max-age=31536000, immutable" if mark == digest() else "no-cache"
    return Response(assets()[name], headers={"cache-control": kept}, media_type=TYPES[name.rpartition(".")[2]])


async def _view_as_it_stands(face: Face, run: Run, drafted: bool) -> RunView:
    desk = face.house.desk
    standing = judge(run, await desk.state(run) if run.status == "running" else None)
    calls = await desk.store.runs.calls(run.id)
    return view_run(run, standing, await desk.store.runs.events(run.id), calls, face.words, drafted)


async def _find_board(desk: Desk, run: Run) -> Board:
    """Where a run stands; of one that has ended its record says enough."""
    return fold(await desk.store.runs.events(run.id)) if run.status == "running" else Board()

"""What the pages are made of, without a browser: languages, drafts, timelines."""

import datetime as dt
import re

import pytest
from tests.reports import NOW, make_sample
from tests.server.conftest import opened

from leadline.desk import Desk
from leadline.events import Call, Envelope, Event, PlanEvent, PointEvent, SourcesEvent
from leadline.records import Plan, Run, Source, Todo
from leadline.server.access import Access
from leadline.server.drafts import draft_report
from leadline.server.timeline import WIDTH, draw_timeline
from leadline.server.wording import choose_language, page_words
from leadline.standing import fold


@pytest.mark.parametrize(
    ("cookies", "accepted", "chosen"),
    [
        ({}, "", "en"),
        ({}, "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ({}, "de,en;q=0.7,zh;q=0.3", "en"),
        ({}, "fr-FR, zh-TW;q=0.2", "zh"),
        ({}, "zh;q=x,,;q=", "zh"),
        ({"leadline_language": "zh"}, "en", "zh"),
        ({"leadline_language": "../en"}, "zh", "zh"),
    ],
)
def test_the_language_is_chosen(cookies: dict[str, str], accepted: str, chosen: str) -> None:
    assert choose_language(cookies, accepted) == chosen


def test_both_languages_say_the_same_things() -> None:
    english, chinese = (page_words(language) for language in ("en", "zh"))
    assert english.say("approve") == "Approve and begin"
    assert chinese.say("approve") == "确认并开始"


def _tell(run: Run, plan: Plan) -> list[Envelope]:
    """The events of a run whose report is not written yet; the second todo speaks first."""
    assert run.report is not None
    pages = [reference.model_copy(update={"number": 0}) for reference in run.report.references]
    sections = list(zip(plan.todos, run.report.sections, strict=True))
    events: list[Event] = [PlanEvent(plan=plan), SourcesEvent(todo=1, sources=tuple(pages))]
    for todo, section in reversed(sections):
        for place, point in enumerate(section.points, 1):
            renamed = point.model_copy(update={"id": f"{todo.key}-{place}"})
            events.append(PointEvent(todo=todo.id, point=renamed))
    return [Envelope(run=run.id, seq=seq, event=event) for seq, event in enumerate(events, 1)]


def test_a_draft_holds_what_was_found_so_far_and_numbers_it_as_it_came() -> None:
    run, _ = make_sample()
    assert run.plan is not None
    envelopes = _tell(run, run.plan)
    report = draft_report(run, envelopes, fold(envelopes))
    assert [section.todo for section in report.sections] == list(run.plan.todos)
    assert all(section.points for section in report.sections)
    assert report.references[0].number == 1
    assert report.references[0].page == report.sections[-1].points[0].evidence[0].page
    assert report.tally.read == len({source.page for source in report.references})


def test_points_of_a_todo_that_was_changed_are_gone() -> None:
    run, _ = make_sample()
    assert run.plan is not None
    envelopes = _tell(run, run.plan)
    changed = Plan(revision=2, todos=(run.plan.todos[0], Todo(id=2, title="Another", query="another")))
    envelopes.append(Envelope(run=run.id, seq=len(envelopes) + 1, event=PlanEvent(plan=changed)))
    report = draft_report(run, envelopes, fold(envelopes))
    assert [len(section.points) for section in report.sections] == [1, 0]


def test_a_page_that_nobody_told_of_goes_by_its_id() -> None:
    run, _ = make_sample()
    assert run.plan is not None
    envelopes = [envelope for envelope in _tell(run, run.plan) if envelope.event.type != "sources"]
    first = draft_report(run, envelopes, fold(envelopes)).references[0]
    assert first == Source(page=first.page, address=first.page, number=1)


def _call(key: str, kind: str, end: float, seconds: float) -> Call:
    return Call(key=key, kind=kind, ended=NOW + dt.timedelta(seconds=end), seconds=seconds)


def test_a_timeline_leaves_pauses_out() -> None:
    plan = Plan(todos=(Todo(id=1, title="One", query="one"), Todo(id=2, title="Two", query="two")))
    one, two = (todo.key for todo in plan.todos)
    calls = [
        _call("plan", "plan", 1, 1),
        _call("call:1", "reserve", 1, 0),
        _call(f"search:{one}", "search", 2, 1),
        _call(f"todo:{one}:6", "todo", 4, 3),
        _call(f"search:{two}", "search", 86_404, 1),
    ]
    timeline = draw_timeline(calls, plan)
    assert [track.title for track in timeline.tracks] == ["", "One", "Two"]
    assert timeline.seconds == pytest.approx(5)
    assert [bar.kind for bar in timeline.tracks[1].bars] == ["todo", "search"]
    late = timeline.tracks[2].bars
    assert [bar.kind for bar in late] == ["todo", "search"]  # the first because it has not ended
    assert [late[1].x, late[1].width] == pytest.approx([WIDTH * 4 / 5, WIDTH / 5])


def test_a_run_without_work_has_no_timeline() -> None:
    assert draw_timeline([], Plan(todos=())).tracks == ()


async def test_behind_a_path_all_links_begin_with_it(desk: Desk) -> None:
    run, pages = make_sample()
    await desk.store.runs.save(run)
    for page in pages.values():
        await desk.store.snapshots(run.id).save(page)
    async with opened(desk, Access(root_path="/lead")) as client:
        for path in ("/", f"/runs/{run.id}", f"/runs/{run.id}?view=sources", "/libraries", "/login", "/runs/nothing"):
            answer = await client.get(f"/lead{path}")
            links = re.findall(r'(?:href|src|data-from|data-root)="(/[^"]*)"', answer.text)
            assert links, path
            assert [link for link in links if not f"{link}/".startswith("/lead/")] == []
        evidence = await client.get(f"/lead/runs/{run.id}/evidence/report/e1-1-1")
        assert "<mark>VACUUM makes the space" in evidence.text
        assert (await client.get(f"/lead/runs/{run.id}/evidence/report/e9-9-9")).status_code == 404


async def test_who_has_no_token_is_led_to_the_page_that_asks_for_it(desk: Desk) -> None:
    async with opened(desk, Access(token="a long secret")) as client:
        answer = await client.get("/", headers={"accept": "text/html"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=/")
        deep = await client.get("/runs/k3v9x2mq?view=sources", headers={"accept": "text/html"})
        assert deep.headers["location"] == "/login?next=/runs/k3v9x2mq%3Fview%3Dsources"
        login = await client.get("/login", headers={"accept": "text/html"})
        assert 'type="password"' in login.text
        for part in re.findall(r'(?:href|src)="(/static/[^"]+)"', login.text):
            assert (await client.get(part)).status_code == 200

"""A report of 40 points in a store, and what a browser loads to show it."""

import datetime as dt
import hashlib
import re
import time
from collections.abc import Iterator
from urllib.parse import urljoin

import httpx

from leadline.desk import Desk
from leadline.events import DoneEvent, Event, PlanEvent, PointEvent, ReportEvent, Task, TaskEvent
from leadline.records import Evidence, Page, Plan, Point, Report, Request, Run, Section, Source, Tally, Todo
from leadline.wiring import make_run

SECTIONS, POINTS = 5, 8
SOURCES = 20
"""Pages of about 6 KB, each cited by two points."""

_ASSET = re.compile(r'(?:<link[^>]+href|<script[^>]+src|<img[^>]+src)="([^"]+)"')
_IMPORT = re.compile(r'(?:\bfrom|\bimport)\s*\(?"(\.[^"]+)"')


def make_page(number: int) -> Page:
    """Return a page that says what two points say."""
    said = "\n\n".join(f"Sentence {n} of page {number} says that table {n} holds {n * number} dead rows." for n in range(80))
    text = f"# Page {number}\n\n{said}\n"
    mark = hashlib.sha256(text.encode()).hexdigest()
    return Page(id=mark, address=f"https://docs.example/{number}", text=text, title=f"Page {number}", language="en")


def make_point(page: Page, todo: Todo, number: int) -> Point:
    """Return a point that stands on a page word for word."""
    quote = page.text.split("\n\n")[number + 1]
    start = page.text.index(quote)
    evidence = Evidence(
        page=page.id, start=start, end=start + len(quote), quote=quote, verdict="verbatim", method="exact", score=1.0
    )
    return Point(id=f"{todo.key}-{number + 1}", text=quote, evidence=(evidence,), score=1.0)


def make_report(run: Run, pages: list[Page]) -> Report:
    """Return the report of a run over some pages."""
    todos = [Todo(id=n, title=f"Tables of part {n}", query=f"dead rows part {n}") for n in range(1, SECTIONS + 1)]
    sections = [
        Section(
            todo=todo,
            status="completed",
            points=tuple(make_point(pages[(todo.id * POINTS + n) % SOURCES], todo, n) for n in range(POINTS)),
        )
        for todo in todos
    ]
    references = [Source(page=p.id, address=p.address, title=p.title, number=n) for n, p in enumerate(pages, 1)]
    return Report(
        title=run.topic.text,
        language="en",
        date=run.topic.today,
        analyst="extractive",
        origin="docs.example",
        overview=(),
        sections=tuple(sections),
        summary=(),
        references=tuple(references),
        tally=Tally(verbatim=SECTIONS * POINTS, read=SOURCES),
    )


def tell(report: Report) -> Iterator[Event]:
    """Yield what a run says that ends with a report."""
    yield PlanEvent(plan=Plan(todos=tuple(section.todo for section in report.sections)))
    for section in report.sections:
        yield from (PointEvent(todo=section.todo.id, point=point) for point in section.points)
        yield TaskEvent(task=Task(id=section.todo.id, title=section.todo.title, status="completed"))
    yield ReportEvent(report=report)
    yield DoneEvent(status="complete")


async def save_report(desk: Desk) -> str:
    """Save a run with a report of 40 points, and return its id."""
    run = make_run(Request(topic="How many dead rows do the tables hold?"))
    pages = [make_page(number) for number in range(SOURCES)]
    report = make_report(run, pages)
    plan = Plan(todos=tuple(section.todo for section in report.sections))
    ended = run.created + dt.timedelta(seconds=9)
    await desk.store.runs.save(run.model_copy(update={"status": "complete", "ended": ended, "plan": plan, "report": report}))
    for page in pages:
        await desk.store.snapshots(run.id).save(page)
    for number, event in enumerate(tell(report)):
        await desk.store.journal(run.id).emit(event, f"event:{number}")
    return run.id


def measure_page(address: str, tries: int) -> tuple[float, float]:
    """Return the milliseconds from asking for a page to its last byte, of some tries the best, and the KB of all it loads."""
    with httpx.Client() as client:
        times = []
        for _ in range(tries):
            began = time.perf_counter()
            page = client.get(address).raise_for_status()
            times.append((time.perf_counter() - began) * 1000)
        loaded = {address: len(page.content)}
        wanted = [urljoin(address, found) for found in _ASSET.findall(page.text)]
        while wanted:
            asset = wanted.pop()
            if asset not in loaded:
                found = client.get(asset).raise_for_status()
                loaded[asset] = len(found.content)
                wanted += [urljoin(asset, name) for name in _IMPORT.findall(found.text)] if asset.endswith("js") else []
    return min(times), sum(loaded.values()) / 1000

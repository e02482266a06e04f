"""Records that the tests of the store keep."""

import datetime as dt

from leadline.events import DoneEvent, StatusEvent
from leadline.records import Note, Page, Request, Run, RunStatus, Topic

MORNING = dt.datetime(2026, 11, 30, 8, 0, tzinfo=dt.UTC)


def make_run(name: str, minute: int = 0, status: RunStatus = "running") -> Run:
    topic = Topic(text="索引 and vacuum", language="en", today=MORNING.date())
    created = MORNING + dt.timedelta(minutes=minute)
    return Run(id=name, request=Request(topic=topic.text), topic=topic, status=status, created=created)


def make_note(name: str, title: str = "Vacuum", body: str = "", run: str = "", minute: int = 0) -> Note:
    created = MORNING + dt.timedelta(minutes=minute)
    return Note(id=name, title=title, body=body, run=run, created=created, updated=created)


def make_page(name: str) -> Page:
    return Page(id=name, address=f"docs:{name}.html", text="VACUUM reclaims storage.\n\n清理回收空间。")


def say(message: str) -> StatusEvent:
    return StatusEvent(message=message)


DONE = DoneEvent(status="complete")

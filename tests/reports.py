"""A small run with a report, its pages and their evidence, for whatever shows or exports it."""

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from leadline.grounding.passages import split_page
from leadline.pipeline.check import check, decide
from leadline.pipeline.phrases import phrases
from leadline.pipeline.reference import number_pages
from leadline.records import (
    Conflict,
    Draft,
    Dropped,
    Page,
    Plan,
    Point,
    Report,
    Request,
    Run,
    Section,
    Sentence,
    Source,
    Tally,
    Todo,
    Topic,
)

NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)

PAGES = (
    Page(
        id="a" * 64,
        address="https://docs.example/vacuum",
        title="Routine Vacuuming",
        authors=("Ada Writer", "Bo Second"),
        site="Manual",
        date="2022-10-12",
        language="en",
        text="# Recovering Disk Space\n\nAn update leaves the old row version in place. VACUUM makes the space of dead rows "
        "reusable inside the same table. It does not return it to the system.\n\n- Run it often.\n",
    ),
    Page(
        id="b" * 64,
        address="manual/full.html",
        title="VACUUM FULL",
        language="en",
        text="# Parameters\n\nVACUUM FULL rewrites the whole table and holds an exclusive lock meanwhile. "
        "VACUUM makes the space of dead rows reusable inside the same table.\n",
    ),
)

SAID = (
    ("What VACUUM does", ("VACUUM makes the space of dead rows reusable inside the same table.",)),
    ("What VACUUM FULL does", ("VACUUM FULL rewrites the whole table and holds an exclusive lock meanwhile.",)),
)


class Sample(NamedTuple):
    """A finished run and the pages that it read."""

    run: Run
    pages: dict[str, Page]


def make_sample(
    pages: Sequence[Page] = PAGES,
    said: Sequence[tuple[str, Sequence[str]]] = SAID,
    title: str = "How are dead rows reclaimed?",
    language: str = "en",
    run: str = "k3v9x2mq",
) -> Sample:
    """Return a run whose points were checked against the pages: each cites the pages that say it, and only those.

    Args:
        pages: what was read.
        said: title of each section, and its sentences; one that no page holds is dropped.
        title: of the report, and its topic.
        language: of the report.
        run: its id.
    """
    drafts = [[_check(text, f"{n}-{k}", pages, language) for k, text in enumerate(texts)] for n, (_, texts) in enumerate(said)]
    kept = [[one for one in part if isinstance(one, Point)] for part in drafts]
    dropped = tuple(one for part in drafts for one in part if isinstance(one, Dropped))
    sections = tuple(
        Section(
            todo=Todo(id=number, title=heading, query=heading),
            status="completed" if points else "empty",
            points=tuple(points),
            reason="" if points else "No passage answers this.",
        )
        for number, ((heading, _), points) in enumerate(zip(said, kept, strict=True), 1)
    )
    points = [point for part in kept for point in part]
    report = Report(
        title=title,
        language=language,
        date=NOW.date(),
        analyst="extractive, no model",
        origin="manual",
        overview=(Sentence(text=f"{len(said)} questions were researched."),),
        sections=sections,
        summary=tuple(Sentence(text=point.text, points=(point.id,)) for point in points),
        references=_refer(points, pages),
        dropped=dropped,
        tally=Tally(verbatim=len(points), dropped=len(dropped), read=len(pages)),
    )
    return Sample(_finish(report, run), {page.id: page for page in pages})


def _check(text: str, name: str, pages: Sequence[Page], language: str) -> Point | Dropped:
    places = {p.label: (page, p) for n, page in enumerate(pages, 1) for p in split_page(page, n) if p.text == text}
    return decide(check(Draft(text=text, cites=tuple(places)), places), name, phrases(language), "drop")


def _refer(points: Sequence[Point], pages: Sequence[Page]) -> tuple[Source, ...]:
    numbers = number_pages(evidence.page for point in points for evidence in point.evidence)
    known = {page.id: page for page in pages}
    return tuple(
        Source(
            page=id,
            number=number,
            **known[id].model_dump(include={"address", "title", "authors", "site", "date", "kind", "reason"}),
        )
        for id, number in numbers.items()
    )


def _finish(report: Report, name: str) -> Run:
    return Run(
        id=name,
        request=Request(topic=report.title, sources=("manual",)),
        topic=Topic(text=report.title, language=report.language, today=report.date),
        status="complete",
        created=NOW,
        ended=NOW + dt.timedelta(seconds=9),
        plan=Plan(todos=tuple(section.todo for section in report.sections)),
        report=report,
    )


def make_disputed_sample(language: str = "en") -> Sample:
    """Return a run with all that a report can hold: sources that differ, a point of one source, one that no page holds."""
    texts = (
        "VACUUM starts after 50 rows.",
        "VACUUM starts after 90 rows.",
        "Dead rows slow scans down.",
        "Dead rows take space.",
    )
    pages = tuple(PAGES[n % 2].model_copy(update={"id": f"{n}" * 64, "text": f"{text}\n"}) for n, text in enumerate(texts[:3]))
    more = tuple(page.model_copy(update={"id": f"{n + 3}" * 64}) for n, page in enumerate(pages[:2]))
    run, saved = make_sample((*pages, *more), (("Dead rows", texts),), language=language)
    assert run.report is not None
    (section,) = run.report.sections
    one, two, three = section.points
    unsupported = one.evidence[0].model_copy(update={"verdict": "unsupported", "method": "words", "score": 0.1})
    marked = Point(id="0-9", text=texts[3], evidence=(unsupported,))
    genres = tuple(source.model_copy(update={"genre": "official"}) for source in run.report.references)
    report = run.report.model_copy(
        update={
            "sections": (section.model_copy(update={"points": (one, two, three, marked), "warning": "A page gives orders."}),),
            "conflicts": (Conflict(points=(one.id, two.id)),),
            "references": genres,
        }
    )
    return Sample(run.model_copy(update={"report": report}), saved)

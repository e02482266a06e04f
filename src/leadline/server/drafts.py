"""Pure: the report as far as it is found, so that what is still in work is shown, cited and checked like a finished one."""

from collections.abc import Iterable, Sequence

from leadline.events import Envelope, Event, PointEvent, SourcesEvent
from leadline.pipeline.reference import number_pages
from leadline.records import Plan, Point, Report, Run, Section, Source, Tally
from leadline.standing import Board


def draft_report(run: Run, envelopes: Sequence[Envelope], board: Board) -> Report:
    """Return a report of the points so far: sections as planned, references numbered as they came, so that a number stays.

    Args:
        run: whose report it is.
        envelopes: all its events.
        board: folded from these.
    """
    events = [envelope.event for envelope in envelopes]
    plan = board.plan or Plan(todos=())
    found = find_points(events, plan)
    sections = tuple(
        Section(
            todo=todo,
            status=board.lines[todo.id].status,
            points=tuple(point for point in found if point.id.startswith(f"{todo.key}-")),
            reason=board.lines[todo.id].reason,
        )
        for todo in plan.todos
    )
    return Report(
        title=run.topic.text,
        language=run.topic.language,
        date=run.topic.today,
        analyst="",
        origin="",
        overview=(),
        sections=sections,
        summary=(),
        references=_refer(found, events),
        tally=Tally(read=count_read(events)),
    )


def find_points(events: Iterable[Event], plan: Plan) -> list[Point]:
    """Return the points of the todos of a plan, in the order in which they came."""
    keys = {todo.key for todo in plan.todos}
    points = [event.point for event in events if isinstance(event, PointEvent)]
    return [point for point in points if point.id.rpartition("-")[0] in keys]


def count_read(events: Iterable[Event]) -> int:
    """Return how many pages have been read, each counted once."""
    return len({source.page for event in events if isinstance(event, SourcesEvent) for source in event.sources})


def _refer(found: Sequence[Point], events: Iterable[Event]) -> tuple[Source, ...]:
    known = {source.page: source for event in events if isinstance(event, SourcesEvent) for source in event.sources}
    numbers = number_pages(evidence.page for point in found for evidence in point.evidence)
    return tuple(
        known.get(page, Source(page=page, address=page)).model_copy(update={"number": number})
        for page, number in numbers.items()
    )

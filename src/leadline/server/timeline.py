"""Pure: what ran when, as tracks of bars. Times in which nothing ran are cut out, however long they were."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leadline.events import Call
from leadline.records import Plan

WIDTH = 1000
"""Of the drawing, in its own units: the whole time that something ran."""

KINDS = ("plan", "search", "read", "summarise", "locate", "repair", "review", "write", "todo", "point")
"""Of work that a page has a name for."""

IDLE = 5.0
"""Seconds without any work from which on the time is cut out: a run that was resumed a day later is not drawn as a day."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that ran: where it stands in the drawing, and for how many seconds it ran from which second on."""

    kind: str
    x: float
    width: float
    start: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Track:
    """The bars of one todo; `title` is "" for what belongs to the run as a whole."""

    title: str
    bars: tuple[Bar, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """All tracks; `seconds` is the time that something ran."""

    tracks: tuple[Track, ...]
    seconds: float


def draw_timeline(calls: Sequence[Call], plan: Plan) -> Timeline:
    """Return what ran when.

    Args:
        calls: what the run has recorded; a point or a call of a todo has the todo's key in its own.
        plan: decides the tracks.

    Accounts of the run's limits are no work and are left out.
    """
    calls = [call for call in calls if call.kind not in ("reserve", "settle", "remark")]
    starts = [call.ended.timestamp() - call.seconds for call in calls]
    spans = [(call, start - min(starts)) for call, start in zip(calls, starts, strict=True)]
    scale = _Scale([(start, start + call.seconds) for call, start in spans])
    keys = {todo.key: todo.title for todo in plan.todos}
    owners = [next((key for key in keys if key in call.key), "") for call, _ in spans]
    tracks = [
        _track(title, [span for span, owner in zip(spans, owners, strict=True) if owner == key], scale)
        for key, title in {"": "", **keys}.items()
    ]
    return Timeline(tuple(track for track in tracks if track.title or track.bars), scale.total)


def _track(title: str, spans: Iterable[tuple[Call, float]], scale: "_Scale") -> Track:
    """A whole todo is drawn under its parts, a point over them."""
    order = {"todo": 0, "point": 2}
    sorted_spans = sorted(spans, key=lambda span: (order.get(span[0].kind, 1), span[1]))
    bars = [_bar(call.kind, start, start + call.seconds, scale) for call, start in sorted_spans]
    if not bars:
        return Track(title, (), 0.0)
    first, last = min(start for _, start in sorted_spans), max(start + call.seconds for call, start in sorted_spans)
    whole = _bar("todo", first, last, scale)
    if title and bars[0].kind != "todo":  # it has not ended
        bars.insert(0, whole)
    return Track(title, tuple(bars), whole.seconds)


def _bar(kind: str, start: float, end: float, scale: "_Scale") -> Bar:
    left, right = scale.place(start), scale.place(end)
    unit = WIDTH / scale.total if scale.total else 0.0
    return Bar(kind, round(left * unit, 1), round(max(4.0, (right - left) * unit), 1), left, right - left)


class _Scale:
    """Seconds since the first call, less the idle times before them."""

    def __init__(self, spans: Iterable[tuple[float, float]]) -> None:
        self._gaps: list[tuple[float, float]] = []
        busy = 0.0
        for start, end in sorted(spans):
            if start - busy > IDLE:
                self._gaps.append((busy, start))
            busy = max(busy, end)
        self.total = self.place(busy)

    def place(self, moment: float) -> float:
        """Return where a moment stands."""
        return moment - sum(min(end, moment) - start for start, end in self._gaps if start < moment)

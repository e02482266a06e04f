"""What points say together: sentences that follow from them, and pairs of them that contradict each other."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from leadline.grounding.agreement import conflict
from leadline.grounding.citations import clean_statement, take_citations
from leadline.grounding.orders import gives_orders
from leadline.grounding.tokens import terms
from leadline.grounding.verdict import follows
from leadline.records import HOLDING, Conflict, Point, Section, Sentence

_TOGETHER = 3
"""Points that a sentence without citations may follow from."""


def follow(sentence: Sentence, points: Mapping[str, Point]) -> Sentence | None:
    """Return a sentence of overview or summary with the points that it follows from, or None when it follows from none.

    Args:
        sentence: as the analyst wrote it; without points of its own it may follow from those that are nearest.
        points: the points of the report by id.
    """
    if sentence.counted or _repeats(sentence, points):
        return sentence
    if any(point not in points for point in sentence.points):
        return None
    text = clean_statement(take_citations(sentence.text, 0)[0], [point.text for point in points.values()])
    named = [points[point] for point in sentence.points] or _find_nearest(text, list(points.values()))
    if not text or gives_orders(text) or not follows(text, [point.text for point in named]):
        return None
    return sentence.model_copy(update={"text": text, "points": tuple(point.id for point in named)})


def _repeats(sentence: Sentence, points: Mapping[str, Point]) -> bool:
    return len(sentence.points) == 1 and sentence.points[0] in points and points[sentence.points[0]].text == sentence.text


def _find_nearest(text: str, points: Sequence[Point]) -> list[Point]:
    """The fewest points that hold most of a sentence's words, best first."""
    wanted = set(terms(text))
    chosen: list[Point] = []
    for _ in range(_TOGETHER):
        gains = [(len(wanted & set(terms(point.text))), -number) for number, point in enumerate(points)]
        gain, number = max(gains, default=(0, 0))
        if gain == 0:
            break
        chosen.append(points[-number])
        wanted -= set(terms(points[-number].text))
    return chosen


def find_conflicts(sections: Sequence[Section]) -> tuple[Conflict, ...]:
    """Return the pairs of points of a report that cite other pages and differ in a number, a date or an outcome; a point is in
    one pair at most.
    """
    points = [point for section in sections for point in section.points if point.verdict in HOLDING]
    found: list[Conflict] = []
    taken: set[str] = set()
    for one, other in combinations(points, 2):
        if {one.id, other.id} & taken or _pages(one) & _pages(other) or not conflict(one.text, other.text):
            continue
        found.append(Conflict(points=(one.id, other.id)))
        taken |= {one.id, other.id}
    return tuple(found)


def _pages(point: Point) -> set[str]:
    return {evidence.page for evidence in point.evidence}

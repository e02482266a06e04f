"""How the points of a section stand in a report: in a list, or beside the point that they differ from."""

from dataclasses import dataclass

from leadline.records import Point, Report, Section


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The points of one section.

    Attributes:
        listed: those that no other differs from.
        differing: pairs that differ, told of where the first of them stands.
        above: where nothing else is in the section, the numbers of the sections that tell of its points.
        single: ids of those that one source alone holds, where that is the exception: where most are so, one sentence of the
            report says it, and marks would tell nothing.
    """

    listed: tuple[Point, ...]
    differing: tuple[tuple[Point, Point], ...]
    above: tuple[int, ...]
    single: frozenset[str]


def arrange(section: Section, report: Report) -> Arrangement:
    """Return how the points of a section of a report stand."""
    points = {point.id: point for each in report.sections for point in each.points}
    other = {one: two for conflict in report.conflicts for one, two in (conflict.points, conflict.points[::-1])}
    told = {conflict.points[0] for conflict in report.conflicts}
    listed = tuple(point for point in section.points if point.id not in other)
    differing = tuple((point, points[other[point.id]]) for point in section.points if point.id in told)
    elsewhere = [point for point in section.points if point.id in other and point.id not in told]
    above = {_find_section(other[point.id], report): None for point in elsewhere} if not listed and not differing else {}
    single = {point.id for point in points.values() if point.firm == 1}
    marked = {point.id for point in section.points if point.id in single and len(point.evidence) == 1}
    return Arrangement(listed, differing, tuple(above), frozenset(marked if len(single) <= len(points) / 2 else ()))


def _find_section(point: str, report: Report) -> int:
    return next(number for number, section in enumerate(report.sections, 1) if any(p.id == point for p in section.points))

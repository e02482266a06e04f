"""What has changed between two reports of a run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.records import Report


@dataclass(frozen=True, slots=True)
class Difference:
    """Texts of points that only the newer or only the older report has, and both as lines under their sections' titles."""

    added: list[str]
    removed: list[str]
    lines: list[str]


def compare(old: Report | None, new: Report | None) -> Difference:
    """Return what has changed from one report to another; a report that is not there has no points."""
    before, after = _points(old), _points(new)
    added = [text for _, text in after if text not in {t for _, t in before}]
    removed = [text for _, text in before if text not in {t for _, t in after}]
    return Difference(added, removed, list(_lines(before, after, {*added}, {*removed})))


def _points(report: Report | None) -> list[tuple[str, str]]:
    """Title of the section and text of each point."""
    return [(section.todo.title, point.text) for section in (report.sections if report else ()) for point in section.points]


def _lines(
    before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]], added: set[str], removed: set[str]
) -> Iterator[str]:
    for title in dict.fromkeys(title for title, _ in (*after, *before)):
        lines = [f"- {text}" for at, text in before if at == title and text in removed]
        lines += [f"+ {text}" for at, text in after if at == title and text in added]
        if lines:
            yield title
            yield from (f"  {line}" for line in lines)

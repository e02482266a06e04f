"""Overview and summary of a report, from its points alone."""

from collections.abc import Mapping, Sequence

from leadline.analysts.extractive.phrases import phrases_for
from leadline.records import Outline, Point, Section, Sentence

_SUMMED_UP, _OF_FIRST = 4, 2
"""Points that a summary repeats at most, and those of them that are of the first section: the topic itself."""

_SHARED = 3
"""Documents from which on agreement is worth a word."""


def write_overview(outline: Outline) -> list[Sentence]:
    """Say what was asked and how much each section found, what the sources share, what rests on one, and what found nothing."""
    say = phrases_for(outline.topic.language)
    asked = [section for section in outline.sections if section.status != "skipped"]
    titles = _join([_count_points(section, say) for section in asked], say["between"], say["last"])
    key = "asked_one" if len(asked) == 1 else "asked"
    sentences = [Sentence(text=say[key].format(count=len(asked), titles=titles), counted=True)] if asked else []
    if not any(section.points for section in outline.sections):
        return [*sentences, Sentence(text=say["nothing_at_all"], counted=True)]
    return [*sentences, *_tell_agreement(outline), *_tell_gaps(outline)]


def write_summary(outline: Outline) -> list[Sentence]:
    """Repeat the two strongest points of the first section and the strongest of the strongest others, in the report's order."""
    filled = [section.points for section in outline.sections if section.points]
    if not filled:
        return []
    first, *others = (sorted(points, key=lambda point: -point.score) for points in filled)
    rest = sorted((points[0] for points in others), key=lambda point: -point.score)[: _SUMMED_UP - _OF_FIRST]
    chosen = {point.id for point in (*first[: _SUMMED_UP - len(rest)], *rest)}
    return [Sentence(text=p.text, points=(p.id,)) for points in filled for p in points if p.id in chosen]


def _count_points(section: Section, say: Mapping[str, str]) -> str:
    count = len(section.points)
    key = "part_one" if count == 1 else "part"
    return say[key].format(title=section.todo.title, count=count) if count else section.todo.title


def _tell_agreement(outline: Outline) -> list[Sentence]:
    say = phrases_for(outline.topic.language)
    placed = [(point, number) for number, section in enumerate(outline.sections, 1) for point in section.points]
    sentences = []
    point, number = max(placed, key=lambda place: _count_documents(place[0]))
    if _count_documents(point) >= _SHARED:
        text = say["agreed"].format(documents=_count_documents(point), section=number)
        sentences.append(Sentence(text=text, counted=True))
    single = sum(_count_documents(point) == 1 for point, _ in placed)
    if single and len(placed) > 1:
        sentences.append(Sentence(text=say["single"].format(count=single, total=len(placed)), counted=True))
    return sentences


def _tell_gaps(outline: Outline) -> list[Sentence]:
    say = phrases_for(outline.topic.language)
    gaps = [str(number) for number, section in enumerate(outline.sections, 1) if section.status == "empty"]
    if not gaps:
        return []
    key = "nothing_one" if len(gaps) == 1 else "nothing"
    return [Sentence(text=say[key].format(sections=_join(gaps, say["between"], say["last"])), counted=True)]


def _count_documents(point: Point) -> int:
    return point.firm


def _join(parts: Sequence[str], between: str, last: str) -> str:
    return last.join([*([between.join(parts[:-1])] if parts[1:] else []), *parts[-1:]])

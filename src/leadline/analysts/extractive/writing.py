"""Overview and summary of a report, from its points alone."""

from collections.abc import Sequence

from leadline.analysts.extractive.phrases import phrases_for
from leadline.records import Outline, Point, Sentence

_SUMMED_UP, _ALONE = 5, 3
"""Points that a summary repeats at most: the best of each section, or the best of the only one."""

_DIRECT = 0.75
"""Share of the best point's score from which on a point of another section answers as directly."""

_INTRODUCES = 0.5
"""The same for the first point of a section to stand for it in overview and summary: what comes first introduces the rest."""

_SHARED = 3
"""Documents from which on agreement is worth a word."""


def write_overview(outline: Outline) -> list[Sentence]:
    """Say how many documents were asked, what answers most directly, where sources differ, and how strong the support is."""
    say = phrases_for(outline.topic.language)
    points = [point for section in outline.sections for point in section.points]
    asked = say["read_one" if outline.read == 1 else "read"].format(count=outline.read)
    if not points:
        return [Sentence(text=say["nothing_at_all"].format(read=asked), counted=True)]
    cited = len({evidence.page for point in points for evidence in point.evidence})
    sentences = [Sentence(text=say["asked"].format(read=asked, cited=cited, points=len(points)), counted=True)]
    direct = sorted(_find_best(outline), key=lambda point: -point.score)[:2]
    sentences += [_repeat(point) for point in direct if point.score >= _DIRECT * direct[0].score]
    return [*sentences, *_tell_differences(outline), *_tell_agreement(outline), *_tell_gaps(outline)]


def write_summary(outline: Outline) -> list[Sentence]:
    """Repeat the best point of each section; of an only section its best ones, in the report's order."""
    best = _find_best(outline)
    if len(best) == 1:
        only = next(section.points for section in outline.sections if section.points)
        best = sorted(only, key=lambda point: -point.score)[:_ALONE]
    chosen = {point.id for point in sorted(best, key=lambda point: -point.score)[:_SUMMED_UP]}
    return [_repeat(point) for section in outline.sections for point in section.points if point.id in chosen]


def _find_best(outline: Outline) -> list[Point]:
    """Return of each section the first point that answers about as directly as its best."""
    return [_find_first(section.points) for section in outline.sections if section.points]


def _find_first(points: Sequence[Point]) -> Point:
    best = max(points, key=lambda point: point.score)
    return next(point for point in points if point is best or point.score > _INTRODUCES * best.score)


def _repeat(point: Point) -> Sentence:
    return Sentence(text=point.text, points=(point.id,))


def _tell_differences(outline: Outline) -> list[Sentence]:
    say = phrases_for(outline.topic.language)
    told = {conflict.points[0] for conflict in outline.conflicts}
    numbered = enumerate(outline.sections, 1)
    differing = [str(number) for number, section in numbered if any(point.id in told for point in section.points)]
    text = say["differ"].format(sections=_join(differing, say["between"], say["last"]))
    return [Sentence(text=text, counted=True)] if differing else []


def _tell_agreement(outline: Outline) -> list[Sentence]:
    say = phrases_for(outline.topic.language)
    placed = [(point, number) for number, section in enumerate(outline.sections, 1) for point in section.points]
    sentences = []
    point, number = max(placed, key=lambda place: place[0].firm)
    if point.firm >= _SHARED:
        sentences.append(Sentence(text=say["agreed"].format(documents=point.firm, section=number), counted=True))
    single = sum(point.firm == 1 for point, _ in placed)
    if single == len(placed) > 1:
        sentences.append(Sentence(text=say["all_single"], counted=True))
    elif 0 < single < len(placed):
        sentences.append(Sentence(text=say["single"].format(count=single, total=len(placed)), counted=True))
    return sentences


def _tell_gaps(outline: Outline) -> list[Sentence]:
    say = phrases_for(outline.topic.language)
    gaps = [str(number) for number, section in enumerate(outline.sections, 1) if section.status == "empty"]
    if not gaps:
        return []
    key = "nothing_one" if len(gaps) == 1 else "nothing"
    return [Sentence(text=say[key].format(sections=_join(gaps, say["between"], say["last"])), counted=True)]


def _join(parts: Sequence[str], between: str, last: str) -> str:
    return last.join([*([between.join(parts[:-1])] if parts[1:] else []), *parts[-1:]])

"""Overview and summary of a report, from its points alone."""

from collections.abc import Sequence

from leadline.analysts.extractive.phrases import phrases_for
from leadline.records import Outline, Point, Sentence

_SUMMED_UP = 3
"""Points that a summary repeats at most."""

_SHARED = 3
"""Documents from which on agreement is worth a word."""


def write_overview(outline: Outline) -> list[Sentence]:
    """Say what was asked, what the sources share, how much rests on one source, and which sections found nothing."""
    say = phrases_for(outline.topic.language)
    asked = [section for section in outline.sections if section.status != "skipped"]
    titles = _join([section.todo.title for section in asked], say["between"], say["last"])
    key = "asked_one" if len(asked) == 1 else "asked"
    sentences = [Sentence(text=say[key].format(count=len(asked), titles=titles))] if asked else []
    if not any(section.points for section in outline.sections):
        return [*sentences, Sentence(text=say["nothing_at_all"])]
    return [*sentences, *_tell_agreement(outline), *_tell_gaps(outline)]


def write_summary(outline: Outline) -> list[Sentence]:
    """Repeat the strongest point of each of the strongest sections, in the order of the report."""
    firsts = [max(section.points, key=lambda point: point.score) for section in outline.sections if section.points]
    strongest = sorted(firsts, key=lambda point: -point.score)[:_SUMMED_UP]
    return [Sentence(text=point.text, points=(point.id,)) for point in firsts if point in strongest]


def _tell_agreement(outline: Outline) -> list[Sentence]:
    say = phrases_for(outline.topic.language)
    placed = [(point, number) for number, section in enumerate(outline.sections, 1) for point in section.points]
    sentences = []
    point, number = max(placed, key=lambda place: _count_documents(place[0]))
    if _count_documents(point) >= _SHARED:
        text = say["agreed"].format(documents=_count_documents(point), section=number)
        sentences.append(Sentence(text=text))
    single = sum(_count_documents(point) == 1 for point, _ in placed)
    if single and single < len(placed):
        sentences.append(Sentence(text=say["single"].format(count=single, total=len(placed))))
    return sentences


def _tell_gaps(outline: Outline) -> list[Sentence]:
    say = phrases_for(outline.topic.language)
    gaps = [str(number) for number, section in enumerate(outline.sections, 1) if section.status == "empty"]
    if not gaps:
        return []
    key = "nothing_one" if len(gaps) == 1 else "nothing"
    return [Sentence(text=say[key].format(sections=_join(gaps, say["between"], say["last"])))]


def _count_documents(point: Point) -> int:
    return point.firm


def _join(parts: Sequence[str], between: str, last: str) -> str:
    return last.join([*([between.join(parts[:-1])] if parts[1:] else []), *parts[-1:]])

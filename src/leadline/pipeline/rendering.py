"""A report as Markdown. The same report gives the same bytes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args

from leadline.grounding.markdown import inline
from leadline.pipeline.arrangement import arrange
from leadline.pipeline.phrases import Phrases, phrases
from leadline.pipeline.reference import cite, cite_point, describe, mark_kind
from leadline.records import Evidence, Point, Report, Section, Sentence, TaskStatus

DETAILS = "report.json"
"""What has the reasons that a report only counts."""

MOST_NOT_READ = 5
"""Reasons that a section names for pages that were not read."""


def to_markdown(report: Report, details: str = DETAILS) -> str:
    """Return the whole report: title, head, overview, sections, summary, references, and the honest last line.

    Args:
        report: what to write.
        details: a file, or the command that writes it, that has the reasons which the report only counts.
    """
    words = phrases(report.language)
    numbers = {page: source.number for source in report.references for page in (source.page, *source.also)}
    points = {point.id: point for section in report.sections for point in section.points}
    blocks = [f"# {inline(report.title)}", f"> {describe_head(report)}", *map(inline, report.notices)]
    if report.overview:
        blocks += [f"## {words.say('overview')}", _prose(report.overview, points, numbers, words)]
    for number, section in enumerate(report.sections, 1):
        title = f"## {number}. {inline(section.todo.title)}"
        blocks += [title, *_body(section, report, numbers, words), describe_not_read(section, words, details)]
    if report.summary:
        blocks += [f"## {words.say('summary')}", _prose(report.summary, points, numbers, words)]
    blocks += [f"## {words.say('references')}", *_references(report, words), f"*{describe_tally(report, details)}*"]
    return "\n\n".join(block for block in blocks if block) + "\n"


def describe_head(report: Report) -> str:
    """Return the line under the title: date, analyst, sources, and what became of the todos, as Markdown."""
    words = phrases(report.language)
    counts = Counter(section.status for section in report.sections)
    order: Sequence[TaskStatus] = get_args(TaskStatus)
    parts = [words.say(f"part_{status}", count=counts[status]) for status in order if counts[status]]
    total = len(report.sections)
    todos = words.count("todos", total, total=total, parts=words.list(parts)) if total else words.say("no_todos")
    return words.say(
        "head", date=words.date(report.date), analyst=words.analyst(report.analyst), origin=inline(report.origin), todos=todos
    )


def _prose(sentences: Sequence[Sentence], points: Mapping[str, Point], numbers: Mapping[str, int], words: Phrases) -> str:
    said = []
    for sentence in sentences:
        evidence: list[Evidence] = [e for p in sentence.points for e in points[p].evidence]
        said.append(cite(sentence.text, evidence, numbers, words))
    return words.join(said)


def _body(section: Section, report: Report, numbers: Mapping[str, int], words: Phrases) -> list[str]:
    """The points as a list, what the sources differ on, and what is to be known of the sources."""
    warning = [f"> {words.say('warning')} {inline(section.warning)}"] if section.warning else []
    if not section.points:
        return [inline(section.reason), *warning]
    arranged = arrange(section, report)
    listed = [_item(point, numbers, words, point.id in arranged.single) for point in arranged.listed]
    sides = [_conflict(pair, report, numbers, words) for pair in arranged.differing]
    above = [words.say("differ_above", number=number) for number in arranged.above]
    return ["\n".join(listed), *sides, *above, *warning]


def _item(point: Point, numbers: Mapping[str, int], words: Phrases, is_single: bool) -> str:
    return f"- {cite_point(point, numbers, words)}" + (f" *{words.say('single')}*" if is_single else "")


def _conflict(pair: tuple[Point, Point], report: Report, numbers: Mapping[str, int], words: Phrases) -> str:
    sides = [cite_point(point, numbers, words, tell_source(point, report, words)) for point in pair]
    return f"> **{words.say('differ')}** {words.join(sides)}"


def tell_source(point: Point, report: Report, words: Phrases) -> str:
    """Return what is known of a point's best source, genre and date, as Markdown."""
    page = point.evidence[0].page
    source = next(source for source in report.references if page in (source.page, *source.also))
    known = [words.say(f"genre_{source.genre}") if source.genre else "", inline(source.date)]
    return words.list([part for part in known if part])


def describe_not_read(section: Section, words: Phrases, details: str = DETAILS) -> str:
    """Return what was given up, and why, as Markdown; `details` has the rest."""
    reasons = [inline(reason) for reason in dict.fromkeys(page.reason for page in section.not_read)]
    if not reasons or not section.points:  # without points the section's own reason holds them
        return ""
    more = [words.say("more", count=len(reasons) - MOST_NOT_READ, details=details)] if len(reasons) > MOST_NOT_READ else []
    return f"*{words.say('not_read', reasons='; '.join([*reasons[:MOST_NOT_READ], *more]))}*"


def _references(report: Report, words: Phrases) -> list[str]:
    listed = [f"[{source.number}] {describe(source)}{mark_kind(source, words)}" for source in report.references]
    return listed or [words.say("no_references")]


def describe_tally(report: Report, details: str = DETAILS) -> str:
    """Return the last line of a report: how many points were checked, and how; `details` has why some were dropped."""
    tally, words = report.tally, phrases(report.language)
    total = tally.verbatim + tally.supported + tally.partial + tally.marked
    dropped = words.say("dropped" if tally.dropped else "dropped_none", count=tally.dropped, details=details)
    read = words.count("read", tally.read)
    if not total:
        return words.say("no_points", dropped=dropped, read=read, snippets=tally.snippets)
    kinds = [("verbatim", tally.verbatim), ("supported", tally.supported), ("partial", tally.partial), ("marked", tally.marked)]
    verdicts = words.list([words.count(kind, count) for kind, count in kinds if count])
    points = words.count("points", total)
    return words.say("tally", points=points, verdicts=verdicts, dropped=dropped, read=read, snippets=tally.snippets)

"""A report as Markdown. The same report gives the same bytes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args

from leadline.grounding.markdown import inline
from leadline.pipeline.phrases import Phrases, phrases
from leadline.pipeline.reference import cite, cite_point, describe
from leadline.records import Evidence, Point, Report, Section, Sentence, Tally, TaskStatus


def to_markdown(report: Report) -> str:
    """Return the whole report: title, head, overview, sections, summary, references, and the honest last line."""
    words = phrases(report.language)
    numbers = {source.page: source.number for source in report.references}
    points = {point.id: point for section in report.sections for point in section.points}
    blocks = [f"# {inline(report.title)}", f"> {describe_head(report)}", *map(inline, report.notices)]
    if report.overview:
        blocks += [f"## {words.say('overview')}", _prose(report.overview, points, numbers, words)]
    for number, section in enumerate(report.sections, 1):
        blocks += [f"## {number}. {inline(section.todo.title)}", _body(section, numbers, words)]
    if report.summary:
        blocks += [f"## {words.say('summary')}", _prose(report.summary, points, numbers, words)]
    blocks += [f"## {words.say('references')}", *_references(report, words), f"*{describe_tally(report)}*"]
    return "\n\n".join(block for block in blocks if block) + "\n"


def describe_head(report: Report) -> str:
    """Return the line under the title: date, analyst, sources, and what became of the todos, as Markdown."""
    words = phrases(report.language)
    counts = Counter(section.status for section in report.sections)
    order: Sequence[TaskStatus] = get_args(TaskStatus)
    parts = [words.say(f"part_{status}", count=counts[status]) for status in order if counts[status]]
    todos = words.count("todos", len(report.sections), total=len(report.sections), parts=words.list(parts))
    return words.say(
        "head", date=words.date(report.date), analyst=words.analyst(report.analyst), origin=inline(report.origin), todos=todos
    )


def _prose(sentences: Sequence[Sentence], points: Mapping[str, Point], numbers: Mapping[str, int], words: Phrases) -> str:
    said = []
    for sentence in sentences:
        evidence: list[Evidence] = [e for p in sentence.points for e in points[p].evidence]
        said.append(cite(sentence.text, evidence, numbers, words))
    return words.join(said)


def _body(section: Section, numbers: Mapping[str, int], words: Phrases) -> str:
    if not section.points:
        return section.reason
    return "\n".join(f"- {cite_point(point, numbers, words)}" for point in section.points)


def _references(report: Report, words: Phrases) -> list[str]:
    listed = [f"[{source.number}] {describe(source)}" for source in report.references]
    return listed or [words.say("no_references")]


def describe_tally(report: Report) -> str:
    """Return the last line of a report: how many points were checked, and how."""
    return _tally(report.tally, phrases(report.language))


def _tally(tally: Tally, words: Phrases) -> str:
    total = tally.verbatim + tally.supported + tally.partial
    dropped = words.say("dropped" if tally.dropped else "dropped_none", count=tally.dropped)
    read = words.count("read", tally.read)
    if not total:
        return words.say("no_points", dropped=dropped, read=read, snippets=tally.snippets)
    kinds = [("verbatim", tally.verbatim), ("supported", tally.supported), ("partial", tally.partial)]
    verdicts = words.list([words.count(kind, count) for kind, count in kinds if count])
    points = words.count("points", total)
    return words.say("tally", points=points, verdicts=verdicts, dropped=dropped, read=read, snippets=tally.snippets)

"""A report as a page shows it: sentences with their marks, and behind each mark the evidence. What templates are given."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from leadline.pipeline.phrases import Phrases, phrases
from leadline.pipeline.rendering import describe_head, describe_tally
from leadline.records import FIRM, Evidence, Page, Point, Report, Run, Section, Sentence, Source, TaskStatus, Verdict
from leadline.rendering.inline import render, to_html
from leadline.rendering.places import Place, find_place, link

ROOM = __package__


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation: the number of its reference, and the anchor of its evidence."""

    number: int
    anchor: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence and its citations: those that say all of it, and those that only speak of the same."""

    anchor: str
    text: str
    html: Markup
    firm: tuple[Mark, ...]
    near: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One numbered section. `pages` counts the sources that its points cite."""

    number: int
    anchor: str
    title: Markup
    status: TaskStatus
    lines: tuple[Line, ...]
    reason: Markup
    pages: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited source and the points that it holds, by verdict."""

    source: Source
    anchor: str
    title: Markup
    who: str
    href: str
    points: int
    parts: int


@dataclass(frozen=True, slots=True)
class Exhibit:
    """The evidence behind one mark."""

    anchor: str
    point: str
    evidence: Evidence
    reference: Reference
    place: Place
    href: str
    how: str


@dataclass(frozen=True)
class ReportView:
    """All that a page needs of a report. `words` are the page's own, in the language of the report."""

    run: Run
    report: Report
    words: Phrases
    head: Markup
    tally: Markup
    notices: tuple[Markup, ...]
    overview: tuple[Line, ...]
    parts: tuple[Part, ...]
    summary: tuple[Line, ...]
    references: tuple[Reference, ...]
    exhibits: tuple[Exhibit, ...]
    dropped: tuple[tuple[Markup, str], ...]

    @cached_property
    def title(self) -> Markup:
        """The report's title as HTML."""
        return to_html(self.report.title)

    @cached_property
    def figures(self) -> list[tuple[str, str]]:
        """What the line under the head counts: a number and its words."""
        say, tally = self.words, self.report.tally
        done = sum(part.status == "completed" for part in self.parts)
        counted = (("verbatim", tally.verbatim), ("supported", tally.supported), ("partial", tally.partial))
        kinds = [(str(count), say.count(f"figure_{kind}", count)) for kind, count in counted if count]
        points = tally.verbatim + tally.supported + tally.partial
        return [
            (str(done), say.count("figure_todos", len(self.parts), total=len(self.parts))),
            (str(points), say.count("figure_points", points)),
            *kinds,
            (str(tally.read), say.count("figure_read", tally.read)),
        ]


def view_report(run: Run, pages: Mapping[str, Page], language: str = "") -> ReportView:
    """Return what a page shows of a finished run.

    Args:
        run: its report must be there.
        pages: saved pages by id; where one is missing its quotes are shown without their surroundings.
        language: of the page's own words; that of the report by default.

    Raises:
        ValueError: the run has no report.
    """
    if run.report is None:
        raise ValueError(f"run {run.id} has no report")
    return _Viewing(run.report, pages, language or run.report.language).view(run, run.report)


class _Viewing:
    """Numbers, anchors and words of one report while it is looked through."""

    def __init__(self, report: Report, pages: Mapping[str, Page], language: str) -> None:
        self._pages = pages
        self._words = phrases(language, ROOM)
        self._names = {
            point.id: f"{section}-{place}"
            for section, one in enumerate(report.sections, 1)
            for place, point in enumerate(one.points, 1)
        }
        self._points = {point.id: point for section in report.sections for point in section.points}
        self._references = {source.page: self._refer(source, report.sections) for source in report.references}

    def view(self, run: Run, report: Report) -> ReportView:
        points = [point for section in report.sections for point in section.points]
        return ReportView(
            run=run,
            report=report,
            words=self._words,
            head=render(describe_head(report)),
            tally=render(describe_tally(report)),
            notices=tuple(map(to_html, report.notices)),
            overview=tuple(self._view_sentences("overview", report.overview)),
            parts=tuple(self._view_part(number, section) for number, section in enumerate(report.sections, 1)),
            summary=tuple(self._view_sentences("summary", report.summary)),
            references=tuple(self._references.values()),
            exhibits=tuple(exhibit for point in points for exhibit in self._exhibit(point)),
            dropped=tuple((to_html(dropped.text), dropped.reason) for dropped in report.dropped),
        )

    def _refer(self, source: Source, sections: Sequence[Section]) -> Reference:
        held = [sum(_cites(point, source.page) for point in section.points) for section in sections]
        return Reference(
            source=source,
            anchor=f"r{source.number}",
            title=to_html(source.title or source.address),
            who=", ".join(source.authors[:3]) + (" et al." if len(source.authors) > 3 else "") or source.site,
            href=link(source.address),
            points=sum(held),
            parts=sum(map(bool, held)),
        )

    def _view_sentences(self, name: str, sentences: Sequence[Sentence]) -> Iterable[Line]:
        for number, sentence in enumerate(sentences, 1):
            points = [self._points[point] for point in sentence.points]
            yield _line(f"{name}-{number}", sentence.text, [mark for point in points for mark in self._marks(point)])

    def _view_part(self, number: int, section: Section) -> Part:
        return Part(
            number=number,
            anchor=f"s{number}",
            title=to_html(section.todo.title),
            status=section.status,
            lines=tuple(_line(f"p{self._names[p.id]}", p.text, self._marks(p)) for p in section.points),
            reason=to_html(section.reason),
            pages=len({evidence.page for point in section.points for evidence in point.evidence}),
        )

    def _marks(self, point: Point) -> list[Mark]:
        """The citations of a point whose pages are among the references."""
        return [
            Mark(self._references[e.page].source.number, self._anchor(point, e), e.verdict)
            for e in point.evidence
            if e.page in self._references
        ]

    def _anchor(self, point: Point, evidence: Evidence) -> str:
        return f"e{self._names[point.id]}-{self._references[evidence.page].source.number}"

    def _exhibit(self, point: Point) -> Iterable[Exhibit]:
        for evidence in point.evidence:
            if reference := self._references.get(evidence.page):
                yield Exhibit(
                    anchor=self._anchor(point, evidence),
                    point=f"p{self._names[point.id]}",
                    evidence=evidence,
                    reference=reference,
                    place=find_place(evidence, self._pages.get(evidence.page)),
                    href=link(reference.source.address, evidence.quote),
                    how=self._describe(evidence),
                )

    def _describe(self, evidence: Evidence) -> str:
        """How it was checked, in words."""
        kind = "share" if evidence.method == "words" and evidence.verdict not in FIRM else evidence.method
        return self._words.say(f"method_{kind}", share=round(100 * evidence.score))


def _cites(point: Point, page: str) -> bool:
    return any(evidence.page == page for evidence in point.evidence)


def _line(anchor: str, text: str, marks: Iterable[Mark]) -> Line:
    """A sentence with one mark a source, in the order of their numbers; where no source says all of it, all are `near`."""
    best: dict[int, Mark] = {}
    for mark in sorted(marks, key=lambda mark: (mark.number, mark.verdict not in FIRM)):
        best.setdefault(mark.number, mark)
    firm = tuple(mark for mark in best.values() if mark.verdict in FIRM)
    near = tuple(mark for mark in best.values() if mark.verdict not in FIRM)
    return Line(anchor, text, to_html(text), firm, near)

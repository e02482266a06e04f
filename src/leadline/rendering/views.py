"""A report as a page shows it: sentences with their marks, and behind each mark the evidence. What templates are given."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from leadline.pipeline.arrangement import arrange
from leadline.pipeline.phrases import Phrases, phrases
from leadline.pipeline.reference import describe_pages, mark_kind
from leadline.pipeline.rendering import describe_head, describe_not_read, describe_tally, tell_source
from leadline.records import FIRM, HOLDING, Evidence, Page, Point, Report, Run, Section, Sentence, Source, TaskStatus, Verdict
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
    """A sentence and its citations: those that say all of it, those that only speak of the same, and those that do not.

    `remark` is what is to be known of it beside that: that one source alone says it, or what kind of source does.
    """

    anchor: str
    text: str
    html: Markup
    firm: tuple[Mark, ...]
    near: tuple[Mark, ...]
    failed: tuple[Mark, ...]
    remark: Markup


@dataclass(frozen=True, slots=True)
class Part:
    """One numbered section.

    `lines` are its points, `differing` pairs of them on which sources differ, `above` the words that say where other pairs
    are told of. `warning` is about the sources; `missing` says what was not read, and why. `points` and `pages` are counted.
    """

    number: int
    anchor: str
    title: Markup
    status: TaskStatus
    lines: tuple[Line, ...]
    differing: tuple[tuple[Line, Line], ...]
    above: tuple[str, ...]
    reason: Markup
    warning: Markup
    missing: Markup
    points: int
    pages: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited source, and how many points in how many parts it holds. `remark`: which pages of it, or that it was not read."""

    source: Source
    anchor: str
    title: Markup
    who: str
    href: str
    remark: Markup
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
        counted = [(kind, getattr(tally, kind)) for kind in ("verbatim", "supported", "partial", "marked")]
        kinds = [(str(count), say.count(f"figure_{kind}", count)) for kind, count in counted if count]
        points = sum(count for _, count in counted)
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
        self._report = report
        self._words = phrases(language, ROOM)
        self._names = {
            point.id: f"{section}-{place}"
            for section, one in enumerate(report.sections, 1)
            for place, point in enumerate(one.points, 1)
        }
        self._points = {point.id: point for section in report.sections for point in section.points}
        self._listed = tuple(self._refer(source, report.sections) for source in report.references)
        self._references = {page: one for one in self._listed for page in (one.source.page, *one.source.also)}

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
            references=self._listed,
            exhibits=tuple(exhibit for point in points for exhibit in self._exhibit(point)),
            dropped=tuple((to_html(dropped.text), dropped.reason) for dropped in report.dropped),
        )

    def _refer(self, source: Source, sections: Sequence[Section]) -> Reference:
        pages = {source.page, *source.also}
        held = [sum(any(e.page in pages for e in point.evidence) for point in section.points) for section in sections]
        return Reference(
            source=source,
            anchor=f"r{source.number}",
            title=to_html(source.title or source.address),
            who=", ".join(source.authors[:3]) + (" et al." if len(source.authors) > 3 else "") or source.site,
            href=link(source.address),
            remark=render(f"{describe_pages(source)}{mark_kind(source, self._words)}".lstrip(" ,")),
            points=sum(held),
            parts=sum(map(bool, held)),
        )

    def _view_sentences(self, name: str, sentences: Sequence[Sentence]) -> Iterable[Line]:
        for number, sentence in enumerate(sentences, 1):
            points = [self._points[point] for point in sentence.points]
            yield _line(f"{name}-{number}", sentence.text, [mark for point in points for mark in self._marks(point)], Markup())

    def _view_part(self, number: int, section: Section) -> Part:
        words, arranged = self._words, arrange(section, self._report)
        single = Markup(words.say("single"))
        return Part(
            number=number,
            anchor=f"s{number}",
            title=to_html(section.todo.title),
            status=section.status,
            lines=tuple(self._view_point(p, single if p.id in arranged.single else Markup()) for p in arranged.listed),
            differing=tuple((self._view_side(one), self._view_side(two)) for one, two in arranged.differing),
            above=tuple(words.say("differ_above", number=other) for other in arranged.above),
            reason=to_html(section.reason),
            warning=to_html(section.warning),
            missing=render(describe_not_read(section, words)),
            points=len(section.points),
            pages=len({mark.number for point in section.points for mark in self._marks(point)}),
        )

    def _view_point(self, point: Point, remark: Markup) -> Line:
        return _line(f"p{self._names[point.id]}", point.text, self._marks(point), remark)

    def _view_side(self, point: Point) -> Line:
        return self._view_point(point, render(tell_source(point, self._report, self._words)))

    def _marks(self, point: Point) -> list[Mark]:
        return [Mark(reference.source.number, self._anchor(point, reference), e.verdict) for reference, e in self._cited(point)]

    def _cited(self, point: Point) -> list[tuple[Reference, Evidence]]:
        """The evidence of a point by reference: of several copies of a page, the best."""
        best: dict[int, tuple[Reference, Evidence]] = {}
        for evidence in point.evidence:
            if reference := self._references.get(evidence.page):
                best.setdefault(reference.source.number, (reference, evidence))
        return list(best.values())

    def _anchor(self, point: Point, reference: Reference) -> str:
        return f"e{self._names[point.id]}-{reference.source.number}"

    def _exhibit(self, point: Point) -> Iterable[Exhibit]:
        for reference, evidence in self._cited(point):
            yield Exhibit(
                anchor=self._anchor(point, reference),
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


def _line(anchor: str, text: str, marks: Iterable[Mark], remark: Markup) -> Line:
    """A sentence with one mark a source, in the order of their numbers."""
    best: dict[int, Mark] = {}
    for mark in sorted(marks, key=lambda mark: (mark.number, mark.verdict not in FIRM, mark.verdict not in HOLDING)):
        best.setdefault(mark.number, mark)
    firm = tuple(mark for mark in best.values() if mark.verdict in FIRM)
    near = tuple(mark for mark in best.values() if mark.verdict in HOLDING - FIRM)
    failed = tuple(mark for mark in best.values() if mark.verdict not in HOLDING)
    return Line(anchor, text, to_html(text, rich=True), firm, near, failed, remark)

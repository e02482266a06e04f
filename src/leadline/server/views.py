"""What the pages show, gathered from runs and libraries: the templates only lay it out."""

import datetime as dt
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath

from markupsafe import Markup

from leadline.events import Call, Envelope
from leadline.pipeline.phrases import Phrases
from leadline.records import FIRM, Plan, Report, Run, TaskStatus, Todo, Usage
from leadline.rendering import ReportView, view_report
from leadline.rendering.inline import to_html
from leadline.rendering.views import Line, Reference
from leadline.server.drafts import count_read, draft_report, find_points
from leadline.standing import ENDED, Board, Standing, fold

LIVE = frozenset({"queued", "working", "waiting", "interrupted"})
"""States in which something may still happen; `waiting` is for the approval of a plan."""


@dataclass(frozen=True, slots=True)
class TodoView:
    """A knot of the leadline. `place` is its number in the report, `pages` counts the sources that its points cite."""

    place: int
    todo: Todo
    title: Markup
    status: TaskStatus
    points: int
    pages: int
    reason: Markup

    @property
    def data(self) -> str:
        """What is sent back when the plan is changed, as JSON."""
        return json.dumps(self.todo.model_dump(include={"id", "title", "intent", "query", "skip"}), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Group:
    """Points that came one after the other from one todo. `first`: it is the first group of that todo."""

    todo: int
    title: Markup
    lines: tuple[Line, ...]
    first: bool


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A cited source: the points of each section that it holds, how many of them others hold too, and what it contradicts."""

    reference: Reference
    held: tuple[int, ...]
    shared: int
    against: int


@dataclass(frozen=True)
class RunView:
    """A run as its page shows it, while it works and after.

    Attributes:
        run: with its report, or what there is of it so far.
        state: where it stands.
        finished: whether the report is there.
        board: folded from its events.
        report: as it is laid out.
        envelopes: all its events.
        calls: what it has done, while it works.
        words: in the language of the page.
    """

    run: Run
    state: str
    finished: bool
    board: Board
    report: ReportView
    envelopes: Sequence[Envelope]
    calls: Sequence[Call]
    words: Phrases

    @property
    def _report(self) -> Report:
        return self.report.report

    @property
    def live(self) -> bool:
        """Whether something may still happen by itself."""
        return self.state in LIVE

    @property
    def seq(self) -> int:
        """Number of the last event."""
        return self.envelopes[-1].seq if self.envelopes else 0

    @property
    def plan(self) -> Plan:
        """The plan in force; one without todos while there is none."""
        return self.board.plan or Plan(todos=())

    @cached_property
    def todos(self) -> list[TodoView]:
        """The plan as it stands."""
        parts = {section.todo.id: part for section, part in zip(self._report.sections, self.report.parts, strict=True)}
        shown = []
        for place, todo in enumerate(self.plan.todos, 1):
            line, part = self.board.lines[todo.id], parts.get(todo.id)
            points, pages = (part.points, part.pages) if part else (0, 0)
            reason = part.reason if part and line.status in ("failed", "empty") and not line.reason else to_html(line.reason)
            shown.append(TodoView(place, todo, to_html(todo.title), line.status, points, pages, reason))
        return shown

    @property
    def done(self) -> int:
        """How many todos have come to their end."""
        return sum(todo.status in ENDED - {"cancelled"} for todo in self.todos)

    @property
    def again(self) -> int:
        """How many todos of an ended run could be done again with another outcome."""
        return 0 if self.live else sum(todo.status in ("failed", "empty") for todo in self.todos)

    @cached_property
    def usage(self) -> Usage:
        """What the run has used: as it told last, and until it has come to its end as it can be counted."""
        told = [envelope.event.usage for envelope in self.envelopes if envelope.event.type == "usage"]
        last = told[-1] if told else Usage()
        if self.state in ("complete", "incomplete"):
            return last
        searches = sum(call.kind in ("search", "plan") for call in self.calls)
        pages = count_read(envelope.event for envelope in self.envelopes)
        return last.model_copy(update={"searches": max(searches, last.searches), "pages": max(pages, last.pages)})

    @property
    def figures(self) -> list[list[tuple[str, str]]]:
        """The line on top: numbers and their words, those that belong together as one."""
        say, limits, usage = self.words, self.run.request.limits, self.usage
        total = len(self.todos)
        verdicts = Counter(point.verdict for section in self._report.sections for point in section.points)
        firm, points = sum(verdicts[verdict] for verdict in FIRM), sum(verdicts.values())
        calls, tokens = usage.searches + usage.model_calls, usage.prompt_tokens + usage.completion_tokens
        shown = [[(str(self.done), say.count("figure_todos", total, total=total))]] if total else []
        comma = say.say("comma").strip() if points else ""
        shown.append([(str(points), say.count("figure_points", points) + comma)])
        shown[-1] += [(str(firm), say.say("figure_firm"))] if points else []
        shown.append([(f"{usage.pages:,}", say.count("figure_read", usage.pages))])
        if calls or limits.calls:
            shown.append([(str(calls), _against(say, "calls", calls, limits.calls))])
        if tokens:
            shown.append([(f"{tokens:,}", _against(say, "tokens", tokens, limits.tokens))])
        if usage.cost is not None:
            shown.append(
                [(f"${usage.cost:.3f}", say.say("figure_cost_limit", most=f"${limits.cost:g}") if limits.cost else "")]
            )
        return shown

    @property
    def groups(self) -> list[Group]:
        """The points so far in the order in which they came: what is new stands under what is being read."""
        lines = {
            point.id: (section.todo.id, part.title, line)
            for section, part in zip(self._report.sections, self.report.parts, strict=True)
            for point, line in zip(section.points, part.lines, strict=True)
        }
        groups: list[Group] = []
        for point in find_points([envelope.event for envelope in self.envelopes], self.plan):
            todo, title, line = lines[point.id]
            if groups and groups[-1].todo == todo:
                groups[-1] = replace(groups[-1], lines=(*groups[-1].lines, line))
            else:
                groups.append(Group(todo, title, (line,), first=all(group.todo != todo for group in groups)))
        return groups

    @property
    def sources(self) -> list[SourceRow]:
        """The cited sources."""
        return [_row(reference, self._report) for reference in self.report.references]

    @property
    def contradicted(self) -> list[tuple[Markup, list[tuple[int, str]]]]:
        """Points that were dropped because a source says otherwise: with the numbers of these sources and their words."""
        numbers = {page: source.number for source in self._report.references for page in (source.page, *source.also)}
        told = []
        for dropped in self._report.dropped:
            against = [e for e in dropped.evidence if e.verdict == "contradicted"]
            if against:
                told.append((to_html(dropped.text), [(numbers.get(e.page, 0), e.quote) for e in against]))
        return told

    @property
    def agreement(self) -> tuple[int, int]:
        """How many points stand in several sources, and how many in one alone."""
        points = [point for section in self._report.sections for point in section.points]
        several = sum(point.firm > 1 for point in points)
        return several, len(points) - several

    @property
    def origins(self) -> list[str]:
        """What the run searches, by names that tell nothing of this machine."""
        request = self.run.request
        sources = [source if source.startswith("@") else PurePath(source).name for source in request.sources]
        return [*sources, *request.search, *request.fallback]


def view_run(
    run: Run, standing: Standing, envelopes: Sequence[Envelope], calls: Sequence[Call], words: Phrases, drafted: bool = False
) -> RunView:
    """Return what the page of a run shows.

    Args:
        run: as the store has it.
        standing: as `judge` says.
        envelopes: all its events.
        calls: what it has done.
        words: of the page.
        drafted: whether the findings are shown though the report is there.
    """
    board = fold(envelopes)
    written = run.report if run.status != "running" else None
    laid_out = written if written and not drafted else draft_report(run, envelopes, board)
    shown = run.model_copy(update={"report": laid_out})
    report = view_report(shown, {})
    return RunView(shown, _name_state(board, standing), written is not None, board, report, envelopes, calls, words)


def _name_state(board: Board, standing: Standing) -> str:
    return "waiting" if standing in LIVE and not board.approved else standing


def _against(words: Phrases, kind: str, used: int, most: int | None) -> str:
    return words.count(f"figure_{kind}", used) if most is None else words.say(f"figure_{kind}_limit", most=f"{most:,}")


def _row(reference: Reference, report: Report) -> SourceRow:
    pages = {reference.source.page, *reference.source.also}
    cited = [[p for p in section.points if any(e.page in pages for e in p.evidence)] for section in report.sections]
    disputed = {point for conflict in report.conflicts for point in conflict.points}
    return SourceRow(
        reference=reference,
        held=tuple(map(len, cited)),
        shared=sum(point.firm > 1 for points in cited for point in points),
        against=sum(point.id in disputed for points in cited for point in points),
    )


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run as a list shows it."""

    id: str
    topic: str
    language: str
    state: str
    told: str
    when: str


def view_line(run: Run, standing: Standing, board: Board, now: dt.datetime, words: Phrases) -> RunLine:
    """Return what a list shows of a run; `board` is asked only while it works."""
    state = _name_state(board, standing)
    if standing in LIVE:
        told = words.say("progress", done=board.ended, total=len(board.lines)) if board.lines else ""
    else:
        told = words.count("points", len(run.points)) if run.points else run.reason
    return RunLine(run.id, run.topic.text, run.topic.language, state, told, _tell_time(run.created, now, words))


def _tell_time(moment: dt.datetime, now: dt.datetime, words: Phrases) -> str:
    minutes = int((now - moment).total_seconds() // 60)
    if minutes < 1:
        return words.say("just_now")
    if minutes < 60:
        return words.count("minutes_ago", minutes)
    if minutes < 24 * 60:
        return words.count("hours_ago", minutes // 60)
    return words.date(moment.date())

"""One todo: search, read, summarise, check, note. What it returns is a function of the todo and the sources."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from leadline.events import NoteEvent, PointEvent, SourcesEvent, StatusEvent
from leadline.grounding.passages import split_page
from leadline.pipeline.check import check
from leadline.pipeline.crew import Crew
from leadline.pipeline.note import note_body
from leadline.pipeline.phrases import phrases
from leadline.pipeline.recall import recall
from leadline.records import (
    Dropped,
    Hit,
    Note,
    NotRead,
    Page,
    Passage,
    Point,
    Source,
    Span,
    Todo,
    TodoResult,
    Topic,
)

PAGES = 100
"""Hits asked for per todo. A library answers in milliseconds, and what recurs in many documents is what matters there."""

POINTS = 6
"""Points of a todo unless the request bounds them: a section that is read in a minute."""

AROUND = 600
"""Characters before and behind a place that matched which are read too: a paragraph, for what the query has no words for."""

WHOLE = 1_000_000
"""Characters of all pages of a todo up to which they are read whole: rarity of words is judged better on more text."""

_HITS: TypeAdapter[tuple[Hit, ...]] = TypeAdapter(tuple[Hit, ...])
RESULT: TypeAdapter[TodoResult] = TypeAdapter(TodoResult)


async def execute(todo: Todo, run: str, topic: Topic, crew: Crew, at_most: int = POINTS) -> TodoResult:
    """Research one todo and say how it went.

    Args:
        todo: what to find out.
        run: id of the run, for the note.
        topic: the question that the todo belongs to.
        crew: those who do the work.
        at_most: most points that the todo may have.

    Raises:
        SearchFailed: the search could not be made; the loop turns this and anything unforeseen into a failed todo.
    """

    async def work() -> TodoResult:
        return await Work(todo, topic, crew, at_most).do()

    result = await recall(crew.journal, result_key(todo, at_most), "todo", RESULT, work)
    if result.points:
        await _save_note(todo, run, topic, result, crew)
    return result


def result_key(todo: Todo, at_most: int) -> str:
    """Return the key under which the journal holds a todo's result."""
    return f"todo:{todo.key}:{at_most}"


@dataclass(frozen=True, slots=True)
class Work:
    """The steps of one todo."""

    todo: Todo
    topic: Topic
    crew: Crew
    at_most: int

    async def do(self) -> TodoResult:
        """Search, read, summarise and check."""
        hits = await self._search()
        read, not_read = await self._read(hits)
        if not read:
            return self._nothing(not_read)
        pages = [page for _, page in read]
        points, dropped = await self._summarise(read)
        cited_ids = {evidence.page for point in points for evidence in point.evidence}
        cited = [page for page in pages if page.id in cited_ids]
        for page in cited:
            await self.crew.snapshots.save(page)
        return TodoResult(
            key=self.todo.key,
            status="completed" if points else "empty",
            points=tuple(points),
            dropped=tuple(dropped),
            sources=tuple(_as_source(page) for page in cited),
            read=tuple(page.id for page in pages),
            not_read=tuple(not_read),
        )

    async def _search(self) -> tuple[Hit, ...]:
        await self._say("searching", phrases(self.topic.language).say("searching", query=self.todo.query))

        async def ask() -> tuple[Hit, ...]:
            return tuple(await self.crew.search.search(self.todo.query, PAGES))

        return await recall(self.crew.journal, f"search:{self.todo.key}", "search", _HITS, ask)

    async def _read(self, hits: Sequence[Hit]) -> tuple[list[tuple[Hit, Page]], list[NotRead]]:
        """The hits that gave a page, each page once, and those that gave none."""
        read: dict[str, tuple[Hit, Page]] = {}
        not_read: list[NotRead] = []
        for hit in hits:
            answer = await self.crew.reader.read(hit)
            if isinstance(answer, NotRead):
                not_read.append(answer)
            else:
                read.setdefault(answer.id, (hit, answer))
        message = phrases(self.topic.language).count("reading", len(read), title=self.todo.title)
        await self._say("reading", message)
        await self._emit_sources([page for _, page in read.values()])
        return list(read.values()), not_read

    async def _summarise(self, read: Sequence[tuple[Hit, Page]]) -> tuple[list[Point], list[Dropped]]:
        places: dict[str, tuple[Page, Passage]] = {}
        small = sum(len(page.text) for _, page in read) <= WHOLE
        for number, (hit, page) in enumerate(read, 1):
            around = () if small else [Span(start=max(0, span.start - AROUND), end=span.end + AROUND) for span in hit.spans]
            places.update({passage.label: (page, passage) for passage in split_page(page, number, around)})
        points: list[Point] = []
        dropped: list[Dropped] = []
        passages = [passage for _, passage in places.values()]
        async for draft in self.crew.analyst.summarise(self.topic, self.todo, passages, self.at_most):
            verdict = check(draft, f"{self.todo.key}-{len(points) + 1}", places, phrases(self.topic.language))
            if isinstance(verdict, Dropped):
                dropped.append(verdict)
                continue
            points.append(verdict)
            await self.crew.journal.emit(PointEvent(todo=self.todo.id, point=verdict), f"point:{verdict.id}")
        return points, dropped

    def _nothing(self, not_read: Sequence[NotRead]) -> TodoResult:
        reason = "; ".join(dict.fromkeys(n.reason for n in not_read))
        return TodoResult(key=self.todo.key, status="failed" if reason else "empty", reason=reason, not_read=tuple(not_read))

    async def _say(self, key: str, message: str) -> None:
        await self.crew.journal.emit(StatusEvent(message=message), f"status:{self.todo.key}:{key}")

    async def _emit_sources(self, pages: Sequence[Page]) -> None:
        event = SourcesEvent(todo=self.todo.id, sources=tuple(_as_source(page) for page in pages))
        await self.crew.journal.emit(event, f"sources:{self.todo.key}")


def _as_source(page: Page) -> Source:
    return Source(
        page=page.id,
        address=page.address,
        title=page.title,
        authors=page.authors,
        site=page.site,
        date=page.date,
        part=page.part,
        identifiers=page.identifiers,
    )


async def _save_note(todo: Todo, run: str, topic: Topic, result: TodoResult, crew: Crew) -> None:
    now = crew.clock.now()
    note = Note(
        id=f"{run}-{todo.key[:8]}",
        title=todo.title,
        body=note_body(todo, topic.language, result),
        run=run,
        created=now,
        updated=now,
    )
    await crew.notes.create(note)
    await crew.journal.emit(NoteEvent(todo=todo.id, note=note.id), f"note:{todo.key}")

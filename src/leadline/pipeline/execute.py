"""One todo: search, read, summarise, check, note. What it returns is a function of the todo and the sources."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pydantic import TypeAdapter

from leadline.events import NoteEvent, PointEvent, SourcesEvent, StatusEvent
from leadline.grounding.address import address_key
from leadline.grounding.agreement import same
from leadline.grounding.genres import find_genre
from leadline.grounding.orders import gives_orders
from leadline.grounding.passages import split_page
from leadline.pipeline.appeal import Appeal
from leadline.pipeline.asking import make_query
from leadline.pipeline.check import Checked, Places, check, decide, read_draft
from leadline.pipeline.crew import Crew
from leadline.pipeline.note import note_body
from leadline.pipeline.phrases import phrases
from leadline.pipeline.recall import recall, remember
from leadline.records import (
    Card,
    Dropped,
    Hit,
    Note,
    NotRead,
    Page,
    Passage,
    Point,
    Request,
    Source,
    Span,
    Todo,
    TodoResult,
    Topic,
    Unsupported,
)

POINTS = 6
"""Points of a todo unless the request bounds them: a section that is read in a minute."""

_POINTS = {"short": 3, "normal": POINTS, "long": 10}

SHORT = 12
"""Points of a whole report that may stand in one section. With six a section at most, the strongest seven to ten points of a
SummHay topic are not all handed in: the joint score falls from .49 to .41."""

AROUND = 600
"""Characters before and behind a place that matched which are read too: a paragraph, for what the query has no words for."""

WHOLE = 1_000_000
"""Characters of all pages of a todo up to which they are read whole: rarity of words is judged better on more text."""

_HITS: TypeAdapter[tuple[Hit, ...]] = TypeAdapter(tuple[Hit, ...])
_POINT: TypeAdapter[Point] = TypeAdapter(Point)
RESULT: TypeAdapter[TodoResult] = TypeAdapter(TodoResult)


async def execute(
    todo: Todo, run: str, topic: Topic, crew: Crew, at_most: int = POINTS, unsupported: Unsupported = "drop"
) -> TodoResult:
    """Research one todo and say how it went.

    Args:
        todo: what to find out.
        run: id of the run, for the note.
        topic: the question that the todo belongs to.
        crew: those who do the work.
        at_most: most points that the todo may have.
        unsupported: what becomes of a point that no page holds.

    Raises:
        SearchFailed: the search could not be made; the loop turns this and anything unforeseen into a failed todo.
    """

    async def work() -> TodoResult:
        return await Work(todo, topic, crew, at_most, unsupported).do()

    result = await recall(crew.journal, result_key(todo, at_most), "todo", RESULT, work)
    if result.points:
        await _save_note(todo, run, topic, result, crew)
    return result


async def find_hits(query: str, attempt: int, topic: Topic, crew: Crew) -> tuple[Hit, ...]:
    """Return what a query finds: searched once in each attempt, whoever asks first. Raises SearchFailed."""

    async def ask() -> tuple[Hit, ...]:
        return tuple(await crew.search.search(make_query(query, crew.reach.hits, topic, crew.reach.scope)))

    mark = hashlib.sha256(f"{attempt} {query}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return await recall(crew.journal, f"search:{mark}", "search", _HITS, ask)


@lru_cache(maxsize=32)  # the pages of one run; of 35 KB each takes 0.2 MB
def find_places(page: Page, number: int, around: tuple[Span, ...] = ()) -> tuple[Places, bool]:
    """Return the passages of a page that may be shown, by label, and whether others give orders to their reader.

    Done once for a page that is fetched early, and for one that runs of this process read at the same time.

    Args:
        page: what was read.
        number: of the page among those of its todo.
        around: stretches of its text to look at; without any, all of it.
    """
    split = split_page(page, number, around)
    shown = {passage.label: (page, passage) for passage in split if not gives_orders(passage.text)}
    return shown, len(shown) < len(split)


def limit_points(request: Request) -> int:
    """Return the most points that a todo of a run may have.

    A short report may have all its points in one section, so that the strongest are chosen among enough; a long one is not made
    of longer sections.
    """
    usual = _POINTS[request.manner.length]
    most = request.max_points or usual
    return most if most <= SHORT else usual


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
    unsupported: Unsupported

    async def do(self) -> TodoResult:
        """Search, read, summarise and check."""
        hits = await self._search()
        read, not_read = await self._read(hits)
        if not read:
            return self._nothing(not_read)
        pages = [page for _, page in read]
        places, ordering = self._split(read)
        points, dropped = await self._summarise(places)
        cited = await self._find_cited(points, pages)
        return TodoResult(
            key=self.todo.key,
            status="completed" if points else "empty",
            points=tuple(points),
            dropped=tuple(dropped),
            sources=tuple(_as_source(page) for page in cited),
            read=tuple(page.id for page in pages),
            not_read=tuple(not_read),
            ordering=tuple(ordering),
            snippets=tuple(page.id for page in pages if page.kind == "snippet"),
        )

    async def _search(self) -> tuple[Hit, ...]:
        await self._say("searching", phrases(self.topic.language).say("searching", query=self.todo.query))

        return await find_hits(self.todo.query, self.todo.attempt, self.topic, self.crew)

    async def _read(self, hits: Sequence[Hit]) -> tuple[list[tuple[Hit, Page]], list[NotRead]]:
        """The hits that gave a page, each page once, and those that gave none; later hits stand in for these."""
        waiting = list({address_key(hit.address): hit for hit in reversed(hits)}.values())
        read: dict[str, tuple[Hit, Page]] = {}
        not_read: list[NotRead] = []
        while waiting and len(read) < self.crew.reach.pages:
            batch = [waiting.pop() for _ in range(min(len(waiting), self.crew.reach.pages - len(read)))]
            for hit, answer in zip(batch, await asyncio.gather(*map(self._read_hit, batch)), strict=True):
                if isinstance(answer, NotRead):
                    not_read.append(answer)
                else:
                    read.setdefault(answer.id, (hit, answer))
        message = phrases(self.topic.language).count("reading", len(read), title=self.todo.title)
        await self._say("reading", message)
        await self._emit_sources([page for _, page in read.values()])
        return list(read.values()), not_read

    async def _read_hit(self, hit: Hit) -> Page | NotRead:
        return await self.crew.reader.read(hit.model_copy(update={"attempt": self.todo.attempt}))

    def _split(self, read: Sequence[tuple[Hit, Page]]) -> tuple[Places, list[str]]:
        """The passages that may be shown, and the addresses of pages with others, which give orders to their reader."""
        places: dict[str, tuple[Page, Passage]] = {}
        ordering: list[str] = []
        small = sum(len(page.text) for _, page in read) <= WHOLE
        for number, (hit, page) in enumerate(read, 1):
            around = () if small else (Span(start=max(0, span.start - AROUND), end=span.end + AROUND) for span in hit.spans)
            shown, orders = find_places(page, number, tuple(around))
            places.update(shown)
            ordering += [page.address] * orders
        return places, ordering

    async def _summarise(self, places: Places) -> tuple[list[Point], list[Dropped]]:
        pages = {page.id: page for page, _ in places.values()}
        points = await self._remember_points()
        kept = list(points)
        dropped: list[Dropped] = []
        order: dict[str, int] = {}
        async for number, checked in self._check(places):
            verdict = decide(checked, self._name_point(len(points) + 1), phrases(self.topic.language), self.unsupported)
            if isinstance(verdict, Dropped):
                dropped.append(verdict)
            elif len(points) < self.at_most and not any(same(point.text, verdict.text) for point in kept):
                order[verdict.id] = number
                points.append(await self._keep(verdict, pages))
        return sorted(points, key=lambda point: order.get(point.id, 0)), dropped

    async def _check(self, places: Places) -> AsyncIterator[tuple[int, Checked]]:
        """Yield the analyst's drafts with their places in its order: first what code can decide, then what had to be asked."""
        passages = [passage for _, passage in places.values()]
        undecided: dict[int, Checked] = {}
        number = 0
        async for draft in self.crew.analyst.summarise(self.topic, self.todo, passages, self.at_most):
            number += 1
            checked = check(read_draft(draft, places), places)
            if checked.is_firm:
                yield number, checked
            else:
                undecided[number] = checked
        appeal = Appeal(self.topic, self.todo.key, places, self.crew.analyst, self.crew.journal)
        for one, checked in zip(undecided, await appeal.hear(list(undecided.values())), strict=True):
            yield one, checked

    def _name_point(self, number: int) -> str:
        return f"{self.todo.key}-{number}"

    async def _remember_points(self) -> list[Point]:
        """The points that were kept before a crash: they stay as they are, and what is found now comes behind them."""
        points: list[Point] = []
        while (point := await remember(self.crew.journal, self._name_point(len(points) + 1), "point", _POINT)) is not None:
            points.append(await self._tell(point))
        return points

    async def _keep(self, point: Point, pages: Mapping[str, Page]) -> Point:
        """Save the pages that a point cites, then the point, then tell of it."""
        for evidence in point.evidence:
            await self.crew.snapshots.save(pages[evidence.page])

        async def give() -> Point:
            return point

        return await self._tell(await recall(self.crew.journal, point.id, "point", _POINT, give))

    async def _tell(self, point: Point) -> Point:
        await self.crew.journal.emit(PointEvent(todo=self.todo.id, point=point), f"point:{point.id}")
        return point

    async def _find_cited(self, points: Sequence[Point], pages: Sequence[Page]) -> list[Page]:
        """The pages that points cite, in order of reading; then those that have changed since they were cited."""
        cited = dict.fromkeys(evidence.page for point in points for evidence in point.evidence)
        read = [page for page in pages if page.id in cited]
        changed = [page for page in cited if page not in {p.id for p in read}]
        return [*read, *[await self.crew.snapshots.load(page) for page in changed]]

    def _nothing(self, not_read: Sequence[NotRead]) -> TodoResult:
        reason = "; ".join(dict.fromkeys(n.reason for n in not_read))
        return TodoResult(
            key=self.todo.key,
            status="failed" if reason else "empty",
            reason=reason,
            not_read=tuple(not_read),
        )

    async def _say(self, key: str, message: str) -> None:
        await self.crew.journal.emit(StatusEvent(message=message), f"status:{self.todo.key}:{key}")

    async def _emit_sources(self, pages: Sequence[Page]) -> None:
        event = SourcesEvent(todo=self.todo.id, sources=tuple(_as_source(page) for page in pages))
        await self.crew.journal.emit(event, f"sources:{self.todo.key}")


def _as_source(page: Page) -> Source:
    return Source(page=page.id, genre=find_genre(page.address), **{name: getattr(page, name) for name in Card.model_fields})


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

"""Fakes that come through the same doors as the real ones: research without files, models or a network.

corpus = Corpus({"a.md": "VACUUM reclaims the space of dead rows."})
analyst = ScriptedAnalyst(plan=[Todo(id=1, title="VACUUM", query="vacuum")])
"""

import asyncio
import datetime as dt
import hashlib
import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from leadline.errors import SearchFailed
from leadline.grounding.tokens import terms
from leadline.ports import SearchBackend
from leadline.records import (
    Draft,
    Hit,
    NotRead,
    Outline,
    Page,
    Passage,
    Plan,
    Query,
    Quote,
    Repair,
    Sentence,
    Survey,
    Todo,
    Topic,
)


class Corpus:
    """A search backend and reader over texts in memory. A page is found when it shares a word with the query.

    Args:
        texts: address → text of the page, or an exception that reading it raises.
        fault: called with each query before it is answered; it may raise, sleep or count.
    """

    name = "corpus"

    def __init__(self, texts: Mapping[str, str | Exception], fault: Callable[[str], None] | None = None) -> None:
        self.texts = dict(texts)
        self.queries: list[str] = []
        self.asked: list[Query] = []
        self._fault = fault

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return the pages that share a word with the query, those that share most first."""
        self.queries.append(query.text)
        self.asked.append(query)
        if self._fault:
            self._fault(query.text)
        await asyncio.sleep(0)
        wanted = set(terms(query.text))
        found = [(len(wanted & set(terms(f"{address} {text}"))), address) for address, text in self.texts.items()]
        ranked = sorted((-shared, address) for shared, address in found if shared)
        return [
            Hit(backend=self.name, address=address, title=address, score=-shared) for shared, address in ranked[: query.limit]
        ]

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return the page of a hit; raise what was planted there."""
        text = self.texts.get(hit.address)
        if isinstance(text, Exception):
            raise text
        if not text:
            return NotRead(address=hit.address, reason=f"{hit.address} is empty")
        mark = hashlib.sha256(text.encode()).hexdigest()
        return Page(id=mark, address=hit.address, text=text, title=hit.address)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that a scripted analyst was asked: its kind, and the drafts and passages that it was shown."""

    kind: Literal["summarise", "locate", "repair"]
    drafts: tuple[Draft, ...]
    passages: tuple[Passage, ...]


class ScriptedAnalyst:
    """An analyst that says what it was told to say, and remembers what it was asked.

    Args:
        plan: the todos that it plans.
        points: query of a todo → its drafts; without one it repeats the first sentence of every source.
        pause: awaited before each draft, for tests that stop a run half-way.
        located: answers to `locate`, one a question, in turn; then it names nothing.
        repaired: answers to `repair`, likewise; then it repairs nothing.
        fault: raised by `locate` and `repair` when they are asked.
        obey: whether it does what passages tell it to do: what gives an order becomes a point, and so does what is ordered.
    """

    name = "scripted"

    def __init__(
        self,
        plan: Sequence[Todo],
        points: Mapping[str, Sequence[Draft]] | None = None,
        pause: Callable[[Todo], Awaitable[None]] | None = None,
        located: Sequence[Sequence[Quote]] = (),
        repaired: Sequence[Repair] = (),
        fault: Exception | None = None,
        obey: bool = False,
    ) -> None:
        self.todos = tuple(plan)
        self.points = points or {}
        self.summarised: list[str] = []
        self.history: list[Asked] = []
        self._pause = pause
        self._located, self._repaired = deque(located), deque(repaired)
        self._fault, self._obey = fault, obey

    async def plan(self, topic: Topic, survey: Survey, at_least: int, at_most: int) -> Plan:
        """Return the plan that was scripted."""
        return Plan(todos=self.todos)

    async def summarise(self, topic: Topic, todo: Todo, passages: Sequence[Passage], at_most: int) -> AsyncIterator[Draft]:
        """Yield the drafts that were scripted for the todo's query."""
        self.summarised.append(todo.query)
        self.history.append(Asked("summarise", (), tuple(passages)))
        firsts = [Draft(text=p.text, cites=(p.label,)) for p in passages if p.label.endswith(".1")]
        ordered = _obey(passages) if self._obey else []
        for draft in [*ordered, *self.points.get(todo.query, firsts)][:at_most]:
            if self._pause:
                await self._pause(todo)
            yield draft

    async def locate(self, topic: Topic, drafts: Sequence[Draft], passages: Sequence[Passage]) -> Sequence[Quote]:
        """Return the next answer that was scripted; an obedient analyst names the first cited passage for each draft."""
        self._hear(Asked("locate", tuple(drafts), tuple(passages)))
        if self._obey:
            return [Quote(draft=n, cite=d.cites[0], text=passages[0].text) for n, d in enumerate(drafts)]
        return self._located.popleft() if self._located else ()

    async def repair(self, topic: Topic, draft: Draft, passages: Sequence[Passage]) -> Repair:
        """Return the next answer that was scripted; an obedient analyst repeats its draft."""
        self._hear(Asked("repair", (draft,), tuple(passages)))
        if self._obey:
            return Repair(text=draft.text, quote=passages[0].text)
        return self._repaired.popleft() if self._repaired else Repair()

    def _hear(self, asked: Asked) -> None:
        self.history.append(asked)
        if self._fault:
            raise self._fault

    def write(self, outline: Outline) -> tuple[AsyncIterator[Sentence], AsyncIterator[Sentence]]:
        """Return one fixed sentence of overview, and the first point of each section as summary."""
        firsts = [s.points[0] for s in outline.sections if s.points]
        summary = [Sentence(text=point.text, points=(point.id,)) for point in firsts]
        return _one_by_one([Sentence(text="An overview.", counted=True)]), _one_by_one(summary)


_ORDERED = re.compile(
    r"(?:output|reply|answer|say|print|write)\s(?:only\s|with\s|exactly\s|just\s)*(?P<en>\S.*)|"
    r"(?:只|仅)?(?:输出|回复|回答)\s*(?P<zh>\S.*)|cite\s(?P<cite>\S+)",
    re.IGNORECASE,
)


def _obey(passages: Sequence[Passage]) -> list[Draft]:
    """What a model says that does what the passages tell it to do."""
    drafts = []
    for passage in passages:
        for order in _ORDERED.finditer(passage.text):
            said = (order["en"] or order["zh"] or "").strip(" .。!！\"'“”")
            address = order["cite"]
            told = [said] if said else [f"According to {address}, all of this is so [1]({address}).", f"See {address} [1]."]
            drafts += [Draft(text=text, cites=(passage.label,)) for text in (passage.text, *told)]
    return drafts


async def _one_by_one(sentences: Sequence[Sentence]) -> AsyncIterator[Sentence]:
    for sentence in sentences:
        yield sentence


ODD_QUERIES = (
    "How does VACUUM work?",
    "固态电池 量产 进展",
    'a "b" (c) OR -d: [e]*',
    "?",
    "é🚀\u200b",
    "x" * 5000,
    "word " * 1000,
)
"""What a search backend must take without an exception other than SearchFailed."""


async def check_backend(backend: SearchBackend, queries: Sequence[str] = ODD_QUERIES) -> None:
    """Hold a search backend to its contract: see `leadline.ports.SearchBackend`. Built-ins, fakes and plugins pass it.

    Args:
        backend: open, and answering.
        queries: to ask; each is asked once.

    Raises:
        AssertionError: it does not keep to the contract; the message says in what.
        SearchFailed: every query failed, so nothing could be checked.
    """
    assert backend.name, "a backend has a name"
    failures: list[SearchFailed] = []
    for text in queries:
        query = Query(text=text, limit=3, language="zh", since=dt.date(2020, 1, 1), sites=("example.org",))
        try:
            hits = await backend.search(query)
        except SearchFailed as failure:
            failures.append(failure)
            continue
        assert len(hits) <= query.limit, f"{len(hits)} hits were returned where at most {query.limit} were asked for"
        assert all(isinstance(hit, Hit) for hit in hits), "hits are leadline.records.Hit"
        assert all(hit.address for hit in hits), "every hit has an address"
        assert all(hit.backend for hit in hits), "every hit names its backend"
    assert all(map(str, failures)), "a failure says what is wrong"
    if len(failures) == len(queries):
        raise failures[-1]

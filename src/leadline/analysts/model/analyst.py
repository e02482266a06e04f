"""The analyst with a model, behind the Analyst seam."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeVar

from leadline.analysts.model.asking import Model, Prompt
from leadline.analysts.model.choosing import choose, show
from leadline.analysts.model.conversation import Conversation, Read, speaks
from leadline.analysts.model.material import number_points, show_passages, show_sections, show_survey
from leadline.analysts.model.prompting import manner_text, name_language, neutralise, render
from leadline.analysts.model.shapes import (
    Statement,
    has_empty_list,
    read_queries,
    read_quotes,
    read_repair,
    read_statements,
    read_todos,
)
from leadline.errors import LimitReached, ModelFailed
from leadline.models import Manner, Stage
from leadline.ports import Account, Analyst
from leadline.records import Draft, Outline, Passage, Plan, Quote, Repair, Sentence, Survey, Todo, Topic

T = TypeVar("T")

_REPLIES: dict[Stage, int] = {"plan": 500, "summarise": 1000, "locate": 1000, "repair": 250, "review": 500, "write": 400}
"""Tokens that an answer needs."""

_ROOM = 4
"""Times as many may come: reasoning counts as answer."""

_MATERIAL = 3200
"""Tokens of passages in one prompt: some eighty sentences. More cost more than they add, and small models lose the thread."""

_MARGIN = 64
"""Tokens kept free: estimates are estimates, and chat templates add some."""

_SENTENCES = {"short": "two", "normal": "three or four", "long": "five to seven"}


class ModelAnalyst:
    """Plans, summarises, locates, repairs, reviews and writes by asking a model.

    Args:
        model: for everything but summaries.
        fast: for summaries.
        account: told what went otherwise than it should.
        manner: how to write.
        stand_in: writes overview and summary where the model does not.
    """

    def __init__(self, model: Model, fast: Model, account: Account, manner: Manner, stand_in: Analyst) -> None:
        self.name = " + ".join(dict.fromkeys((model.name, fast.name)))
        self._model, self._fast = model, fast
        self._account, self._manner, self._stand_in = account, manner, stand_in
        self._conversation = Conversation()
        self._hear: Callable[[str], None] = lambda query: None
        self._todo_of: dict[str, int] = {}

    def foresee(self, hear: Callable[[str], None]) -> None:
        """Tell of queries while the plan is still being written."""
        self._hear = hear

    async def plan(self, topic: Topic, survey: Survey, at_least: int, at_most: int) -> Plan:
        """Return the model's plan; where it gives none, even when asked again, the topic itself is the only todo.

        Raises:
            ModelFailed: the model cannot be asked.
        """
        number = str(at_least) if at_least == at_most else f"{at_least} to {at_most}"
        prompt = await self._fit(
            "plan", "plan", lambda _: {"number": number, "survey": show_survey(survey), **self._ask_topic(topic, today=True)}
        )

        def read(text: str, again: bool) -> Sequence[Todo] | None:
            return _choose(read_todos(text, topic.text), again, topic.language, lambda todo: todo.title) or None

        told: set[str] = set()

        def tell(text: str) -> None:
            for query in read_queries(text)[:at_most]:
                if query not in told:
                    told.add(query)
                    self._hear(query)

        try:
            todos = await self._ask(prompt, topic, read, tell)
        except ModelFailed as error:
            if error.kind != "unusable":
                raise
            await self._account.remark("model_no_plan", model=error.model)
            todos = [Todo(id=1, title=topic.text, query=topic.text)]
        return Plan(todos=tuple(todo.model_copy(update={"id": number}) for number, todo in enumerate(todos, 1)))

    async def review(self, outline: Outline, at_most: int) -> Sequence[Todo]:
        """Return todos for what the model finds missing or contradictory.

        Raises:
            ModelFailed: the model gave nothing that can be read, even when asked again.
        """
        topic = outline.topic
        prompt = await self._fit(
            "review",
            "review",
            lambda room: {
                "number": str(at_most),
                "sections": show_sections(outline, room),
                **self._ask_topic(topic, today=True),
            },
        )

        def read(text: str, again: bool) -> Sequence[Todo] | None:
            todos = _choose(read_todos(text, topic.text), again, topic.language, lambda todo: todo.title)
            return todos or ([] if has_empty_list(text) else None)

        return (await self._ask(prompt, topic, read))[:at_most]

    async def summarise(self, topic: Topic, todo: Todo, passages: Sequence[Passage], at_most: int) -> AsyncIterator[Draft]:
        """Yield the model's points as they come, each citing all sentences that its labels stand for.

        Raises:
            ModelFailed: the model gave nothing that can be read, even when asked again.
        """
        if not passages:
            return
        labels: dict[str, tuple[str, ...]] = {}

        def show_chosen(room: int) -> dict[str, str]:
            wanted = f"{todo.query} {todo.title} {todo.intent}"
            extracts = choose(passages, wanted, room) if room > 0 else []
            labels.update({e.label: tuple(passage.label for passage in e.passages) for e in extracts})
            return {
                "title": neutralise(todo.title),
                "intent": neutralise(todo.intent or todo.query),
                "number": str(at_most),
                "passages": show(extracts),
                **self._ask_topic(topic),
            }

        prompt = await self._fit("summarise", "summarise", show_chosen, todo.id, todo.key)
        place = 0
        async for statement in self._state(self._fast, prompt, topic.language):
            place += 1
            cites = dict.fromkeys(label for cite in statement.cites for label in labels.get(cite, (cite,)))
            self._todo_of[statement.text] = todo.id
            yield Draft(text=statement.text, cites=tuple(cites), score=1 / place)

    async def locate(self, topic: Topic, drafts: Sequence[Draft], passages: Sequence[Passage]) -> Sequence[Quote]:
        """Return the words that the model names.

        Raises:
            ModelFailed: the model gave nothing that can be read, even when asked again.
        """
        said = "\n".join(f"{number}. {neutralise(d.text)} [{', '.join(d.cites)}]" for number, d in enumerate(drafts, 1))
        prompt = await self._fit(
            "locate",
            "locate",
            lambda room: {"drafts": said, "passages": show_passages(passages, room)},
            self._find_todo(drafts),
        )

        def read(text: str, again: bool) -> Sequence[Quote] | None:
            return read_quotes(text) or ([] if has_empty_list(text) else None)

        return [q for q in await self._ask(prompt, topic, read) if 0 <= q.draft < len(drafts)]

    async def repair(self, topic: Topic, draft: Draft, passages: Sequence[Passage]) -> Repair:
        """Return the draft as the model says it again; an empty one where the passages say nothing of it.

        Raises:
            ModelFailed: the model gave nothing that can be read, even when asked again.
        """
        prompt = await self._fit(
            "repair",
            "repair",
            lambda room: {
                "draft": neutralise(draft.text),
                "passages": show_passages(passages, room),
                "manner": manner_text(topic.language, self._manner),
            },
            self._find_todo([draft]),
        )

        def read(text: str, again: bool) -> Sequence[Repair] | None:
            return _choose(read_repair(text), again, topic.language, lambda repair: repair.text) or None

        return (await self._ask(prompt, topic, read))[-1]

    def write(self, outline: Outline) -> tuple[AsyncIterator[Sentence], AsyncIterator[Sentence]]:
        """Return overview and summary; those of the stand-in where there is no point, or the model gives none."""
        overview, summary = self._stand_in.write(outline)
        if not any(section.points for section in outline.sections):
            return overview, summary
        return self._write("overview", outline, overview), self._write("summary", outline, summary)

    async def _write(self, name: str, outline: Outline, instead: AsyncIterator[Sentence]) -> AsyncIterator[Sentence]:
        labels, said = number_points(outline), False
        try:
            prompt = await self._fit(
                name,
                "write",
                lambda room: {
                    "sections": show_sections(outline, room),
                    "number": _SENTENCES[self._manner.length],
                    **self._ask_topic(outline.topic),
                },
            )
            async for statement in self._state(self._model, prompt, outline.topic.language):
                points = tuple(labels[cite] for cite in statement.cites if cite in labels)
                if points:
                    said = True
                    yield Sentence(text=statement.text, points=points)
        except (ModelFailed, LimitReached) as error:
            await self._account.remark("model_no_text", model=self._model.name, reason=str(error))
        if not said:
            async for sentence in instead:
                yield sentence

    async def _state(self, model: Model, prompt: Prompt, language: str) -> AsyncIterator[Statement]:
        """Yield statements as they come; those in another language only when the model, asked twice, has no others."""

        def read(text: str, again: bool) -> Sequence[Statement] | None:
            found = _choose(read_statements(text), again, language, lambda statement: statement.text)
            return found or ([] if has_empty_list(text) else None)

        told: set[Statement] = set()
        async for found in self._conversation.ask(model, prompt, language, read):
            for statement in found:
                if statement not in told:
                    told.add(statement)
                    yield statement

    async def _ask(self, prompt: Prompt, topic: Topic, read: Read[T], hear: Callable[[str], None] | None = None) -> Sequence[T]:
        answers = [found async for found in self._conversation.ask(self._model, prompt, topic.language, read, hear)]
        return answers[-1] if answers else ()

    def _ask_topic(self, topic: Topic, today: bool = False) -> dict[str, str]:
        """The variables that most prompts have."""
        values = {
            "topic": neutralise(topic.text),
            "manner": manner_text(topic.language, self._manner),
            "language": name_language(topic.language),
        }
        return {**values, "today": topic.today.isoformat()} if today else values

    def _find_todo(self, drafts: Sequence[Draft]) -> int:
        return next((self._todo_of[draft.text] for draft in drafts if draft.text in self._todo_of), 0)

    async def _fit(
        self, name: str, stage: Stage, values: Callable[[int], dict[str, str]], todo: int = 0, key: str = ""
    ) -> Prompt:
        """Return a prompt that leaves room for its answer in the model's window.

        Args:
            name: of the prompt.
            stage: what it is for.
            values: makes its variables, with as much material as there are tokens for.
            todo: number of the todo that it belongs to.
            key: what else makes it another question.
        """
        window = await (self._fast if stage == "summarise" else self._model).window()
        reply = min(_REPLIES[stage] * _ROOM, max(window // 4, 256))
        bare = Prompt(*render(name, **values(0)), stage=stage, reply=reply)
        room = min(_MATERIAL, window - reply - bare.tokens - _MARGIN)
        system, user = render(name, **await asyncio.to_thread(values, room))
        return Prompt(system, user, stage, reply, todo, key)


def _choose(found: Sequence[T], again: bool, language: str, text: Callable[[T], str]) -> list[T]:
    """Return what is said in the right language; all of it, when it was asked for twice."""
    return [one for one in found if again or speaks(text(one), language)]

"""What a run with models may use and whom it may ask, over all its lives."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from bench.chat import Asked, ChatServer, Reply, good_model
from tests.analysts.model.conftest import QUESTION
from tests.pipeline.conftest import TEXTS, TOPIC, Rig, rig

from leadline import api
from leadline.analysts.model.analyst import ModelAnalyst
from leadline.analysts.model.asking import Piece, Prompt
from leadline.analysts.model.hiring import find_endpoint
from leadline.analysts.model.wrappers import Metered
from leadline.clock import SystemClock
from leadline.desk import open_desk
from leadline.errors import UsageError
from leadline.events import PlanEvent, UsageEvent
from leadline.models import Limits, Manner, ModelChoice
from leadline.pipeline.allowance import Allowance
from leadline.pipeline.crew import Reach
from leadline.pipeline.loop import conduct
from leadline.pipeline.phrases import phrases
from leadline.settings import load_settings
from leadline.testing import Corpus

__all__ = ["rig"]


class GoodModel:
    """The good model of `bench.chat` without a wire. It ends no answer before `until` is set."""

    name = "paid:good"

    def __init__(self, until: asyncio.Event | None) -> None:
        self._until = until

    async def window(self) -> int:
        return 8192

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        messages = [{"content": prompt.system}, {"content": prompt.user}]
        yield Piece(good_model(Asked("", {"messages": messages}, {})).text)
        if self._until:
            await asyncio.wait_for(self._until.wait(), 60)


def hire(rig: Rig, limits: Limits, price: float, until: asyncio.Event | None = None) -> tuple[ModelAnalyst, Allowance]:
    account = Allowance(limits, rig.store.journal("run1"), SystemClock(), phrases("en"))
    model = Metered(GoodModel(until), account, lambda asked, answered: price)
    return ModelAnalyst(model, model, account, Manner(), rig.analyst), account


async def test_money_stops_a_run_after_the_call_that_reaches_its_limit_and_is_told_after_each(rig: Rig) -> None:
    limits = Limits(cost=0.25)
    analyst, account = hire(rig, limits, price=0.1)
    request = rig.request.model_copy(update={"plan": None, "limits": limits})
    outcome = await conduct("run1", TOPIC, request, replace(rig.crew(), analyst=analyst, account=account))
    assert outcome.status == "incomplete"
    assert "0.25" in outcome.report.notices[0]
    assert (outcome.usage.model_calls, outcome.usage.cost) == (3, 0.3)
    told = [event.usage for event in await rig.events() if isinstance(event, UsageEvent)]
    assert [(usage.model_calls, usage.cost) for usage in told[:3]] == [(1, 0.1), (2, 0.2), (3, 0.3)]
    assert told[0].prompt_tokens > 0


async def test_what_earlier_lives_have_paid_counts(rig: Rig) -> None:
    for price in (0.1, 0.0):
        analyst, account = hire(rig, Limits(cost=0.25), price)
        request = rig.request.model_copy(update={"plan": None})
        outcome = await conduct("run1", TOPIC, request, replace(rig.crew(), analyst=analyst, account=account))
        assert (outcome.usage.model_calls, outcome.usage.cost) == (3, 0.3)


async def test_a_run_that_is_killed_while_a_model_answers_goes_on_from_what_was_written_down(
    documents: Path, tmp_path: Path
) -> None:
    """What kill -9 leaves is what the database holds at that moment: a copy of it is taken while a summary is being made."""
    settings = load_settings()
    left = replace(settings, home=tmp_path / "left")
    left.home.mkdir()

    def answer(asked: Asked) -> Reply:
        if asked.stage == "summarise" and not (left.home / "leadline.db").exists():
            with (
                closing(sqlite3.connect(settings.home / "leadline.db")) as of,
                closing(sqlite3.connect(left.home / "leadline.db")) as to,
            ):
                of.backup(to)
        return good_model(asked)

    async with ChatServer(answer) as server:
        async with open_desk(settings) as desk:
            choice = ModelChoice(name="compatible:good", url=server.url)
            run = await desk.take(api.make_request(QUESTION, sources=[documents], model=choice))
            await desk.perform(run.id)
            whole = await desk.store.runs.load(run.id)
        first, server.asked = server.asked, []
        async with open_desk(left) as desk:
            await desk.perform(run.id)
            resumed = await desk.store.runs.load(run.id)
    assert [point.text for point in resumed.points] == [point.text for point in whole.points]
    assert "plan" not in {asked.stage for asked in server.asked}
    assert Counter(a.user for a in server.asked) == Counter(a.user for a in first if a.stage != "plan")
    assert resumed.usage.model_calls == len(first) + 1  # the call that was cut off may have been paid for


async def test_queries_are_searched_for_while_the_plan_is_still_written(rig: Rig) -> None:
    searched = asyncio.Event()
    rig.corpus = Corpus(TEXTS, fault=lambda query: searched.set())
    analyst, account = hire(rig, Limits(), price=0.0, until=searched)
    crew = replace(rig.crew(), analyst=analyst, account=account, reach=Reach(surveyed=0))
    outcome = await conduct("run1", TOPIC, rig.request.model_copy(update={"plan": None}), crew)
    assert sorted(rig.corpus.queries) == sorted(todo.query for todo in outcome.plan.todos)


async def test_nothing_is_searched_for_before_a_person_has_seen_the_plan(rig: Rig) -> None:
    analyst, account = hire(rig, Limits(), price=0.0)
    crew = replace(rig.crew(), analyst=analyst, account=account, reach=Reach(surveyed=0))
    working = asyncio.create_task(conduct("run1", TOPIC, rig.request.model_copy(update={"plan": None, "review": True}), crew))
    plan = await anext(e.event async for e in rig.store.runs.watch("run1") if isinstance(e.event, PlanEvent))
    assert plan.plan.todos
    assert rig.corpus.queries == []
    await rig.store.runs.signal("run1", "approve")
    await working
    assert rig.corpus.queries


@pytest.mark.parametrize(
    "choice",
    [
        ModelChoice(name="compatible:m", url="http://192.0.2.7:8000"),
        ModelChoice(name="ollama:m", url="http://10.0.0.7:11434"),
        ModelChoice(name="compatible:m", url="http://model.localhost:8000"),
        ModelChoice(name="compatible:m", url="http://127.0.0.1.example.com"),
        ModelChoice(name="ollama:m", fast="openai:gpt-4o"),
        ModelChoice(name="ollama:m", fallback="openai:gpt-4o"),
    ],
)
async def test_offline_asks_no_model_beyond_this_machine(
    documents: Path, choice: ModelChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-ABCDEFGH")
    with pytest.raises(UsageError, match="--offline does not allow"):
        await api.research(QUESTION, sources=[documents], model=choice, offline=True, keep=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"])
def test_this_machine_is_known_however_it_is_spelled(host: str) -> None:
    assert find_endpoint("compatible:m", f"http://{host}:8000", lambda name, variables: "").is_local

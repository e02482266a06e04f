"""What a run would use, before anything is asked: from the same numbers that the run itself goes by."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leadline.desk import Desk
from leadline.pipeline.loop import describe_start
from leadline.pipeline.phrases import phrases
from leadline.pipeline.plan import FEWEST, MOST
from leadline.records import Request
from leadline.wiring import assembled, find_models, make_run, settle_models

if TYPE_CHECKING:
    from leadline.analysts.model.providers import Endpoint

Between = tuple[int, int]
"""The least and the most that is to be expected."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would use.

    Attributes:
        start: its first line: analyst, sources, hosts.
        todos: of its first plan.
        searches: without those of further rounds.
        pages: read at most.
        calls: of models.
        prompt_tokens: in all those calls.
        completion_tokens: likewise.
        cost: in US dollars; None where a price is not known.
    """

    start: str
    todos: Between
    searches: Between
    pages: int
    calls: Between
    prompt_tokens: Between
    completion_tokens: Between
    cost: tuple[float, float] | None


_PLAN, _POINTS, _ASIDE, _TEXT = (600, 250), (4000, 700), (1500, 300), (1500, 130)
"""Tokens of prompt and answer: of a plan, of a todo's points, of a question about its points, of an overview or a summary."""


async def estimate(desk: Desk, request: Request) -> Estimate:
    """Return what a request would use. Each todo costs two calls more where its points have to be asked about.

    Raises:
        UsageError: the run cannot be done as it was asked for.
    """
    request = settle_models(request, desk.settings)
    run = make_run(request)
    endpoints = find_models(request, desk.settings)
    planned = len(request.plan.todos) if request.plan else request.todos
    few, many = (planned, planned) if planned else (FEWEST, MOST)
    async with assembled(run, desk.store, desk.settings) as crew:
        start = describe_start(crew, phrases(run.topic.language))
        surveys = int(request.plan is None and crew.reach.surveyed > 0)
        pages = crew.reach.pages
    least = _add(few, plan=request.plan is None, asides=0) if endpoints else (0, 0, 0)
    most = _add(many * request.depth, plan=request.plan is None, asides=2) if endpoints else (0, 0, 0)
    return Estimate(
        start=start,
        todos=(few, many),
        searches=(few + surveys, many + surveys),
        pages=many * pages,
        calls=(least[0], most[0]),
        prompt_tokens=(least[1], most[1]),
        completion_tokens=(least[2], most[2]),
        cost=_price(endpoints, least, most),
    )


def _add(todos: int, plan: bool, asides: int) -> tuple[int, int, int]:
    """Return calls, tokens of prompts and tokens of answers."""
    counts = ((int(plan), _PLAN), (todos, _POINTS), (todos * asides, _ASIDE), (2, _TEXT))
    return sum(n for n, _ in counts), sum(n * size[0] for n, size in counts), sum(n * size[1] for n, size in counts)


def _price(endpoints: "list[Endpoint]", least: tuple[int, int, int], most: tuple[int, int, int]) -> tuple[float, float] | None:
    """Return the cost as if the dearest model did everything."""
    if not endpoints:
        return 0.0, 0.0
    from leadline.analysts.model.prices import find_cost

    low, high = ([find_cost(endpoint, size[1], size[2]) for endpoint in endpoints] for size in (least, most))
    known = [cost for cost in (*low, *high) if cost is not None]
    return (max(known[: len(low)]), max(known[len(low) :])) if len(known) == len(low) + len(high) else None

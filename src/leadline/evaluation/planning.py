"""Plans from the corpus: how many of a topic's known subtopics the planned todos name, and how many they lead to.

The data is that of SummHay: each topic has about nine subtopics that its documents were written around, in insights.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import leadline
from leadline.evaluation.measures import Measure, find_mean
from leadline.evaluation.summhay import TOLD, Query, Tell, Weights, lay_out, read_summhay
from leadline.grounding.tokens import terms
from leadline.records import Run, Todo

_NAMED = 0.5
"""Share of a subtopic's weight that a todo must hold to name it."""

_FEWEST_TOLD = 2
"""Insights of a subtopic that a section must tell to be about it: one is told in passing."""

_NUMBERS = (5, 9)
"""Todos asked for: what a report has at most by itself, and as many as a topic has subtopics."""


async def measure_plans(data: Path, tell: Tell = lambda _: None) -> list[Measure]:
    """Return, for each number of todos, how many subtopics they name and lead to, of those that so many todos can.

    A todo names a subtopic by the words of its title, intent and query; it leads to the subtopic that its section tells most
    insights of. Beside it, as doing nothing: one todo that is the topic itself. A todo without a word of its own is an echo.

    Raises:
        SourceError: the folder does not hold the data.
    """
    topics, queries = read_summhay(data)
    titles = {query.topic: query.topic_title for query in queries}
    figures: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="leadline-plan-") as folder:
        for topic, title in titles.items():
            place = lay_out(topics[topic], Path(folder, str(topic)))
            weights, wanted = Weights(topics[topic]), [query for query in queries if query.topic == topic]
            for number in (1, *_NUMBERS):
                tell(f"{number} todos: {title}")
                run = await leadline.research(title, sources=[place], todos=number, keep=False, home=Path(folder, "home"))
                named, reached = _find_named(run, wanted, weights), _find_reached(run, wanted, weights)
                for most in _NUMBERS if number == 1 else [number]:
                    nothing = "idle " if number == 1 else ""
                    figures.setdefault(f"{nothing}named {most}", []).extend(_rate(named, most, len(wanted)))
                    figures.setdefault(f"{nothing}reached {most}", []).extend(_rate(reached, most, len(wanted)))
                figures.setdefault("echoes", []).extend(float(_is_echo(todo, title)) for todo in _list_todos(run)[1:])
    measures = [
        Measure(f"plan {kind} of {number}", tuple(figures[f"{kind} {number}"]), find_mean(figures[f"idle {kind} {number}"]))
        for kind in ("named", "reached")
        for number in _NUMBERS
    ]
    return [*measures, Measure("plan echoes", tuple(figures["echoes"]), 1.0, better="less")]


def _rate(met: int, number: int, wanted: int) -> list[float]:
    """Return, for as many subtopics as the todos can meet, whether they meet one."""
    possible = min(number, wanted)
    return [1.0] * min(met, possible) + [0.0] * max(0, possible - met)


def _list_todos(run: Run) -> tuple[Todo, ...]:
    return run.plan.todos if run.plan else ()


def _find_named(run: Run, wanted: Sequence[Query], weights: Weights) -> int:
    said = [f"{todo.title} {todo.intent} {todo.query}" for todo in _list_todos(run)]
    return sum(max(weights.share(query.subtopic, text) for text in said) >= _NAMED for query in wanted)


def _find_reached(run: Run, wanted: Sequence[Query], weights: Weights) -> int:
    reached: set[str] = set()
    for section in run.report.sections if run.report else ():
        told = {query.subtopic_id: _count_told(query, [p.text for p in section.points], weights) for query in wanted}
        best = max(told, key=lambda subtopic: told[subtopic])
        if told[best] >= _FEWEST_TOLD:
            reached.add(best)
    return len(reached)


def _count_told(query: Query, said: Sequence[str], weights: Weights) -> int:
    return sum(any(weights.share(insight.insight, text) >= TOLD for text in said) for insight in query.insights)


def _is_echo(todo: Todo, title: str) -> bool:
    return set(terms(f"{todo.title} {todo.query}")) <= set(terms(title))

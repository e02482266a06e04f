"""Plans from the corpus: how many of a topic's known subtopics the planned todos name.

The data is that of SummHay: each topic has about nine subtopics that its documents were written around.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import leadline
from leadline.evaluation.measures import Measure, find_mean
from leadline.evaluation.summhay import Tell, Weights, lay_out, read_summhay
from leadline.grounding.tokens import terms
from leadline.records import Todo

_MET = 0.5
"""Share of a subtopic's weight that a todo must hold to meet it."""

_NUMBERS = (5, 9)
"""Todos asked for: what a report has at most by itself, and as many as a topic has subtopics."""


async def measure_plans(data: Path, tell: Tell = lambda _: None) -> list[Measure]:
    """Return, for each number of todos, how many subtopics they meet of those that so many todos can meet.

    A todo says what it is about in its title, intent and query. Beside it, as doing nothing: todos that all say the topic. How many
    todos have no word that the topic has not is told too: such a todo is the topic's echo.

    Raises:
        SourceError: the folder does not hold the data.
    """
    topics, queries = read_summhay(data)
    titles = {query.topic: query.topic_title for query in queries}
    measures = []
    echoes: list[float] = []
    with tempfile.TemporaryDirectory(prefix="leadline-plan-") as folder:
        places = {topic: lay_out(topics[topic], Path(folder, str(topic))) for topic in titles}
        for number in _NUMBERS:
            met: list[float] = []
            idle: list[float] = []
            for topic, title in titles.items():
                tell(f"{number} todos: {title}")
                plan = await leadline.make_plan(title, sources=[places[topic]], todos=number, home=Path(folder, "home"))
                weights = Weights(topics[topic])
                wanted = [query.subtopic for query in queries if query.topic == topic]
                met += _count_met(weights, wanted, [_describe(todo) for todo in plan.todos], number)
                idle += _count_met(weights, wanted, [title], number)
                echoes += [float(_is_echo(todo, title)) for todo in plan.todos[1:]]
            measures.append(Measure(f"plan met of {number}", tuple(met), find_mean(idle)))
    return [*measures, Measure("plan echoes", tuple(echoes), 1.0, better="less")]


def _count_met(weights: Weights, wanted: Sequence[str], said: Sequence[str], number: int) -> list[float]:
    """Return, for as many subtopics as the todos can meet, whether they meet one."""
    met = sum(max(weights.share(subtopic, text) for text in said) >= _MET for subtopic in wanted)
    possible = min(number, len(wanted))
    return [1.0] * min(met, possible) + [0.0] * max(0, possible - met)


def _describe(todo: Todo) -> str:
    return f"{todo.title} {todo.intent} {todo.query}"


def _is_echo(todo: Todo, title: str) -> bool:
    return set(terms(f"{todo.title} {todo.query}")) <= set(terms(title))

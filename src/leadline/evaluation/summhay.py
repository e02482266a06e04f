"""SummHay: insights that recur in many of 100 documents, and the documents that hold each (Laban et al., 2024).

The data folder holds `docs.jsonl` (`topic`, `doc_no`, `text`, `insights`) and `queries.jsonl` (`topic`, `topic_title`,
`subtopic_id`, `subtopic`, `query`, `insights`). Answering counts the insights, since a query may be answered
with as many points as it has insights, and never looks at them otherwise.
"""

import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict

import leadline
from leadline.errors import SourceError
from leadline.evaluation.measures import Measure, find_mean
from leadline.evaluation.rows import read_rows, write_text
from leadline.grounding import sentences
from leadline.grounding.tokens import terms
from leadline.records import Run

TOLD = 0.5
"""Share of an insight's weight that a point must hold to tell it."""

Tell = Callable[[str], None]


class Document(BaseModel):
    """A document, and the ids of the insights that it holds."""

    model_config = ConfigDict(frozen=True)

    topic: int
    doc_no: int
    text: str
    insights: tuple[str, ...] = ()


class Insight(BaseModel):
    """What a good answer says."""

    model_config = ConfigDict(frozen=True)

    insight_id: str = ""
    insight: str


class Query(BaseModel):
    """A question about one subtopic of a topic."""

    model_config = ConfigDict(frozen=True)

    topic: int
    topic_title: str = ""
    subtopic_id: str
    subtopic: str = ""
    query: str
    insights: tuple[Insight, ...]


@dataclass(frozen=True, slots=True)
class Bullet:
    """A point of an answer, and the numbers of the documents that it cites."""

    text: str
    citations: tuple[int, ...]


class Weights:
    """How telling words are in the documents of a topic: idf over sentences, with the smoothing of BM25."""

    def __init__(self, documents: Sequence[Document]) -> None:
        parts = [set(terms(d.text[start:end])) for d in documents for start, end in sentences.split(d.text)]
        self._counts = Counter(word for part in parts for word in part)
        self._total = len(parts)

    def share(self, wanted: str, said: str) -> float:
        """Return the share of the weight of one text's words that another holds, 0 to 1."""
        words, held = dict.fromkeys(terms(wanted)), set(terms(said))
        total = sum(map(self._weigh, words))
        return sum(self._weigh(word) for word in words if word in held) / total if total else 0.0

    def _weigh(self, word: str) -> float:
        count = self._counts[word]
        return math.log(1 + (self._total - count + 0.5) / (count + 0.5))


def read_summhay(data: Path) -> tuple[dict[int, list[Document]], list[Query]]:
    """Return the documents by topic, and the queries.

    Raises:
        SourceError: the folder does not hold the data, or a query's topic has no document.
    """
    queries = read_rows(data / "queries.jsonl", Query)
    topics: dict[int, list[Document]] = {}
    for document in read_rows(data / "docs.jsonl", Document):
        topics.setdefault(document.topic, []).append(document)
    for query in queries:
        if query.topic not in topics:
            raise SourceError(
                f"Topic {query.topic!r} of queries.jsonl has no document in docs.jsonl; both must be of one data set."
            )
    return topics, queries


async def measure_summhay(data: Path, out: Path | None = None, tell: Tell = lambda _: None) -> list[Measure]:
    """Answer every query by `leadline.research`; return how much of the insights is told, and how well it is cited.

    Beside it, as doing nothing: the first sentences of the topic's first documents, each citing its own.

    Args:
        data: folder with `docs.jsonl` and `queries.jsonl`.
        out: file for the answers, an object a query: `topic`, `subtopic_id`, `bullets` of `text` and `citations` (`doc_no`).
        tell: is called with a line of progress before each query.

    Raises:
        SourceError: the folder does not hold the data.
        OutputError: the file cannot be written.
    """
    topics, queries = read_summhay(data)
    answers = await _answer_all(topics, queries, tell)
    if out:
        write_text(out, [_as_line(query, bullets) for query, bullets in zip(queries, answers, strict=True)])
    weights = {topic: Weights(documents) for topic, documents in topics.items()}
    scores, idle = [], []
    by_topic: dict[int, list[float]] = {topic: [] for topic in topics}
    for query, bullets in zip(queries, answers, strict=True):
        holders = _find_holders(topics[query.topic])
        scores += [_score(insight, bullets, holders, weights[query.topic]) for insight in query.insights]
        by_topic[query.topic] += [told * cited for told, cited in scores[-len(query.insights) :]]
        nothing = _say_nothing(topics[query.topic], len(query.insights))
        idle += [_score(insight, nothing, holders, weights[query.topic]) for insight in query.insights]
    return [
        Measure("summhay told", tuple(told for told, _ in scores), find_mean([told for told, _ in idle])),
        Measure("summhay citation", tuple(cited for told, cited in scores if told), find_mean([c for t, c in idle if t])),
        Measure("summhay joint", tuple(t * c for t, c in scores), find_mean([t * c for t, c in idle])),
        *(Measure(f"summhay joint of topic {topic}", tuple(joint)) for topic, joint in by_topic.items()),
    ]


def _score(
    insight: Insight, bullets: Sequence[Bullet], holders: Mapping[str, set[int]], weights: Weights
) -> tuple[float, float]:
    """Return whether a point tells the insight, and the F1 of what the closest point cites."""
    shares = [weights.share(insight.insight, bullet.text) for bullet in bullets]
    if not shares or max(shares) < TOLD:
        return 0.0, 0.0
    cited, right = set(bullets[shares.index(max(shares))].citations), holders.get(insight.insight_id, set())
    hit = len(cited & right)
    return 1.0, 2 * hit / (len(cited) + len(right)) if hit else 0.0


def _find_holders(documents: Sequence[Document]) -> dict[str, set[int]]:
    holders: dict[str, set[int]] = {}
    for document in documents:
        for insight in document.insights:
            holders.setdefault(insight, set()).add(document.doc_no)
    return holders


def _say_nothing(documents: Sequence[Document], count: int) -> list[Bullet]:
    firsts = [(document, sentences.split(document.text)[:1]) for document in documents[:count]]
    return [Bullet(d.text[start:end], (d.doc_no,)) for d, spans in firsts for start, end in spans]


async def _answer_all(topics: Mapping[int, Sequence[Document]], queries: Sequence[Query], tell: Tell) -> list[list[Bullet]]:
    with tempfile.TemporaryDirectory(prefix="leadline-summhay-") as folder:
        places = {topic: lay_out(documents, Path(folder, str(topic))) for topic, documents in topics.items()}
        answers = []
        for number, query in enumerate(queries, 1):
            tell(f"{number}/{len(queries)} {query.query}")
            answers.append(_as_bullets(await _answer(query, places[query.topic], Path(folder, "home"))))
        return answers


async def _answer(query: Query, place: Path, home: Path) -> Run:
    most = max(1, len(query.insights))
    return await leadline.research(query.query, sources=[place], max_points=most, keep=False, home=home)


def _as_bullets(run: Run) -> list[Bullet]:
    """Return the points of a run with the numbers of the documents that they cite: a file's name is its number."""
    sources = run.report.references if run.report else ()
    numbers = {source.page: int(PurePosixPath(source.address).stem) for source in sources}
    return [Bullet(p.text, tuple(dict.fromkeys(numbers[evidence.page] for evidence in p.evidence))) for p in run.points]


def _as_line(query: Query, bullets: Sequence[Bullet]) -> str:
    said = [{"text": bullet.text, "citations": list(bullet.citations)} for bullet in bullets]
    return json.dumps({"topic": query.topic, "subtopic_id": query.subtopic_id, "bullets": said})


def lay_out(documents: Sequence[Document], folder: Path) -> Path:
    """Write a topic's documents into a folder, each named by its number, and return the folder."""
    folder.mkdir(exist_ok=True)
    for document in documents:
        (folder / f"{document.doc_no}.txt").write_text(document.text, encoding="utf-8")
    return folder

"""DRAGONBall: the sentences of many documents that a question's answer rests on (Zhu et al., 2024, RAGEval).

The data folder holds `docs.jsonl` (`doc_id`, `text`) and `queries.jsonl` (`id`, `kind`, `question`, `refs`: the sentences).
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from leadline.analysts.extractive.corpus import Corpus
from leadline.analysts.extractive.relevance import is_answered, measure, weigh_query
from leadline.evaluation.measures import Measure, find_mean
from leadline.evaluation.rows import read_rows, write_text
from leadline.evaluation.summhay import Tell
from leadline.grounding.passages import split_page
from leadline.records import Page

_DEPTHS = (5, 10, 20)
_BM25 = {5: 0.277, 10: 0.343, 20: 0.419}
"""Recall of BM25 over passages of three sentences with pairs of characters, measured on other questions of the same set."""

_LENGTH = 3
"""Statements of a text. Those that follow hold more of DRAGONBall's evidence than those on either side: .50 to .47."""

_UNIT_POWER = 1.5
"""Weight of the unit beside its statement; from 1 to 2 recall changes by .02."""

_UNANSWERABLE = "unanswerable"
_BETWEEN = re.compile(r"[\s\*#：:]+")
"""What documents and reference sentences differ in."""


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True)

    doc_id: int
    text: str


class _Question(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: int
    kind: str
    question: str
    refs: tuple[str, ...]

    @property
    def wanted(self) -> list[str]:
        return [_close(ref) for ref in self.refs if ref.strip()]


@dataclass(frozen=True, slots=True)
class _Answer:
    question: _Question
    passages: tuple[str, ...]
    abstained: bool

    def recall(self, depth: int) -> float:
        held = [_close(passage) for passage in self.passages[:depth]]
        wanted = self.question.wanted
        return sum(any(ref in passage for passage in held) for ref in wanted) / len(wanted) if wanted else 0.0


def measure_evidence(data: Path, out: Path | None = None, tell: Tell = lambda _: None) -> list[Measure]:
    """Return the recall of reference sentences in the first passages, and how often a question is left unanswered.

    Beside recall, as doing nothing: the beginnings of the first documents; and the share of the sentences that there is.

    Args:
        data: folder with `docs.jsonl` and `queries.jsonl`.
        out: file for the answers, one JSON object a question: `id`, `passages` (best first), `abstained`.
        tell: is called with a line of progress now and then.

    Raises:
        SourceError: the folder does not hold the data.
        OutputError: the file cannot be written.
    """
    documents, questions = read_rows(data / "docs.jsonl", _Document), read_rows(data / "queries.jsonl", _Question)
    answers = _answer(documents, questions, tell)
    if out:
        write_text(out, map(_as_line, answers))
    asked = [answer for answer in answers if answer.question.kind != _UNANSWERABLE]
    empty = [answer for answer in answers if answer.question.kind == _UNANSWERABLE]
    beginnings = tuple(document.text[:300] for document in documents)
    whole = tuple(document.text for document in documents)
    most = find_mean([_Answer(answer.question, whole, False).recall(len(whole)) for answer in asked])
    recalls = [
        Measure(
            f"evidence recall@{depth}",
            tuple(answer.recall(depth) for answer in asked),
            find_mean([_Answer(answer.question, beginnings, False).recall(depth) for answer in asked]),
            most,
            anchor=f"BM25 {_BM25[depth]}",
        )
        for depth in _DEPTHS
    ]
    return [
        *recalls,
        Measure("evidence abstained rightly", tuple(float(answer.abstained) for answer in empty), 0.0),
        Measure("evidence abstained wrongly", tuple(float(answer.abstained) for answer in asked), 0.0, better="less"),
    ]


def _answer(documents: Sequence[_Document], questions: Sequence[_Question], tell: Tell) -> list[_Answer]:
    pages = [Page(id=f"{d.doc_id:08}", address=str(d.doc_id), text=d.text, title="") for d in documents]
    corpus = Corpus.read([passage for number, page in enumerate(pages, 1) for passage in split_page(page, number)])
    answers = []
    for number, question in enumerate(questions, 1):
        if number % 50 == 1:
            tell(f"{number}/{len(questions)} {question.question}")
        answers.append(_rank(corpus, question))
    return answers


def _rank(corpus: Corpus, question: _Question) -> _Answer:
    """Return the statements that have most to do with a question, best first, each with the two that follow it.

    A statement counts by itself and by its unit. None stands in two texts.
    """
    query = weigh_query(corpus, question.question)
    relevance = measure(corpus, query, question.question)
    worth = {place: score * relevance.units[corpus.units[place]] ** _UNIT_POWER for place, score in relevance.scores.items()}
    texts: list[str] = []
    taken: set[int] = set()
    for place in sorted(worth, key=lambda place: (-worth[place], place)):
        if len(texts) < max(_DEPTHS) and place not in taken:
            near = [other for other in range(place, place + _LENGTH) if corpus.stand_together(place, other)]
            taken.update(near)
            texts.append(" ".join(corpus.passages[other].text for other in near))
    return _Answer(question, tuple(texts), not is_answered(corpus, query, question.question))


def _as_line(answer: _Answer) -> str:
    row = {"id": answer.question.id, "passages": answer.passages, "abstained": answer.abstained}
    return json.dumps(row, ensure_ascii=False)


def _close(text: str) -> str:
    return _BETWEEN.sub("", text)

"""SummHay: insights that recur in many of 100 documents, and the documents that hold each (Laban et al., 2024).

The data folder holds `docs.jsonl` (`topic`, `doc_no`, `text`) and `queries.jsonl` (`topic`, `subtopic_id`, `query`,
`insights`). The answers in it are counted, since a query may be answered with as many points as it has insights, and otherwise
never looked at.
"""

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

import leadline
from leadline.errors import OutputError, SourceError
from leadline.records import Run

_Row = TypeVar("_Row", bound=BaseModel)


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True)

    topic: int
    doc_no: int
    text: str


class _Query(BaseModel):
    model_config = ConfigDict(frozen=True)

    topic: int
    subtopic_id: str
    query: str
    insights: tuple[JsonValue, ...]


async def predict(data: Path, out: Path, tell: Callable[[str], None] = lambda _: None) -> int:
    """Answer every query by `leadline.research` over its topic's documents and write the points with what they cite.

    Args:
        data: folder with `docs.jsonl` and `queries.jsonl`.
        out: file to write, one JSON object a query: `topic`, `subtopic_id`, `bullets` of `text` and `citations` (`doc_no`).
        tell: is called with a line of progress before each query.

    Returns:
        The number of queries answered.

    Raises:
        SourceError: the folder does not hold the data.
        OutputError: the file cannot be written.
    """
    queries = _read(data / "queries.jsonl", _Query)
    with tempfile.TemporaryDirectory(prefix="leadline-summhay-") as folder:
        topics = _lay_out(_read(data / "docs.jsonl", _Document), Path(folder))
        lines = []
        for number, query in enumerate(queries, 1):
            tell(f"{number}/{len(queries)} {query.query}")
            bullets = _as_bullets(await _answer(query, topics, Path(folder)))
            lines.append(json.dumps({"topic": query.topic, "subtopic_id": query.subtopic_id, "bullets": bullets}))
    _write(out, lines)
    return len(lines)


async def _answer(query: _Query, topics: Mapping[int, Path], folder: Path) -> Run:
    if query.topic not in topics:
        raise SourceError(
            f"Topic {query.topic!r} of queries.jsonl has no document in docs.jsonl; both must be of one data set."
        )
    most = max(1, len(query.insights))
    return await leadline.research(
        query.query, sources=[topics[query.topic]], max_points=most, keep=False, home=folder / "home"
    )


def _as_bullets(run: Run) -> list[JsonValue]:
    """Return the points of a run with the numbers of the documents that they cite: a file's name is its number."""
    sources = run.report.references if run.report else ()
    numbers = {source.page: int(PurePosixPath(source.address).stem) for source in sources}
    return [
        {"text": point.text, "citations": list(dict.fromkeys(numbers[evidence.page] for evidence in point.evidence))}
        for point in run.points
    ]


def _lay_out(documents: Sequence[_Document], folder: Path) -> dict[int, Path]:
    topics: dict[int, Path] = {}
    for document in documents:
        place = topics.setdefault(document.topic, folder / f"topic-{document.topic}")
        place.mkdir(exist_ok=True)
        (place / f"{document.doc_no}.txt").write_text(document.text, encoding="utf-8")
    return topics


def _read(path: Path, kind: type[_Row]) -> list[_Row]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [kind.model_validate_json(line) for line in lines if line.strip()]
    except OSError as error:
        raise SourceError(
            f"{path.name!r} cannot be read in {str(path.parent)!r}; --data names the folder of the data."
        ) from error
    except ValidationError as error:
        raise SourceError(f"{path.name!r} is not of the SummHay data: {error.errors()[0]['msg']}.") from error


def _write(out: Path, lines: Sequence[str]) -> None:
    try:
        out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{str(out)!r} cannot be written; name a file in a folder that you may write to.") from error

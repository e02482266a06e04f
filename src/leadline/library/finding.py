"""Finding documents by words: windows by bm25, then documents by their best windows."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.grounding.tokens import query_terms
from leadline.records import Span

_TEXT_WEIGHT, _CONTEXT_WEIGHT = 1.0, 0.5  # a word in a title says less about a passage than a word in the passage
_DECAY = 0.5  # of each further window of a document: many weak matches don't beat one good one
_MOST_SPANS = 8
_FEWEST_WINDOWS = 400
_WINDOWS_PER_DOCUMENT = 12
_MOST_TERMS = 64
# A word in a quarter of all windows tells nothing and costs the most: on 900,000 windows leaving such words out takes a search
# from 1.3 s to 0.25 s at the 95th percentile.
_COMMON_SHARE = 0.25
# In a million windows a word in a tenth of them costs as much: this bound takes a search from 244 ms of CPU to 76 (95th
# percentile).
_MOST_COMMON = 50_000
_FEWEST_FOR_COMMON = 1000
_FEWEST_LEFT = 2


@dataclass(frozen=True, slots=True)
class Found:
    """A document that matched: the best of its windows first."""

    document: int
    score: float
    spans: tuple[Span, ...]
    snippet: str


def find_documents(connection: sqlite3.Connection, query: str, limit: int) -> list[Found]:
    """Return the documents that hold words of the query, best first; equal ones in the order of their numbers.

    Args:
        connection: to an index of this package.
        query: any text; it is taken apart into words, so no syntax can be wrong.
        limit: most documents.
    """
    terms = _drop_common(connection, query_terms(query)[:_MOST_TERMS])
    if not terms:
        return []
    most = max(_FEWEST_WINDOWS, limit * _WINDOWS_PER_DOCUMENT)
    rows = connection.execute(
        "SELECT document, start, end, score FROM (SELECT rowid, bm25(words, ?, ?) AS score FROM words WHERE words MATCH ?"
        " ORDER BY score, rowid LIMIT ?) AS best JOIN windows ON windows.number = best.rowid ORDER BY score, number",
        (_TEXT_WEIGHT, _CONTEXT_WEIGHT, " OR ".join(map(_quote, terms)), most),
    )
    windows: dict[int, list[tuple[int, int, float]]] = {}
    for document, start, end, score in rows:
        windows.setdefault(document, []).append((start, end, -score))
    scored = sorted(windows, key=lambda document: (-_score(windows[document]), document))
    return [_describe(connection, document, windows[document]) for document in scored[:limit]]


def _quote(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _drop_common(connection: sqlite3.Connection, terms: list[str]) -> list[str]:
    """Leave out very common words, as long as enough others remain."""
    total = connection.execute("SELECT count(*) FROM windows").fetchone()[0]
    if total < _FEWEST_FOR_COMMON or len(terms) <= _FEWEST_LEFT:
        return terms
    most = min(int(total * _COMMON_SHARE), _MOST_COMMON)
    rare = [term for term in terms if _count(connection, term, most) < most]
    return rare if len(rare) >= _FEWEST_LEFT else terms


def _count(connection: sqlite3.Connection, term: str, most: int) -> int:
    counted = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)", (_quote(term), most)
    ).fetchone()
    return int(counted[0])


def _score(windows: Sequence[tuple[int, int, float]]) -> float:
    return sum(score * _DECAY**rank for rank, (_, _, score) in enumerate(windows[:_MOST_SPANS]))


def _describe(connection: sqlite3.Connection, document: int, windows: Sequence[tuple[int, int, float]]) -> Found:
    spans = tuple(Span(start=start, end=end) for start, end, _ in windows[:_MOST_SPANS])
    snippet = connection.execute(
        "SELECT substr(text, ? + 1, 240) FROM documents WHERE number = ?", (spans[0].start, document)
    ).fetchone()[0]
    return Found(document, _score(windows), spans, " ".join(snippet[: spans[0].end - spans[0].start].split()))

"""Pages and sentences that checks are measured on: a folder of documents, or the documents of SummHay."""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leadline.analysts.extractive.statements import select_statements, stands_alone
from leadline.documents import read_document
from leadline.errors import DocumentError, SourceError
from leadline.grounding.passages import split_page
from leadline.records import Page, Passage

PAGES = 120
"""Pages of a language that are looked at."""

STATEMENTS = 300
"""Sentences of a language that checks are measured on."""

_SUFFIXES = frozenset({".html", ".htm", ".md", ".rst", ".txt"})
_FEWEST = 4
"""Sentences of a page that can be read on their own; indexes and covers have fewer."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a page that can be read on its own."""

    page: Page
    passage: Passage

    @property
    def text(self) -> str:
        """The sentence on one line."""
        return " ".join(self.passage.text.split())


@dataclass(frozen=True, slots=True)
class Sample:
    """Pages in one language, the passages of each by page id, and sentences chosen among them."""

    name: str
    language: str
    pages: tuple[Page, ...]
    passages: dict[str, list[Passage]] = field(repr=False)
    statements: tuple[Statement, ...]


def read_samples(folder: Path) -> list[Sample]:
    """Return a sample of each language, English and Chinese, that the folder has pages in. The same folder, the same samples.

    Args:
        folder: documents in any depth, or SummHay's `docs.jsonl`.

    Raises:
        SourceError: there is nothing to measure on.
    """
    is_summhay = (folder / "docs.jsonl").is_file()
    pages = list(_read_rows(folder / "docs.jsonl") if is_summhay else _read_files(folder))
    samples = [_choose(folder.name, language, pages) for language in ("en", "zh")]
    found = [sample for sample in samples if sample.statements]
    if not found:
        raise SourceError(f"{str(folder)!r} holds no page with sentences to check; --data names a folder of documents.")
    return found


def _choose(name: str, language: str, pages: Sequence[Page]) -> Sample:
    chance = random.Random(language)
    mine = [page for page in pages if page.language.split("-")[0] == language]
    passages: dict[str, list[Passage]] = {}
    candidates: list[Statement] = []
    kept: list[Page] = []
    for page in chance.sample(mine, len(mine)):
        split = split_page(page, len(kept) + 1)
        found = [Statement(page, p) for p in select_statements(split) if p.kind == "prose" and stands_alone(p.text)]
        if len(found) >= _FEWEST:
            kept.append(page)
            passages[page.id] = split
            candidates += found
        if len(kept) == PAGES:
            break
    statements = chance.sample(candidates, min(STATEMENTS, len(candidates)))
    return Sample(name, language, tuple(kept), passages, tuple(statements))


def _read_rows(path: Path) -> Iterator[Page]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield _page(f"{row['topic']}-{row['doc_no']}", row["text"], "en")


def _read_files(folder: Path) -> Iterator[Page]:
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES and path.is_file())
    for path in files:
        try:
            document = read_document(path.read_bytes(), path.name)
        except DocumentError:
            continue
        yield _page(path.relative_to(folder).as_posix(), document.text, document.language)


def _page(address: str, text: str, language: str) -> Page:
    mark = hashlib.sha256(f"{address}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
    return Page(id=mark, address=address, text=text, language=language)

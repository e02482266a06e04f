"""A library: documents of some folders, as a search backend and a reader."""

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from threading import Event

from leadline.errors import SearchFailed, SourceError, StoreError
from leadline.library.finding import find_documents
from leadline.library.index import Entry, Index
from leadline.library.registry import Registry
from leadline.library.roots import Root, find_roots
from leadline.library.skipping import summarise_skipped
from leadline.records import Hit, NotRead, Page, Query, Skipped

_MOST_NAMED = 3

_MOST_HELD, _LONGEST_HELD = 200, 50_000
"""Pages that are held in memory, those read last, and the characters of the longest: the todos of a run read the same ones."""


class Library:
    """An open library. Use `Library.open`; the folders are looked at once, when it is opened."""

    name = "library"

    def __init__(self, roots: Sequence[Root], index: Index, entries: Sequence[Entry], languages: Mapping[str, float]) -> None:
        self._index = index
        self._roots = tuple(roots)
        addresses = [(entry, roots[entry.root].name_document(entry.relative)) for entry in entries]
        self.skipped: tuple[Skipped, ...] = tuple(
            Skipped(address=address, kind=entry.failure) for entry, address in addresses if entry.document is None
        )
        self.languages: Mapping[str, float] = languages
        """Share of the documents with a known language per BCP 47 tag, most frequent first."""
        self._documents: dict[str, int] = {}
        self._held: dict[int, Page] = {}
        self._addresses: dict[int, str] = {}
        for entry, address in addresses:
            if entry.document is not None:
                self._documents.setdefault(address, entry.document)
                self._addresses.setdefault(entry.document, address)

    @classmethod
    async def open(cls, sources: Sequence[str], home: Path) -> "Library":
        """Index what sources name, as far as it has changed, and return it.

        Args:
            sources: `PATH` or `@NAME`, as a person types them.
            home: the data folder, for index files and named libraries.

        Raises:
            SourceError: a source is missing, unknown, not readable, or there is no readable document in any of them.
            StoreError: the data folder cannot be used.
        """
        stop = Event()
        try:
            return await asyncio.to_thread(cls._open, sources, home, stop)
        except asyncio.CancelledError:
            stop.set()  # a thread cannot be cancelled, but it looks at this between files
            raise

    @classmethod
    def _open(cls, sources: Sequence[str], home: Path, stop: Event) -> "Library":
        roots = find_roots(sources, Registry(home))
        index = Index(roots, home, stop)
        entries = index.refresh()
        library = cls(roots, index, entries, index.query(_read_languages))
        if not library._documents:
            raise SourceError(_explain_empty(sources, library.skipped))
        return library

    def __len__(self) -> int:
        """Number of documents: files with the same bytes are one."""
        return len(self._addresses)

    @property
    def label(self) -> str:
        """Names of the sources, without the folders that they are in."""
        names = [root.name_document("") for root in self._roots]
        more = len(names) - _MOST_NAMED
        return ", ".join(names if more < 1 else [*names[:_MOST_NAMED], f"+{more}"])

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return at most `query.limit` documents that hold words of the query, best first, with the places that matched.

        Raises:
            SearchFailed: the index cannot be used.
        """
        try:
            return await asyncio.to_thread(self._index.query, lambda connection: self._search(connection, query))
        except StoreError as error:
            raise SearchFailed("unresponsive", str(error)) from error

    def _search(self, connection: sqlite3.Connection, query: Query) -> list[Hit]:
        found = [hit for hit in find_documents(connection, query.text, query.limit) if hit.document in self._addresses]
        titles = _read_titles(connection, [hit.document for hit in found])
        return [
            Hit(
                backend=self.name,
                address=self._addresses[hit.document],
                title=titles.get(hit.document, ""),
                snippet=hit.snippet,
                score=hit.score,
                spans=hit.spans,
            )
            for hit in found
        ]

    async def list_pages(self) -> AsyncIterator[Page]:
        """Yield every document."""
        for address in self._addresses.values():
            page = await self.read(Hit(backend=self.name, address=address))
            if isinstance(page, Page):
                yield page

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return the document of a hit as it was indexed."""
        number = self._documents.get(hit.address)
        if number is None:
            return NotRead(address=hit.address, reason="no longer in the library")
        if held := self._held.get(number):
            return held
        try:
            page = await asyncio.to_thread(self._index.query, lambda connection: _read_page(connection, number, hit.address))
        except StoreError as error:
            return NotRead(address=hit.address, reason=str(error))
        if page is None:
            return NotRead(address=hit.address, reason="no longer in the library")
        if len(page.text) <= _LONGEST_HELD:
            self._held[number] = page
            for oldest in list(self._held)[:-_MOST_HELD]:
                del self._held[oldest]
        return page


def _read_page(connection: sqlite3.Connection, number: int, address: str) -> Page | None:
    row = connection.execute(
        "SELECT id, title, authors, site, date, language, text, pages, part, identifiers FROM documents WHERE number = ?",
        (number,),
    ).fetchone()
    if row is None:
        return None
    identity, title, authors, site, date, language, text, pages, part, identifiers = row
    return Page(
        id=identity,
        address=address,
        text=text,
        title=title,
        authors=tuple(json.loads(authors)),
        site=site,
        date=date,
        language=language,
        page_starts=tuple(json.loads(pages)),
        part=part,
        identifiers=tuple(json.loads(identifiers)),
    )


def _read_titles(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, str]:
    marks = ", ".join("?" * len(numbers))
    return dict(connection.execute(f"SELECT number, title FROM documents WHERE number IN ({marks})", numbers).fetchall())


def _read_languages(connection: sqlite3.Connection) -> Mapping[str, float]:
    counts = Counter(
        dict(connection.execute("SELECT language, count(*) FROM documents WHERE language <> '' GROUP BY language").fetchall())
    )
    total = counts.total()
    return {tag: count / total for tag, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))}


def _explain_empty(sources: Sequence[str], skipped: Sequence[Skipped]) -> str:
    named = ", ".join(map(repr, sources))
    why = summarise_skipped(skipped) or "no file at all"
    return (
        f"There is no readable document in {named} ({why}); readable are PDF, DOCX, EPUB, HTML, Markdown,"
        " reStructuredText and text, also as .gz. Name another folder with `--in PATH`."
    )

"""A hit of the web to a saved page: the page itself, the abstract that came with it, or the search's own excerpt."""

import hashlib
import re
from urllib.parse import urlsplit

from leadline.documents import Document
from leadline.errors import FetchFailed, FetchFailure, NotFound
from leadline.grounding.address import address_key
from leadline.ports import Snapshots
from leadline.reading.extraction import extract
from leadline.reading.fetcher import Fetcher, Validators
from leadline.records import Hit, NotRead, Page, PageKind, Visit

REFUSED: frozenset[FetchFailure] = frozenset({"address not allowed", "type not read", "blocked", "not found"})
"""What gives no page at all; any other failure lets the search's excerpt stand in, marked as such."""

SHORTEST_SNIPPET = 40
"""Characters of an excerpt that can hold a statement."""

_TAG = re.compile(r"<[^<>]{0,200}>")


class WebReader:
    """Reads hits whose address is a URL.

    Args:
        fetcher: gets the pages.
        snapshots: where they are kept, and what their servers said of them.
    """

    def __init__(self, fetcher: Fetcher, snapshots: Snapshots) -> None:
        self._fetcher = fetcher
        self._snapshots = snapshots

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return the page of a hit, saved; or its abstract, or its excerpt; or why there is nothing."""
        if hit.document:
            try:
                return _named_as(await self._load(hit.document), hit)
            except FetchFailed:
                pass  # the abstract is there for this
        if hit.abstract:
            return await self._keep(_stand_in(hit, "abstract", hit.abstract, ""))
        try:
            return await self._load(hit.address)
        except FetchFailed as failure:
            return await self._make_do(hit, failure)

    async def _make_do(self, hit: Hit, failure: FetchFailed) -> Page | NotRead:
        snippet = clean_snippet(hit.snippet)
        if failure.kind in REFUSED or len(snippet) < SHORTEST_SNIPPET:
            reason = f"{_name_host(hit.address)}: {failure}"
            return NotRead(address=hit.address, reason=reason, refused=failure.kind in REFUSED)
        return await self._keep(_stand_in(hit, "snippet", snippet, str(failure)))

    async def _keep(self, page: Page) -> Page:
        await self._snapshots.save(page)
        return page

    async def _load(self, url: str) -> Page:
        place = _name_visit(url)
        visit = await self._snapshots.find_visit(place)
        saved = await self._find_saved(visit)
        known = Validators(visit.final, visit.etag, visit.modified) if visit and saved else None
        fetched = await self._fetcher.fetch(url, known)
        if fetched.body is None:
            if saved is None:
                raise FetchFailed("unreadable", "the server said that it has not changed, but it is not here")
            await self._snapshots.save(saved)
            return saved.model_copy(update={"address": fetched.url})
        document = await extract(fetched.body, fetched.url, fetched.content_type)
        page = _make_page(hashlib.sha256(fetched.body).hexdigest(), fetched.url, document)
        stamps = {"etag": fetched.etag, "modified": fetched.modified}
        await self._snapshots.save(page, Visit(address=place, page=page.id, final=fetched.url, **stamps))
        return page

    async def _find_saved(self, visit: Visit | None) -> Page | None:
        if visit is None or not (visit.etag or visit.modified):
            return None
        try:
            return await self._snapshots.load(visit.page)
        except NotFound:
            return None


def _name_visit(url: str) -> str:
    """What visits of a page are kept by: of one length, for addresses can be longer than a database's key."""
    return hashlib.sha256(address_key(url).encode("utf-8", "surrogatepass")).hexdigest()


def clean_snippet(text: str) -> str:
    """Return an excerpt without tags and folded white space."""
    return " ".join(_TAG.sub("", text).split())


def _make_page(identity: str, url: str, document: Document) -> Page:
    return Page(
        id=identity,
        address=url,
        text=document.text,
        title=document.title,
        authors=document.authors,
        site=document.site or _name_host(url),
        date=document.date,
        language=document.language,
        page_starts=document.pages,
        part=document.part,
        identifiers=document.identifiers,
    )


def _named_as(page: Page, hit: Hit) -> Page:
    """A paper under the address that it is known by; what the backend says of it is better than what the file says."""
    said = {"title": hit.title, "authors": hit.authors, "date": hit.date, "address": hit.address}
    return page.model_copy(update={name: value for name, value in said.items() if value})


def _stand_in(hit: Hit, kind: PageKind, text: str, reason: str) -> Page:
    mark = "\x1f".join((kind, address_key(hit.address), text))
    return Page(
        id=hashlib.sha256(mark.encode("utf-8", "surrogatepass")).hexdigest(),
        address=hit.address,
        text=text,
        title=hit.title,
        authors=hit.authors,
        site=_name_host(hit.address),
        date=hit.date,
        kind=kind,
        reason=reason,
    )


def _name_host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or url).removeprefix("www.")
    except ValueError:
        return url

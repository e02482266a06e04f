"""Libraries over HTTP: sent, listed, searched. Where their documents are is nobody's business."""

import asyncio
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query

from leadline.errors import NotFound, SourceError
from leadline.library import Library, NamedLibrary, Registry
from leadline.records import Query as Search
from leadline.server.answers import Found, FoundList, LibraryHead, LibraryList, LibraryState
from leadline.server.bodies import NAME, NewLibrary
from leadline.server.place import Here, House
from leadline.server.uploads import Uploads

router = APIRouter(prefix="/libraries", tags=["libraries"])

Name = Annotated[str, Path(pattern=NAME)]


@router.get("")
async def list_libraries(here: Here) -> LibraryList:
    """List the libraries by name."""
    return LibraryList(items=[_head(here, library) for library in await _list(here)])


@router.post("", status_code=201)
async def upload_library(here: Here, body: NewLibrary) -> LibraryState:
    """Make a library of documents, or add to one that was made so; a document of the same name is replaced."""
    uploads = Uploads(here.desk.settings.home)
    documents = [(document.name, document.content) for document in body.documents]
    is_new = await asyncio.to_thread(uploads.add, body.name, documents)
    if here.shift is not None:
        await here.shift.look_at_libraries()
    try:
        return await _describe(here, body.name)
    except SourceError:
        if is_new:
            await asyncio.to_thread(uploads.remove, body.name)
        raise


@router.get("/{name}")
async def show_library(here: Here, name: Name) -> LibraryState:
    """Say what is in a library."""
    return await _describe(here, name)


@router.delete("/{name}", status_code=204)
async def delete_library(here: Here, name: Name) -> None:
    """Delete a library that was uploaded, with its documents. Runs keep the pages that they have saved."""
    await asyncio.to_thread(Uploads(here.desk.settings.home).remove, name)


@router.get("/{name}/search")
async def search_library(
    here: Here,
    name: Name,
    q: Annotated[str, Query(min_length=1, max_length=1000)],
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
) -> FoundList:
    """Show what a run would find, best first."""
    library = await _open(here, name)
    hits = await library.search(Search(text=q, limit=limit))
    return FoundList(items=[Found(address=h.address, title=h.title, snippet=h.snippet, score=h.score) for h in hits])


async def _list(here: House) -> tuple[NamedLibrary, ...]:
    return await asyncio.to_thread(Registry(here.desk.settings.home).list)


def _head(here: House, library: NamedLibrary) -> LibraryHead:
    return LibraryHead(name=library.name, uploaded=Uploads(here.desk.settings.home).holds(library))


async def _open(here: House, name: str) -> Library:
    if name not in {library.name for library in await _list(here)}:
        raise NotFound(f"There is no library {name!r}; /api/v1/libraries lists those there are.")
    return await Library.open([f"@{name}"], here.desk.settings.home)


async def _describe(here: House, name: str) -> LibraryState:
    library = await _open(here, name)
    known = await asyncio.to_thread(partial(Registry(here.desk.settings.home).find, name))
    return LibraryState(
        **_head(here, known).model_dump(),
        documents=len(library),
        languages=dict(library.languages),
        skipped={skipped.address: skipped.kind for skipped in library.skipped},
    )

"""`leadline library`: names for folders of documents."""

import json
from pathlib import Path

from leadline.cli.closing import count, skipped_lines
from leadline.cli.streams import put, say
from leadline.library import Library, Registry
from leadline.records import Hit, Query
from leadline.settings import load_settings

EXCERPT = 150
"""Characters of a document that a search shows."""


async def add_library(name: str, paths: tuple[str, ...], verbose: bool) -> None:
    """Index the paths, and give them a name if there is something to read in them."""
    home = load_settings().home
    whole = [str(Path(path).expanduser().absolute()) for path in paths]
    library = await Library.open(whole, home)
    Registry(home).add(name, whole)
    put(f"@{name}: {count(len(library), 'document')}")
    for line in skipped_lines(library.skipped, verbose):
        say(line)


def list_libraries(in_json: bool) -> None:
    """List the names and what they stand for."""
    libraries = Registry(load_settings().home).list()
    for library in libraries:
        if in_json:
            put(json.dumps({"name": library.name, "paths": library.paths}, ensure_ascii=False))
        else:
            put(f"@{library.name}  {'  '.join(library.paths)}")
    if not libraries:
        say("There are no libraries yet. Add one: leadline library add NAME PATH")


async def search_library(name: str, query: str, limit: int, in_json: bool) -> None:
    """Show what is found, best first."""
    library = await Library.open([f"@{name.removeprefix('@')}"], load_settings().home)
    hits = await library.search(Query(text=query, limit=limit))
    for hit in hits:
        put(hit.model_dump_json() if in_json else _describe(hit))
    if not hits:
        say(f"Nothing in @{name} matches {query!r}.")


def _describe(hit: Hit) -> str:
    return f"{hit.address}  {hit.title}\n    {' '.join(hit.snippet.split())[:EXCERPT]}…"


def remove_library(name: str) -> None:
    """Forget a name."""
    Registry(load_settings().home).remove(name.removeprefix("@"))
    put(f"@{name.removeprefix('@')} is forgotten; its documents stay where they are.")

"""`leadline notes`: what runs have saved, read back from the store."""

import asyncio
from collections.abc import Sequence

from leadline.cli.markdown import put_markdown
from leadline.cli.streams import put, say
from leadline.exports import note_markdown
from leadline.records import Note
from leadline.settings import load_settings
from leadline.wiring import open_settled_store


def list_notes(run: str | None, limit: int, as_json: bool) -> None:
    """List the notes of one run, or of all."""

    async def load() -> Sequence[Note]:
        async with await open_settled_store(load_settings()) as store:
            whole = (await store.runs.load(run)).id if run else None
            return await store.notes.list(whole, limit)

    _put_notes(asyncio.run(load()), as_json, 'There are no notes yet. Research saves them: leadline research "…" --in FOLDER')


def search_notes(words: str, limit: int, as_json: bool) -> None:
    """List the notes that hold all of the words."""

    async def load() -> Sequence[Note]:
        async with await open_settled_store(load_settings()) as store:
            return await store.notes.search(words, limit)

    _put_notes(asyncio.run(load()), as_json, f"No note holds all of {words!r}. All notes: leadline notes list")


def show_note(note: str, as_json: bool) -> None:
    """Show one note: rendered on a terminal, else as the Markdown file that an export holds."""

    async def load() -> Note:
        async with await open_settled_store(load_settings()) as store:
            return await store.notes.read(note)

    found = asyncio.run(load())
    if as_json:
        put(found.model_dump_json())
    else:
        put_markdown(found.body, piped=note_markdown(found))


def _put_notes(notes: Sequence[Note], as_json: bool, nothing: str) -> None:
    for note in notes:
        put(note.model_dump_json() if as_json else _line(note))
    if not notes:
        say(nothing)


def _line(note: Note) -> str:
    return f"{note.id}  {note.created.astimezone():%Y-%m-%d %H:%M}  {' '.join(note.title.split())}"

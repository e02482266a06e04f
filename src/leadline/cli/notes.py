"""`leadline notes`: what runs have saved, read back from the store."""

from collections.abc import Sequence

from leadline.cli.streams import put, put_markdown, say
from leadline.exports import note_markdown
from leadline.records import Note
from leadline.settings import load_settings
from leadline.wiring import open_settled_store


async def list_notes(run: str | None, limit: int, in_json: bool) -> None:
    """List the notes of one run, or of all."""
    async with await open_settled_store(load_settings()) as store:
        notes = await store.notes.list((await store.runs.load(run)).id if run else None, limit)
    _put_notes(notes, in_json, 'There are no notes yet. Research saves them: leadline research "…" --in FOLDER')


async def search_notes(words: str, limit: int, in_json: bool) -> None:
    """List the notes that hold all of the words."""
    async with await open_settled_store(load_settings()) as store:
        notes = await store.notes.search(words, limit)
    _put_notes(notes, in_json, f"No note holds all of {words!r}. All notes: leadline notes list")


async def show_note(note: str, in_json: bool) -> None:
    """Show one note: rendered on a terminal, else as the Markdown file that an export holds."""
    async with await open_settled_store(load_settings()) as store:
        found = await store.notes.read(note)
    if in_json:
        put(found.model_dump_json())
    else:
        put_markdown(found.body, piped=note_markdown(found))


def _put_notes(notes: Sequence[Note], in_json: bool, nothing: str) -> None:
    for note in notes:
        put(note.model_dump_json() if in_json else _line(note))
    if not notes:
        say(nothing)


def _line(note: Note) -> str:
    return f"{note.id}  {note.created.astimezone():%Y-%m-%d %H:%M}  {' '.join(note.title.split())}"

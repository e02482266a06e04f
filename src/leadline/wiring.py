"""From a run's record to those who do its work: the only place that names concrete classes."""

import hashlib
import secrets

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.clock import SystemClock
from leadline.errors import SourceError
from leadline.library import Library
from leadline.pipeline.crew import Crew, Origin
from leadline.pipeline.topic import make_topic
from leadline.ports import Clock
from leadline.records import Request, Run
from leadline.settings import Settings
from leadline.store import Store, open_store

_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
"""Without the letters that are read as digits."""

_ID_LENGTH = 8
"""30**8 ids: a thousand runs collide once in a million times."""


def make_run(request: Request, clock: Clock | None = None, name: str = "", owner: str = "") -> Run:
    """Return a new run for a request, with its topic checked and its date fixed.

    Args:
        request: what is asked for.
        clock: tells the date; the system's by default.
        name: id of the run; one that nobody has had by default.
        owner: who asked for it.

    Raises:
        TopicError: the topic or the language cannot be used.
    """
    now = (clock or SystemClock()).now()
    topic = make_topic(request.topic, request.language, now.date())
    return Run(id=name or _make_name(secrets.token_bytes()), request=request, topic=topic, created=now, owner=owner)


def name_run(key: str) -> str:
    """Return the id of the run that goes by a key: always the same for the same key."""
    return _make_name(hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest())


def _make_name(random: bytes) -> str:
    number = int.from_bytes(random)
    return "".join(_ALPHABET[number // len(_ALPHABET) ** place % len(_ALPHABET)] for place in range(_ID_LENGTH))


async def open_sources(request: Request, settings: Settings) -> Library:
    """Open, and index as far as they have changed, the sources of a request.

    Raises:
        SourceError: a source is missing, unknown or without a readable document.
    """
    if not request.sources:
        raise SourceError("No source was named. Name a file, a folder or a library: --in PATH")
    return await Library.open(request.sources, settings.home)


async def assemble(run: Run, store: Store, settings: Settings) -> Crew:
    """Return those who do the work of a run.

    Raises:
        SourceError: a source is missing, unknown or without a readable document.
    """
    library = await open_sources(run.request, settings)
    return Crew(
        analyst=ExtractiveAnalyst(),
        search=library,
        reader=library,
        journal=store.journal(run.id),
        notes=store.notes,
        snapshots=store.snapshots(run.id),
        clock=SystemClock(),
        origin=Origin(name=library.label, languages=library.languages, skipped=library.skipped),
    )


async def open_settled_store(settings: Settings, keep: bool = True) -> Store:
    """Open the store that the settings name: PostgreSQL, else SQLite in the data folder; in memory if nothing is kept.

    Raises:
        StoreError: the store cannot be used.
    """
    return await open_store((settings.database_url or settings.home) if keep else None)

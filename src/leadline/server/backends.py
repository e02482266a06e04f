"""The search backends of this server, and what keeps one from working."""

from leadline.errors import SourceError
from leadline.search.registry import Entry, list_entries
from leadline.server.answers import Backend
from leadline.settings import Settings
from leadline.web import DEFAULT, DEFAULT_FALLBACK, Choice, check_backends

WEB = [*DEFAULT, *DEFAULT_FALLBACK]
"""What is asked when nothing is named, in turn."""


def list_backends(settings: Settings) -> list[Backend]:
    """Return them by name."""
    return [_describe(entry, settings) for entry in list_entries()]


def _describe(entry: Entry, settings: Settings) -> Backend:
    if entry.provider is None:
        return Backend(name=entry.name, ready=False, fix=entry.fault)
    try:
        check_backends(Choice((entry.name,), ()), settings, offline=False)
    except SourceError as error:
        return Backend(name=entry.name, ready=False, fix=str(error))
    return Backend(name=entry.name, ready=True, fix="")

"""The search backends there are: built-ins and third parties come from the same entry points."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from leadline.errors import SourceError
from leadline.search.provider import Provider

GROUP = "leadline.search"

# What another's module may raise while it is imported.
_FAULTS = (
    ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, OSError, RuntimeError, SyntaxError,
    SystemExit, TypeError, ValueError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered backend: its provider, or why there is none."""

    name: str
    package: str
    provider: Provider | None
    fault: str = ""


def list_entries(points: Iterable[EntryPoint] | None = None) -> tuple[Entry, ...]:
    """Return the registered backends by name. One that fails to import is there with its fault, and harms no other."""
    if points is None:
        return _list_installed(tuple(sys.path))
    return tuple(sorted((_load(point) for point in points), key=lambda entry: (entry.name, entry.package)))


@cache
def _list_installed(path: tuple[str, ...]) -> tuple[Entry, ...]:
    """Looked for once as long as modules come from the same places: it takes 30 ms, and a run asks several times."""
    return list_entries(entry_points(group=GROUP))


def _load(point: EntryPoint) -> Entry:
    package = point.dist.name if point.dist else ""
    try:
        provider = point.load()
    except _FAULTS as error:
        return Entry(point.name, package, None, f"cannot be imported ({type(error).__name__})")
    if not isinstance(provider, Provider):
        return Entry(point.name, package, None, f"is a {type(provider).__name__}, not a leadline.search.Provider")
    return Entry(point.name, package, provider)


def find_providers(names: Iterable[str]) -> Mapping[str, Provider]:
    """Return the providers of some names, in their order.

    Raises:
        SourceError: a name is not known, or its package is broken.
    """
    known = {entry.name: entry for entry in list_entries()}
    return {name: _require(name, known) for name in names}


def _require(name: str, known: Mapping[str, Entry]) -> Provider:
    entry = known.get(name)
    if entry is None:
        listed = ", ".join(sorted(known))
        raise SourceError(f"There is no search backend {name!r}; known: {listed}. `leadline backends` shows more of them.")
    if entry.provider is None:
        raise SourceError(
            f"The search backend {name!r} of package {entry.package!r} {entry.fault}; mend or remove the package."
        )
    return entry.provider

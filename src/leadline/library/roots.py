"""What a library is made of: files and folders, and how their documents are called."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.errors import SourceError
from leadline.library.registry import Registry

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Root:
    """A file or folder of a library.

    `path` is absolute; `label` goes before the paths of its documents, and nothing else of `path` ever shows.
    """

    path: Path
    label: str = ""

    def name_document(self, relative: str) -> str:
        """Return the address of a document, given its path relative to the folder ("" for a root that is a file)."""
        parts = [self.label, *relative.split(os.sep)] if relative else [self.label or self.path.name]
        return make_printable("/".join(part for part in parts if part))


def make_printable(name: str) -> str:
    """Return a file name as it can be shown: bytes that are no UTF-8, and control characters, become `\ufffd`."""
    return _UNPRINTABLE.sub("\ufffd", name)


def find_roots(sources: Sequence[str], registry: Registry) -> tuple[Root, ...]:
    """Return the roots that sources name, in their order, each once.

    Args:
        sources: as a person types them: `PATH` or `@NAME`.
        registry: knows the names.

    Raises:
        SourceError: nothing is named, a path is missing or can't be opened, a name is unknown.
    """
    if not sources:
        raise SourceError("No source was given; name a file or folder with `--in PATH`, or a library with `--in @NAME`.")
    found: dict[Path, str] = {}
    for source in sources:
        for path, label in _expand(source, registry):
            found.setdefault(path, label)
    several = len(found) > 1
    return _label(found.items(), several)


def _expand(source: str, registry: Registry) -> list[tuple[Path, str]]:
    if not source.startswith("@"):
        return [(find_path(source), "")]
    library = registry.find(source[1:])
    paths = [find_path(path) for path in library.paths]
    if len(paths) == 1 and paths[0].is_dir():
        return [(paths[0], library.name)]
    return [(path, f"{library.name}/{path.name}") for path in paths]


def find_path(source: str) -> Path:
    """Return the absolute path of a file or folder that exists and can be opened.

    Raises:
        SourceError: it is missing, not readable, or no path at all.
    """
    shown = make_printable(source)
    if not source:
        raise SourceError(f"{source!r} is not a source; allowed are files, folders and @NAME of a library: `--in PATH`.")
    try:
        path = Path(source).expanduser().resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise SourceError(
            f"There is no file or folder {shown!r}; check the spelling, or give another with `--in PATH`."
        ) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise SourceError(f"The path {shown!r} cannot be used; give a file or folder with `--in PATH`.") from error
    if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
        raise SourceError(
            f"You may not read {shown!r}; change its permissions (`chmod -R u+rX PATH`) or give another `--in PATH`."
        )
    return path


def _label(found: Iterable[tuple[Path, str]], several: bool) -> tuple[Root, ...]:
    """A folder that is alone needs no label; among several each has one of its own."""
    roots: list[Root] = []
    taken: set[str] = set()
    for path, given in found:
        label = given or (path.name or "root" if several else "")
        if label:
            label = _make_unique(label, taken)
            taken.add(label)
        roots.append(Root(path, label))
    return tuple(roots)


def _make_unique(label: str, taken: set[str]) -> str:
    if label not in taken:
        return label
    stem, dot, suffix = label.rpartition(".") if "." in label.lstrip(".") else (label, "", "")
    number = 2
    while (candidate := f"{stem}-{number}{dot}{suffix}") in taken:
        number += 1
    return candidate

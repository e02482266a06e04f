"""What a library is made of: files and folders, and how their documents are called."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from leadline.errors import SourceError
from leadline.library.registry import Registry

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_URI = "file:///"


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
    """Return a file name as it can be shown: `\ufffd` for bytes that are no UTF-8, controls, marks that turn writing."""
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

    Args:
        source: a path, or what `write_path` made of one.

    Raises:
        SourceError: it is missing, not readable, or no path at all.
    """
    shown = make_printable(source)
    if not source:
        raise SourceError(f"{source!r} is not a source; allowed are files, folders and @NAME of a library: `--in PATH`.")
    try:
        path = _to_path(source).resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise SourceError(f"There is no file or folder {shown!r}; check the spelling, or name another.") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise SourceError(f"The path {shown!r} cannot be used; name another file or folder.") from error
    if not path.is_dir() and not path.is_file():
        raise SourceError(f"{shown!r} is neither a file nor a folder; name a file or folder that holds documents.")
    if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
        raise SourceError(f"You may not read {shown!r}; change its permissions (`chmod -R u+rX PATH`) or name another.")
    return path


def write_path(path: Path) -> str:
    """Return a path as text that can be stored anywhere: one that is no Unicode, and only such, as a `file:` URI.

    `find_path` takes it back, whatever encoding the file system is read in then.
    """
    text = str(path)
    return text if _is_unicode(text) else path.as_uri()


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _to_path(source: str) -> Path:
    if source.startswith(_URI):
        return Path(os.fsdecode(unquote_to_bytes(source[len(_URI) - 1 :])))
    return Path(source).expanduser()


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

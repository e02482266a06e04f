"""The files of a library's roots, in an order that depends on their names alone."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.library.roots import Root

# Caches, and what Sphinx puts beside its pages: styles, and each page's source once more.
_UNWALKED = frozenset({"node_modules", "__pycache__", "__MACOSX", "_sources", "_static"})
# Text, but no documents: code, styles, data, and what tools write for tools.
_NO_DOCUMENTS = frozenset(
    """
    .c .cc .cpp .cs .css .csv .devhelp .go .h .hpp .htaccess .inv .java .js .json .jsonl .lock .map .mjs .php .pl .po .pot .py
    .pyc .pyi .rb .rs .sh .sql .svg .toml .ts .tsv .tsx .xml .xsl .yaml .yml
    """.split()  # noqa: SIM905 - one suffix a line would be a page
)
_PACKAGE_FOLDERS = (".dist-info", ".egg-info")
_PACKAGE_FILES = frozenset({"METADATA", "PKG-INFO"})


@dataclass(frozen=True, slots=True)
class File:
    """A file: the number of its root, its path relative to it ("" for a root that is a file), size in bytes, mtime in ns."""

    root: int
    relative: str
    size: int
    mtime: int

    def locate(self, roots: Sequence[Root]) -> Path:
        """Return where the file is."""
        return roots[self.root].path / self.relative if self.relative else roots[self.root].path


def walk_roots(roots: Sequence[Root]) -> Iterator[File]:
    """Yield every file of the roots.

    Hidden files and folders, caches and folders of tools are left out, and so are symbolic links to folders and to files
    outside of the root: a library holds what is in its folder.
    """
    for number, root in enumerate(roots):
        if root.path.is_dir():
            yield from _walk(number, root.path, "")
        else:
            state = root.path.stat()
            yield File(number, "", state.st_size, state.st_mtime_ns)


def find_suffix(name: str) -> str:
    """Return the suffix of a file's name in lower case, the one below `.gz` for a compressed file."""
    return os.path.splitext(name.lower().removesuffix(".gz"))[1]


def is_no_document(relative: str) -> bool:
    """Whether a file's name says that it is code or data: it is skipped unread."""
    return find_suffix(relative) in _NO_DOCUMENTS


def _walk(number: int, top: Path, relative: str) -> Iterator[File]:
    """Files of a folder first, then its folders, both by name."""
    try:
        with os.scandir(top / relative) as entries:
            listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    except OSError:
        yield File(number, relative, 0, 0)  # a folder that can't be opened stands in the list: reading it fails, and is counted
        return
    folders: list[str] = []
    in_package = relative.endswith(_PACKAGE_FOLDERS)
    for entry in listed:
        path = os.path.join(relative, entry.name)
        if entry.name.startswith(".") or entry.name in _UNWALKED or (in_package and entry.name not in _PACKAGE_FILES):
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(path)
        elif file := _describe(number, top, path, entry):
            yield file
    for folder in folders:
        yield from _walk(number, top, folder)


def _describe(number: int, top: Path, relative: str, entry: "os.DirEntry[str]") -> File | None:
    try:
        if entry.is_symlink() and not Path(entry.path).resolve(strict=True).is_relative_to(top):
            return None
        if not entry.is_file():
            return None
        state = entry.stat()
    except (OSError, RuntimeError):  # a link that leads nowhere or in a circle, or a file that has just gone
        return None
    return File(number, relative, state.st_size, state.st_mtime_ns)

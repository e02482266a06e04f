"""The files of a library's roots, in an order that depends on their names alone."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.library.outputs import NOTES, is_export, is_exported, is_note
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
    """A file: the number of its root, its path relative to it ("" for a root that is a file), size in bytes, mtime in ns.

    `own` marks what Leadline itself has written.
    """

    root: int
    relative: str
    size: int
    mtime: int
    own: bool = False

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
            yield from _walk(number, root.path)
        else:
            state = root.path.stat()
            yield File(number, "", state.st_size, state.st_mtime_ns)


def find_suffix(name: str) -> str:
    """Return the suffix of a file's name in lower case, the one below `.gz` for a compressed file."""
    return os.path.splitext(name.lower().removesuffix(".gz"))[1]


def is_no_document(relative: str) -> bool:
    """Whether a file's name says that it is code or data: it is skipped unread."""
    return find_suffix(relative) in _NO_DOCUMENTS


def _walk(number: int, top: Path) -> Iterator[File]:
    """Files of a folder first, then its folders, both by name. No recursion: folders may be nested thousands deep."""
    waiting = [("", False)]
    while waiting:
        relative, in_export = waiting.pop()
        try:
            listed = _list(top / relative, in_package=relative.endswith(_PACKAGE_FOLDERS))
        except OSError:
            yield File(number, relative, 0, 0)  # a folder that can't be opened is in the list: reading it fails and is counted
            continue
        exports = is_export(top / relative, {entry.name for entry in listed})
        folders: list[tuple[str, bool]] = []
        for entry in listed:
            path = os.path.join(relative, entry.name)
            if entry.is_dir(follow_symlinks=False):
                folders.append((path, exports and entry.name == NOTES))
            elif state := _find_state(top, entry):
                own = (exports and is_exported(entry.name)) or (in_export and is_note(Path(entry.path)))
                yield File(number, path, state.st_size, state.st_mtime_ns, own)
        waiting += reversed(folders)


def _list(folder: Path, in_package: bool) -> list["os.DirEntry[str]"]:
    """Return the entries of a folder that are walked, by name."""
    with os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    return [
        entry
        for entry in listed
        if not entry.name.startswith(".") and entry.name not in _UNWALKED and (not in_package or entry.name in _PACKAGE_FILES)
    ]


def _find_state(top: Path, entry: "os.DirEntry[str]") -> os.stat_result | None:
    """Return the state of a regular file within the root, None for all else."""
    try:
        if entry.is_symlink() and not Path(entry.path).resolve(strict=True).is_relative_to(top):
            return None
        return entry.stat() if entry.is_file() else None
    except (OSError, RuntimeError):  # a link that leads nowhere or in a circle, or a file that has just gone
        return None

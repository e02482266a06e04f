"""Named libraries: `@NAME` for a list of files and folders."""

import json
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from leadline.errors import NotFound, SourceError, StoreError

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_FILE = "libraries.json"


@dataclass(frozen=True, slots=True)
class NamedLibrary:
    """A name and the absolute paths that it stands for."""

    name: str
    paths: tuple[str, ...]


class Registry:
    """The named libraries of a data folder.

    Args:
        home: the data folder; made when the first name is added.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / _FILE

    def add(self, name: str, paths: Sequence[str]) -> NamedLibrary:
        """Give a name to files and folders; a name that exists is given anew.

        Args:
            name: lower-case letters, digits, `.`, `_`, `-`; at most 64, the first a letter or digit.
            paths: absolute paths; whether they exist is the caller's to check.

        Raises:
            SourceError: the name is not allowed, or there is no path.
            StoreError: the data folder cannot be written.
        """
        if not _NAME.fullmatch(name):
            raise SourceError(
                f"{name!r} cannot name a library; use at most 64 of a-z, 0-9, `.`, `_` and `-`, the first a letter or digit."
            )
        if not paths:
            raise SourceError(f"No path was given for {name!r}; use `leadline library add {name} PATH`.")
        library = NamedLibrary(name, tuple(dict.fromkeys(paths)))
        with self._lock():
            self._write({**self._read(), name: library})
        return library

    def list(self) -> tuple[NamedLibrary, ...]:
        """Return the named libraries by name."""
        return tuple(library for _, library in sorted(self._read().items()))

    def find(self, name: str) -> NamedLibrary:
        """Return a named library.

        Raises:
            SourceError: there is none; the message lists those there are.
        """
        known = self._read()
        if name in known:
            return known[name]
        listed = ", ".join(f"@{other}" for other in sorted(known)) or "none yet"
        raise SourceError(
            f"There is no library {'@' + name!r}; known: {listed}. Add one with `leadline library add {_suggest(name)} PATH`."
        )

    def remove(self, name: str) -> None:
        """Forget a name; the files stay.

        Raises:
            NotFound: there is no such name.
        """
        with self._lock():
            known = self._read()
            if name not in known:
                raise NotFound(f"There is no library {name!r}; `leadline library list` shows those there are.")
            del known[name]
            self._write(known)

    def _lock(self) -> FileLock:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"The data folder {str(self._path.parent)!r} cannot be made; set LEADLINE_HOME.") from error
        return FileLock(f"{self._path}.lock")

    def _read(self) -> dict[str, NamedLibrary]:
        try:
            stored = json.loads(self._path.read_text(encoding="utf-8"))
            return {name: NamedLibrary(name, tuple(map(str, paths))) for name, paths in stored.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise StoreError(f"The list of libraries {str(self._path)!r} is damaged; delete it and add them again.") from error

    def _write(self, libraries: dict[str, NamedLibrary]) -> None:
        """Replace the file at once: a reader sees the old list or the new one."""
        text = json.dumps({name: list(library.paths) for name, library in sorted(libraries.items())}, indent=2)
        try:
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=self._path.parent, delete=False) as draft:
                draft.write(text + "\n")
            os.replace(draft.name, self._path)
        except OSError as error:
            raise StoreError(f"The data folder {str(self._path.parent)!r} cannot be written; set LEADLINE_HOME.") from error


def _suggest(name: str) -> str:
    return name if _NAME.fullmatch(name) else "NAME"

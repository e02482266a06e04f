"""Libraries that were sent: folders of their own in the data folder, under the name of the library."""

import base64
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from leadline.errors import SourceError, StoreError, UsageError
from leadline.library import NamedLibrary, Registry

FOLDER = "uploads"
"""Name of the folder in the data folder."""

_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]|^\.|[. ]$')
"""What no file name may hold anywhere, Windows included."""

_LONGEST = 200
"""Bytes of the longest name; file systems allow 255."""


class Uploads:
    """The uploaded libraries of a data folder. All methods block.

    Args:
        home: the data folder.
    """

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self._registry = Registry(home)

    def holds(self, library: NamedLibrary) -> bool:
        """Say whether a library was uploaded."""
        return library.paths == (str(self._folder / library.name),)

    def add(self, name: str, documents: Iterable[tuple[str, str]]) -> bool:
        """Write documents into a library; one of the same name is replaced. Say whether the library is a new one.

        Args:
            name: of the library, as `Registry.add` allows it.
            documents: file names, with contents in base64.

        Raises:
            SourceError: a name is not allowed, or the library is one of this machine's own folders.
            StoreError: the data folder cannot be written.
        """
        documents = list(documents)
        for document, _ in documents:
            _check(document)
        known = {library.name: library for library in self._registry.list()}
        if name in known and not self.holds(known[name]):
            raise SourceError(
                f"The library {name!r} is a folder of this machine, which is not written into; choose another name."
            )
        folder = self._folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for document, content in documents:
                (folder / document).write_bytes(base64.b64decode(content))
        except OSError as error:
            raise StoreError(
                f"The library {name!r} cannot be written ({error.strerror}): make room in the data folder."
            ) from error
        self._registry.add(name, [str(folder)])
        return name not in known

    def remove(self, name: str) -> None:
        """Forget an uploaded library, and delete its documents.

        Raises:
            NotFound: there is no such library.
            UsageError: it is one of this machine's own folders.
        """
        library = next((each for each in self._registry.list() if each.name == name), None)
        if library is not None and not self.holds(library):
            raise UsageError(f"The library {name!r} is a folder of this machine; `leadline library remove {name}` forgets it.")
        self._registry.remove(name)
        shutil.rmtree(self._folder / name, ignore_errors=True)


def _check(name: str) -> None:
    if _UNSAFE.search(name) or len(name.encode("utf-8", "surrogatepass")) > _LONGEST or not name.isprintable():
        raise SourceError(
            f'{name!r} cannot name a document: at most {_LONGEST} bytes, without / \\ : * ? " < > | or control characters, and'
            " with no dot at its start or end."
        )

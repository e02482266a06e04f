"""One file, whole or not at all."""

import errno
import os
import tempfile
from pathlib import Path
from typing import IO

from leadline.errors import LeadlineError, OutputError, RunFailed

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def prepare(folder: Path) -> None:
    """Make sure that files can be written into a folder, before any work is done for them; it is not made yet.

    Raises:
        OutputError: the folder cannot be made or written to.
        RunFailed: the disk is full.
    """
    try:
        nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists() or place.is_symlink())
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except (OSError, ValueError) as error:
        raise _explain(folder, error) from error


def write_file(path: Path, content: bytes) -> None:
    """Write beside the file and rename over it, so that a reader never meets half of it.

    Raises:
        OutputError: the folder cannot be written.
        RunFailed: the disk is full; what was there is as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
            _fill_and_rename(file, content, path)
    except OSError as error:
        raise _explain(path, error) from error


def _fill_and_rename(file: IO[bytes], content: bytes, path: Path) -> None:
    """Let a new file take the place of another, or leave no trace of it."""
    try:
        file.write(content)
        file.close()
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except BaseException:
        Path(file.name).unlink(missing_ok=True)
        raise


def _explain(place: Path, error: OSError | ValueError) -> LeadlineError:
    if isinstance(error, OSError) and error.errno in _FULL:
        return RunFailed(
            f"There is no room for {str(place)!r} ({error.strerror}): free some on that disk, or write to another."
        )
    return refuse(place, error.strerror if isinstance(error, OSError) and error.strerror else str(error))


def refuse(place: Path, reason: str) -> OutputError:
    """Return the error for a place that cannot be written."""
    return OutputError(f"{str(place)!r} cannot be written ({reason}). Name a place that you may write to: --out DIR, -o FILE.")

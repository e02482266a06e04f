"""Signs of life: an executor holds a lock as long as it lives, so whoever can take that lock knows that it has died."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from leadline.errors import StoreError


class Signs(Protocol):
    """Locks by executor id. All of this blocks for moments and is called from one thread at a time."""

    def hold(self, executor: str, on_loss: Callable[[], None]) -> None:
        """Show that an executor lives, until `release`.

        Args:
            executor: the id of this process.
            on_loss: called from any thread, once, when the lock is lost; hold it again then.

        Raises:
            StoreError: the lock cannot be had.
        """
        ...

    def take(self, executor: str) -> bool:
        """Take the lock of another executor, and say whether that was possible: then it is dead. May be taken repeatedly."""
        ...

    def drop(self, executor: str) -> None:
        """Let go of what one `take` took."""
        ...

    def bury(self, executor: str) -> None:
        """Remove all traces of a dead executor. Its lock is held."""
        ...

    def release(self) -> None:
        """Let go of everything."""
        ...


@contextmanager
def taken(signs: Signs, executor: str) -> Iterator[bool]:
    """Hold the lock of another executor for the block, if it can be taken."""
    had = signs.take(executor)
    try:
        yield had
    finally:
        if had:
            signs.drop(executor)


class LockFiles:
    """A lock file per executor. The operating system lets go of it when the process ends, however it ends.

    Args:
        folder: where the files are; made if missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: FileLock | None = None
        self._foreign: dict[str, FileLock] = {}

    def hold(self, executor: str, on_loss: Callable[[], None]) -> None:
        """See `Signs.hold`; the lock of a file is never lost."""
        self._own = self._lock(executor)
        try:
            self._own.acquire(blocking=False)
        except (OSError, Timeout) as error:
            raise StoreError(f"No lock file can be made in {str(self._folder)!r}: make the folder writable.") from error

    def take(self, executor: str) -> bool:
        """See `Signs.take`."""
        lock = self._foreign.get(executor) or self._lock(executor)
        try:
            lock.acquire(blocking=False)
        except (OSError, Timeout):
            return False
        self._foreign[executor] = lock
        return True

    def drop(self, executor: str) -> None:
        """See `Signs.drop`."""
        lock = self._foreign[executor]
        lock.release()
        if not lock.is_locked:
            del self._foreign[executor]

    def bury(self, executor: str) -> None:
        """Remove the file; an id is never used again, so a lock on the removed file says the same: dead."""
        self._path(executor).unlink(missing_ok=True)

    def release(self) -> None:
        """See `Signs.release`."""
        if self._own is not None:
            self._own.release()

    def _path(self, executor: str) -> Path:
        return self._folder / f"{executor}.lock"

    def _lock(self, executor: str) -> FileLock:
        return FileLock(self._path(executor), thread_local=False)

"""What goes wrong on the way and is tried again: warnings of the lower rooms, as lines for a person."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOGGER = logging.getLogger("leadline")
_LOGGER.addHandler(logging.NullHandler())  # without any handler Python writes warnings to stderr, tracebacks and all


class _Lines(logging.Handler):
    """Hands each record on as one line: the message, and the first line of the error that it is about."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        first, *_ = str(error).splitlines() if error and str(error) else [type(error).__name__]
        self._tell(f"{record.getMessage()}: {first}" if error else record.getMessage())


@contextmanager
def told(tell: Callable[[str], None]) -> Iterator[None]:
    """Let warnings go to `tell`, and nowhere else, for the block."""
    handler = _Lines(tell)
    _LOGGER.addHandler(handler)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)

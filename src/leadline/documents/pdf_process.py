"""One worker process for PDFs: started with the first, started anew after a crash, ended when it takes too long."""

import atexit
import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import cast

from leadline.documents.pdf_reply import Reply, read_frame, write_frame
from leadline.errors import DocumentError

LONGEST = 60.0
"""Seconds that a PDF may take before its worker is ended."""


# -P: the working folder, which may be a folder of documents, is no place for modules
WORKER = (sys.executable, "-P", "-m", "leadline.documents.pdf_worker")


class PdfProcess:
    """A worker that reads one PDF at a time, whoever asks. It is started when the first PDF comes.

    Args:
        longest: seconds that a PDF may take.
        command: what to start.
    """

    def __init__(self, longest: float = LONGEST, command: Sequence[str] = WORKER) -> None:
        self._longest = longest
        self._command = tuple(command)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, data: bytes) -> Reply:
        """Return what the worker finds in a PDF.

        Raises:
            DocumentError: `unreadable`: the worker crashed on it, or took longer than the limit.
        """
        with self._lock:
            process = self._start()
            overdue = threading.Event()

            def end() -> None:
                overdue.set()
                process.kill()

            timer = threading.Timer(self._longest, end)
            timer.daemon = True
            timer.start()
            try:
                return _ask(process, data)
            except (OSError, EOFError) as error:
                self._end()
                why = f"takes longer than {self._longest:g} s to read" if overdue.is_set() else "is damaged"
                raise DocumentError("unreadable", f"The PDF {why}.") from error
            finally:
                timer.cancel()
                if overdue.is_set():
                    self._end()

    def close(self) -> None:
        """End the worker, if there is one."""
        with self._lock:
            self._end()

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # a request was on its way: closing tries to send the rest of it


def _ask(process: subprocess.Popen[bytes], data: bytes) -> Reply:
    if process.stdin is None or process.stdout is None:
        raise EOFError
    write_frame(process.stdin, data)
    answer = read_frame(process.stdout)
    if not answer:
        raise EOFError
    return cast(Reply, json.loads(answer))


SHARED = PdfProcess()
"""The one worker of this process."""

atexit.register(SHARED.close)

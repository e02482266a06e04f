"""Processes forked from one that has loaded all that Leadline loads: a tenth of the work of starting a fresh one."""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from io import TextIOWrapper
from multiprocessing.connection import Connection
from pathlib import Path

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "tests.engine.worker",
        "tests.server.page.house",
        "dbos",
        "leadline.engine.engine",
        "leadline.server.backends",
        "leadline.cli.research",
    ]
)


class Forked:
    """A process that carries out a function, with the manners of `asyncio.subprocess.Process`."""

    def __init__(self, target: Callable[..., None], *args: object) -> None:
        self._process = FORKS.Process(target=target, args=args)
        self._process.start()
        self.kill, self.terminate = self._process.kill, self._process.terminate

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    async def wait(self) -> int | None:
        await asyncio.to_thread(self._process.join)
        return self.returncode


class Fork:
    """A command line of Leadline in a process of its own.

    Attributes:
        out: reads what it writes to stdout.
        err: reads what it writes to stderr.
    """

    def __init__(self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        out, out_end = FORKS.Pipe(duplex=False)
        err, err_end = FORKS.Pipe(duplex=False)
        where = (tuple(arguments), str(folder), dict(environment), out_end, err_end)
        self.process = FORKS.Process(target=_run, args=where)
        self.process.start()
        self.out, self.err = (open(os.dup(end.fileno()), encoding="utf-8") for end in (out, err))  # noqa: SIM115
        for end in (out, err, out_end, err_end):
            end.close()

    def send(self, number: int) -> None:
        """Send it a signal."""
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def end(self) -> int:
        """Wait for its end, close what reads of it, and return its exit status."""
        self.process.join(180)
        assert self.process.exitcode is not None, "it has not ended"
        self.out.close()
        self.err.close()
        return self.process.exitcode


def _run(arguments: Sequence[str], folder: str, environment: Mapping[str, str], out: Connection, err: Connection) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    out.close()
    err.close()
    sys.stdout, sys.stderr = (TextIOWrapper(open(number, "wb", buffering=0), encoding="utf-8") for number in (1, 2))  # noqa: SIM115
    sys.argv = ["leadline", *arguments]
    from leadline.cli import main

    main()

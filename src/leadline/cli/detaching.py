"""Leaving a run to workers, and starting one where nobody else would."""

import subprocess
import sys
from pathlib import Path

from leadline.cli.descriptions import as_json
from leadline.cli.streams import put, say
from leadline.desk import Desk
from leadline.engine import PRIORITY
from leadline.errors import StoreError
from leadline.records import Run

LOG = "worker.log"
"""Name of the file in the data folder that a worker in the background writes to."""

_APART = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""What a session of its own is called on Windows; 0 elsewhere."""


async def leave_to_workers(desk: Desk, run: Run, priority: int | None = None, shape: str = "id") -> int:
    """Put a run into the queue, and see to it that somebody takes it; return the exit status.

    Args:
        desk: of the run's store.
        run: has not ended.
        priority: 1 goes first.
        shape: what stdout gets: the run's `id`, or its `record` as JSON.

    Raises:
        NoWorker: no live worker holds what it needs.
        RunElsewhere: another release began it.
    """
    attended = await desk.submit(run, priority or PRIORITY)
    put(as_json(run, "queued") if shape == "record" else run.id)
    say(f"run {run.id} is left to a worker: leadline runs watch {run.id}")
    if not attended and desk.settings.database_url:
        say("no worker lives at the moment; start one: leadline worker")
    elif not attended:
        log = start_worker(desk.settings.home)
        say(f"a worker was started for it, which ends when nothing is left to do; it writes to {log}")
    return 0


def start_worker(home: Path) -> Path:
    """Start a worker that outlives this process and its terminal, and return its log.

    Raises:
        StoreError: the log cannot be written.
    """
    log = home / LOG
    try:
        with log.open("ab") as file:
            worker = subprocess.Popen(
                [sys.executable, "-m", "leadline", "worker", "--until-idle"],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                cwd=home,  # keeps no other folder from being removed
                start_new_session=True,
                creationflags=_APART,
            )
    except OSError as error:
        raise StoreError(f"No worker can be started ({error.strerror}); the run waits: leadline worker") from error
    worker.returncode = 0  # nobody waits for it: it outlives this process, about which Python would warn
    return log

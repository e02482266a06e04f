"""A PostgreSQL server of a test's own, to be stopped, restarted and filled."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

OWNER = "postgres"
"""Whom the server runs as when the tests run as root, which PostgreSQL refuses to be."""


@dataclass
class Cluster:
    """A server on a port of its own, in a folder of its own."""

    folder: Path
    port: int
    running: bool = False

    @property
    def url(self) -> str:
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        _run("pg_ctl", "start", "-w", "-s", "-D", self.data, "-l", f"{self.folder}/log", "-o", options)
        self.running = True

    def stop(self, how: str) -> None:
        """Stop it in one of pg_ctl's ways, if it is running."""
        if self.running:
            _run("pg_ctl", "stop", "-w", "-s", "-D", self.data, "-m", how)
        self.running = False

    @property
    def data(self) -> str:
        return f"{self.folder}/data"


@contextmanager
def open_cluster() -> Iterator[Cluster]:
    """Make a server, start it, and take it away in the end."""
    folder = Path(tempfile.mkdtemp(prefix="leadline-pg-"))
    try:
        own(folder)
        cluster = Cluster(folder, _find_port())
        _run("initdb", "-D", cluster.data, "-U", OWNER, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop("immediate")
    finally:
        shutil.rmtree(folder)


def own(folder: Path) -> None:
    """Hand a folder to whom the server runs as."""
    if os.geteuid() == 0:
        shutil.chown(folder, OWNER, OWNER)


def _run(program: str, *arguments: str) -> None:
    found = shutil.which(program) or str(max(Path("/usr/lib/postgresql").glob(f"*/bin/{program}")))
    as_owner = ["runuser", "-u", OWNER, "--"] if os.geteuid() == 0 else []
    subprocess.run([*as_owner, found, *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/")


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

"""What a command that followed a run to its end shows of it."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from leadline import exports
from leadline.cli.closing import closing_lines
from leadline.cli.descriptions import as_json
from leadline.cli.streams import put, put_markdown, say, set_apart
from leadline.desk import Desk
from leadline.pipeline.rendering import DETAILS, to_markdown
from leadline.records import Run
from leadline.standing import fold

Shape = Literal["md", "json", "record", "none"]
"""What stdout gets: the report as Markdown or as JSON, the run's record as one line of JSON, or nothing."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run that has ended is shown. Its instances are `leadline.cli.attending.Tell`."""

    desk: Desk
    shape: Shape = "md"
    out: Path | None = None
    quiet: bool = False
    verbose: bool = False
    began: float = field(default_factory=time.monotonic)

    async def __call__(self, run: Run) -> None:
        """Write the report to stdout and to files, and the closing lines to stderr."""
        if not self.quiet:
            set_apart()
        files = await export(self.desk, run, self.out) if self.out else ()
        await self._put(run)
        if self.quiet:
            return
        set_apart()
        for line in closing_lines(run, files, time.monotonic() - self.began, self.verbose):
            say(line)

    async def _put(self, run: Run) -> None:
        if self.shape == "record":
            put(as_json(run, run.status, fold(await self.desk.store.runs.events(run.id))))
        elif run.report is not None and self.shape == "json":
            put(exports.report_json(run))
        elif run.report is not None and run.report.sections and self.shape == "md":
            put_markdown(to_markdown(run.report, DETAILS if self.out else "leadline runs export -o report.json"))


async def export(desk: Desk, run: Run, folder: Path) -> Sequence[Path]:
    """Write all files of a run into a folder, and return them.

    Raises:
        OutputError: the folder cannot be written.
    """
    notes, events = await desk.store.notes.list(run.id), await desk.store.runs.events(run.id)
    return await asyncio.to_thread(exports.write, run, notes, events, folder)


async def export_file(desk: Desk, run: Run, path: Path) -> None:
    """Write the report of a run into one file, in the format that its name asks for.

    Raises:
        UsageError: the format is not known or cannot be made here, or there is no report.
        OutputError: the file cannot be written.
        RunFailed: the disk is full.
    """
    from leadline.exports.formats import find_format
    from leadline.exports.material import collect

    wanted = find_format(path.name)
    material = await collect(desk.store, run)
    exports.prepare(path.parent)
    content = await asyncio.to_thread(wanted.make, material)
    await asyncio.to_thread(exports.write_file, path, content)

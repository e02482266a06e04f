"""`leadline open`: a report as one HTML file that loads nothing, and a browser to read it in."""

import webbrowser
from collections.abc import Sequence
from pathlib import Path

from leadline.cli.finding import find_run
from leadline.cli.showing import export_file
from leadline.cli.streams import put, say
from leadline.desk import open_desk
from leadline.records import Run
from leadline.settings import load_settings

FOLDER = "exports"
"""Name of the folder for pages in the data folder."""


async def open_report(name: str | None, only_print: bool) -> None:
    """Write the page of a run's report, print where it is, and open it."""
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        path = find_pages(desk.settings.home, run)[0]
        await export_file(desk, run, path)
    put(str(path))
    if not only_print and not webbrowser.open(path.as_uri()):
        say("No browser could be opened; open the file above in one.")


def find_pages(home: Path, run: Run) -> Sequence[Path]:
    """Return the files that this command writes for a run; they need not be there."""
    return [home / FOLDER / f"{run.id}.html"]

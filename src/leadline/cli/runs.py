"""`leadline runs list|show|cancel|export|delete`: looking at runs, stopping them and clearing them away."""

import asyncio
import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
from rich.cells import cell_len, set_cell_size

from leadline.cli.closing import count, gather
from leadline.cli.descriptions import as_json, as_row, as_text
from leadline.cli.finding import find_run
from leadline.cli.page import find_pages
from leadline.cli.showing import export, export_file
from leadline.cli.streams import printable, put, say
from leadline.clock import SystemClock
from leadline.desk import Desk, open_desk
from leadline.errors import OutputError
from leadline.records import Run
from leadline.settings import load_settings
from leadline.standing import Standing, fold, judge


async def list_runs(limit: int, in_json: bool) -> None:
    """List runs, newest first."""
    async with open_desk(load_settings()) as desk:
        runs = await desk.store.runs.list(limit)
        states = await desk.states([run for run in runs if run.status == "running"])
    now = SystemClock().now()
    for run in runs:
        standing = judge(run, states.get(run.id))
        if in_json:
            put(as_json(run, standing))
        else:
            _put_row(as_row(run, standing, now))
    if not runs:
        say('There are no runs yet. Begin one: leadline research "…" --in FOLDER')


def _put_row(text: str) -> None:
    """Write one line of a list to stdout, cut to the width of a terminal."""
    if not sys.stdout.isatty():
        put(text)
        return
    width = shutil.get_terminal_size().columns
    text = printable(text)
    put(text if cell_len(text) <= width else f"{set_cell_size(text, width - 1).rstrip()}…")


async def show_run(name: str | None, in_json: bool) -> None:
    """Show one run."""
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        standing = await _find_standing(desk, run)
        board = fold(await desk.store.runs.events(run.id))
    files = [page for page in find_pages(desk.settings.home, run) if page.exists()]
    if in_json:
        put(as_json(run, standing, board, files=[str(file) for file in files]))
        return
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    for line in as_text(run, standing, board, files, ascii_only):
        put(line)


async def _find_standing(desk: Desk, run: Run) -> Standing:
    return judge(run, await desk.state(run) if run.status == "running" else None)


async def cancel_run(name: str | None, in_json: bool) -> None:
    """Cancel a run and say when that was confirmed."""
    began = time.monotonic()
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        await desk.cancel(run)
        seconds = time.monotonic() - began
        run = await desk.store.runs.load(run.id)
    if in_json:
        put(as_json(run, run.status, seconds=round(seconds, 3)))
    else:
        put(f"run {run.id} · {run.status}, confirmed after {seconds:.1f} s · {count(len(run.points), 'point')} kept")


async def export_run(name: str | None, output: Path, in_json: bool) -> None:
    """Write the files of a run, or one of them."""
    async with open_desk(load_settings()) as desk:
        run = await find_run(desk, name)
        files = await _write(desk, run, output)
    if in_json:
        put(json.dumps({"run": run.id, "files": [str(file) for file in files]}, ensure_ascii=False))
        return
    for line in gather(files):
        put(line)


async def _write(desk: Desk, run: Run, output: Path) -> Sequence[Path]:
    if output.is_dir() or not output.suffix:
        return await export(desk, run, output)
    await export_file(desk, run, output)
    return [output]


def delete_run(name: str | None, yes: bool, in_json: bool) -> None:
    """Delete a run, having asked on a terminal."""
    found = asyncio.run(_look(name))
    topic = " ".join(found.topic.text.split())
    if not yes and sys.stdin.isatty():
        click.confirm(f"Delete run {found.id} ({topic}) with its {count(len(found.points), 'point')}?", abort=True, err=True)
    asyncio.run(_delete(found))
    put(json.dumps({"run": found.id, "deleted": True}) if in_json else f"run {found.id} is deleted: {topic}")


async def _look(name: str | None) -> Run:
    async with open_desk(load_settings()) as desk:
        return await find_run(desk, name)


async def _delete(run: Run) -> None:
    async with open_desk(load_settings()) as desk:
        await desk.delete(await desk.store.runs.load(run.id))
        for page in find_pages(desk.settings.home, run):
            try:
                page.unlink(missing_ok=True)
            except OSError as error:
                raise OutputError(f"The page {str(page)!r} of the deleted run stays ({error.strerror}): remove it.") from error

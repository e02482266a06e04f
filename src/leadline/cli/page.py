"""`leadline open`: a report as one HTML file that loads nothing, and a browser to read it in."""

import asyncio
import html
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from markdown_it import MarkdownIt

from leadline import exports
from leadline.cli.finding import find_run
from leadline.cli.streams import put, say
from leadline.desk import open_desk
from leadline.errors import UsageError
from leadline.pipeline.rendering import to_markdown
from leadline.records import Report, Run
from leadline.settings import load_settings

FOLDER = "exports"
"""Name of the folder for pages in the data folder."""

_STYLE = """\
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfdfb; --faint: #666a70; --rule: #d8d8d2; --mark: #10627a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e0; --paper: #17191c; --faint: #9a9ea5; --rule: #3a3e44; --mark: #6cc3dc; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.05rem/1.6 Georgia, "Noto Serif CJK SC", serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.25; font-family: system-ui, "Noto Sans CJK SC", sans-serif; }
h1 { border-bottom: 2px solid var(--mark); padding-bottom: .4rem; }
h2 { margin-top: 2.2rem; }
blockquote { margin: 0; color: var(--faint); }
li { margin: .45rem 0; }
code { font-size: .9em; }
a { color: var(--mark); }
main > p:last-child { margin-top: 2.5rem; border-top: 1px solid var(--rule); padding-top: .6rem; color: var(--faint); }
@media print { body { font-size: 10.5pt; } }"""

_PAGE = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main>
{body}</main>
</body>
</html>
"""


def open_report(run: str | None, only_print: bool) -> None:
    """Write the page of a run's report, print where it is, and open it."""
    path = asyncio.run(_write(run))
    put(str(path))
    if not only_print and not webbrowser.open(path.as_uri()):
        say("No browser could be opened; open the file above in one.")


async def _write(name: str | None) -> Path:
    settings = load_settings()
    async with open_desk(settings) as desk:
        run = await find_run(desk, name)
    if run.report is None:
        raise UsageError(f"Run {run.id} has no report yet ({run.status}); follow it: leadline runs watch {run.id}")
    path = find_pages(settings.home, run)[0]
    exports.prepare(path.parent)
    await asyncio.to_thread(exports.write_file, path, to_html(run.report))
    return path


def find_pages(home: Path, run: Run) -> Sequence[Path]:
    """Return the files that this command writes for a run; they need not be there."""
    return [home / FOLDER / f"{run.id}.html"]


def to_html(report: Report) -> str:
    """Return a report as a page. Markup in its texts is shown, not obeyed, and images are left out: a page loads nothing."""
    markdown = MarkdownIt("commonmark", {"html": False}).disable("image")
    return _PAGE.format(
        language=html.escape(report.language),
        title=html.escape(" ".join(report.title.split())),
        style=_STYLE,
        body=markdown.render(to_markdown(report)),
    )

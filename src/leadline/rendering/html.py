"""Templates, style and script put together: parts of a page for a server, and one file that stands for itself."""

import base64
import functools
import hashlib
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from leadline.rendering.views import ROOM, Exhibit, ReportView

_STYLES = ("tokens.css", "report.css", "print.css")


@functools.cache
def environment() -> Environment:
    """Return the templates; whatever is put into them is escaped unless it is Markup."""
    return Environment(
        loader=PackageLoader(ROOM),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render_report(view: ReportView) -> Markup:
    """Return the report alone: title, sections, references."""
    return Markup(environment().get_template("report.html").render(view=view))


def render_evidence(view: ReportView, exhibit: Exhibit) -> Markup:
    """Return the evidence behind one citation."""
    return Markup(environment().get_template("evidence.html").render(view=view, exhibit=exhibit))


@functools.cache
def style() -> str:
    """Return the style sheet of reports: tokens, report, print."""
    return "\n".join(_read("style", name) for name in _STYLES)


@functools.cache
def script() -> str:
    """Return the script of reports: it opens the evidence behind a citation."""
    return _read("script", "evidence.js")


def _read(folder: str, name: str) -> str:
    return resources.files(ROOM).joinpath(folder, name).read_text(encoding="utf-8").strip()


def render_page(view: ReportView) -> str:
    """Return one file that holds everything: it loads nothing, and its policy lets nothing run but the script inside."""
    template = environment().get_template("page.html")
    return template.render(view=view, style=Markup(style()), script=Markup(script()), policy=_policy())


@functools.cache
def _policy() -> str:
    """Return the Content-Security-Policy that allows this style and this script by their hashes, and nothing else."""
    return (
        f"default-src 'none'; style-src '{_digest(style())}'; script-src '{_digest(script())}';"
        " base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"

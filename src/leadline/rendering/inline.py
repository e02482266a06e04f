"""One line of text as HTML: code and emphasis, and nothing that acts, loads or leads anywhere."""

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

from leadline.grounding.markdown import inline

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")
_TAGS = {"code", "em", "strong"}


def to_html(text: str, rich: bool = False) -> Markup:
    """Return a text of a page, model or person as HTML that shows what it says.

    It takes the way that the Markdown report takes, so both look alike: made safe for Markdown, rendered, and what is left is
    cleaned by an allowlist. `rich` is that of `leadline.grounding.markdown.inline`.
    """
    return render(inline(text, rich))


def render(markdown: str) -> Markup:
    """Return one line of the report's own Markdown as HTML."""
    return Markup(nh3.clean(_MARKDOWN.renderInline(markdown), tags=_TAGS, attributes={}))

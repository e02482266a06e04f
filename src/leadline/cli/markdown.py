"""A report on a terminal: Markdown by rich, with headings at the left and lines broken where Chinese and Japanese allow it."""

from collections.abc import Iterator
from typing import ClassVar

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement, Paragraph
from rich.text import Text
from rich.theme import Theme

from leadline.cli.streams import WIDEST

THEME = Theme({"markdown.h1": "bold cyan", **{f"markdown.h{level}": "bold" for level in range(2, 7)}})

_NOT_FIRST = frozenset("、。，．：；？！）］｝〕〉》」』】’”…‥・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)]}%")
_NOT_LAST = frozenset("（［｛〔〈《「『【‘“([{")


def print_markdown(markdown: str) -> None:
    """Render Markdown on the terminal that stdout is."""
    console = Console(markup=False, highlight=False, emoji=False, theme=THEME)
    console.print(ReportMarkdown(markdown, hyperlinks=False), width=min(console.width, WIDEST))


class PlainHeading(Heading):
    """A heading at the left margin; only the title is underlined."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the heading's lines."""
        if self.tag != "h1":
            yield Text("")
        yield from wrap(self.text, options.max_width)
        if self.tag == "h1":
            yield Text("═" * min(options.max_width, cell_len(self.text.plain)), style="cyan")


class WrappedParagraph(Paragraph):
    """A paragraph whose lines break between wide characters too."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the paragraph's lines."""
        yield from wrap(self.text, options.max_width)


class ReportMarkdown(Markdown):
    """Markdown with the two elements above."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "paragraph_open": WrappedParagraph,
        "heading_open": PlainHeading,
    }


def wrap(text: Text, width: int) -> Iterator[Text]:
    """Yield lines of at most `width` columns: broken at spaces, and between wide characters except before a closing or
    after an opening bracket or mark. A word wider than a line is cut."""
    for line in text.split("\n", allow_blank=True):
        for part in line.divide(_breaks(line.plain, width)):
            part.rstrip()
            part.no_wrap, part.overflow = True, "ignore"
            yield part


def _breaks(plain: str, width: int) -> list[int]:
    """Offsets at which lines begin, the first one's left out."""
    breaks: list[int] = []
    start = used = allowed = 0
    for place, char in enumerate(plain):
        if place > start and _may_break(plain[place - 1], char):
            allowed = place
        used += cell_len(char)
        while used > width and place > start and not char.isspace():
            start = allowed if allowed > start else place
            used = cell_len(plain[start : place + 1])
            breaks.append(start)
    return breaks


def _may_break(before: str, after: str) -> bool:
    if before.isspace():
        return not after.isspace() and after != "["  # a reference stays with its sentence
    wide = cell_len(before) > 1 or cell_len(after) > 1
    return wide and after not in _NOT_FIRST and before not in _NOT_LAST

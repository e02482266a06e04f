"""Markdown to a document: structure is kept, inline marks become the words they dress."""

import html
import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from resiliparse.parse.html import ElementNode

from leadline.documents.blocks import Block, make_row, render_blocks, squeeze
from leadline.documents.cleaning import remove
from leadline.documents.dates import normalise_date
from leadline.documents.document import Document
from leadline.documents.html_blocks import BlockReader
from leadline.documents.html_tree import parse_html, remove_hidden
from leadline.documents.plain import read_plain

_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_FIELD = re.compile(
    r"^(title|author|authors|date|lang|language)[ \t]*:[ \t]*(.*(?:\n[ \t]+-[ \t].*)*)", re.MULTILINE | re.IGNORECASE
)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:?")
# The parser takes more than linear time for unclosed brackets: 4 s for 200,000 characters of them in one paragraph.
_LONGEST_PARAGRAPH, _MOST_UNCLOSED = 50_000, 500
_HIDEABLE = re.compile(r"\s(?:style\s*=|hidden\b)", re.IGNORECASE)
_UNREAD = "script, style, template, noscript, svg, [hidden]"


def read_markdown(text: str) -> Document:
    """Return a Markdown text as a document, with title, authors and date from its front matter.

    Args:
        text: decoded; CommonMark with tables.
    """
    fields, body = _split_front_matter(text)
    blocks = read_markdown_blocks(body)
    headings = [block.text for block in blocks[:10] if block.kind == "heading"]
    authors = fields.get("authors") or fields.get("author") or []
    return Document(
        render_blocks(blocks),
        title=squeeze(" ".join(fields.get("title", headings[:1]))),
        authors=tuple(authors),
        date=normalise_date(" ".join(fields.get("date", []))),
        language=" ".join(fields.get("lang") or fields.get("language") or []),
    )


def read_markdown_blocks(text: str) -> list[Block]:
    """Return the blocks of Markdown without front matter."""
    if any(map(_is_hard, text.split("\n\n"))):
        return read_plain(text)
    return list(_read(_parser().parse(_FOOTNOTE.sub("", text))))


def _is_hard(paragraph: str) -> bool:
    return len(paragraph) > _LONGEST_PARAGRAPH or paragraph.count("[") - paragraph.count("]") > _MOST_UNCLOSED


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _split_front_matter(text: str) -> tuple[dict[str, list[str]], str]:
    """Return the fields that matter here; the front matter's other YAML is nothing that a reader of the text needs."""
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    fields = {name.lower(): _read_values(value) for name, value in _FIELD.findall(match.group(1))}
    return {name: values for name, values in fields.items() if values}, text[match.end() :]


def _read_values(value: str) -> list[str]:
    listed = value.strip().strip("[]").removeprefix("- ")
    parts = re.split(r"\n[ \t]+-[ \t]+|,[ \t]+" if value.strip() != listed or "\n" in value else r"\n", listed)
    return [part.strip().strip("\"'") for part in parts if part.strip()]


def _read(tokens: Sequence[Token]) -> Iterator[Block]:
    is_item = False
    level = 0
    row: list[str] | None = None
    for token in tokens:
        match token.type:
            case "heading_open":
                level = int(token.tag[1])
            case "list_item_open":
                is_item = True
            case "tr_open":
                row = []
            case "tr_close":
                yield make_row(row or ())
                row = None
            case "inline" if row is not None:
                row.append(_read_inline(token))
            case "inline":
                text = _read_inline(token)
                yield Block("heading", text, level) if level else Block("item" if is_item else "paragraph", text)
                is_item, level = False, 0
            case "fence" | "code_block":
                yield Block("code", token.content)
            case "html_block":
                yield from _read_html(token.content)


def _read_inline(token: Token) -> str:
    children = token.children or []
    if any(child.type == "html_inline" and _HIDEABLE.search(child.content) for child in children):
        return _read_markup(children)
    return "".join(map(_read_span, children))


def _read_markup(spans: Sequence[Token]) -> str:
    """Return what is seen of a paragraph that has HTML of its own with styles."""
    markup = "".join(span.content if span.type == "html_inline" else html.escape(_read_span(span)) for span in spans)
    body = _parse_seen(markup)
    return (body.text or "") if body else ""


def _parse_seen(markup: str) -> ElementNode | None:
    body = parse_html(markup).body
    if body is not None:
        remove(body, _UNREAD)
        remove_hidden(body)
    return body


def _read_span(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type in ("text", "code_inline", "text_special"):
        return token.content
    return " " if token.content.startswith("<br") else ""


def _read_html(markup: str) -> list[Block]:
    body = _parse_seen(markup)
    if body is None:
        return []
    reader = BlockReader()
    reader.feed(re.sub(r"<!--.*?-->", "", body.html, flags=re.DOTALL))
    return reader.close()

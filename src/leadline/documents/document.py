"""What reading a document's bytes gives."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """The readable part of a file or web page.

    `text` is in the light Markdown that `records.Page` describes. `date` is as exact as the document gives it (`2022`,
    `2022-10`, `2022-10-12`), or ""; `language` is a BCP 47 tag, or "" when the text does not show it (of what a reader of one
    format gives, the tag that is declared, as it stands there).

    Of a paged document `pages` are the places in the text where its pages start, in characters, from page 1 on; `part` says
    which part was read (`pages 1–500 of 812`), "" for all of it. `identifiers` are what the document is known by everywhere:
    `doi:10.1000/x`, `arxiv:2401.00001`, in lower case.

    A plain dataclass, not a Record: a library makes thousands, and nothing here needs validating.
    """

    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    date: str = ""
    language: str = ""
    pages: tuple[int, ...] = ()
    part: str = ""
    identifiers: tuple[str, ...] = ()

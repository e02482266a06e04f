"""A PDF as a document."""

import re

from leadline.documents.document import Document
from leadline.documents.legibility import is_broken
from leadline.documents.pdf_facts import find_authors, find_date, find_identifiers, find_title
from leadline.documents.pdf_layout import lay_out
from leadline.documents.pdf_lines import Line, read_lines
from leadline.documents.pdf_process import SHARED
from leadline.documents.pdf_reply import Reply
from leadline.errors import DocumentError

_FEWEST = 20  # letters and digits a page, in the mean, below which its text is not what it shows
_REASONS = {"encrypted": "There is no readable text (encrypted).", "damaged": "The PDF is damaged."}
_STATED_DOI = re.compile(rb"<(?:prism:doi|pdfx:doi|pdfx:WPS-ARTICLEDOI)>\s*(?:doi:\s*)?(10\.[^<\s]{5,200})\s*<")


def read_pdf(data: bytes) -> Document:
    """Return the text of a PDF, what it says about itself, and where its pages start.

    Running heads, page numbers, tables of contents and lists of references are left out.

    Raises:
        DocumentError: `unreadable` (scanned, encrypted, broken encoding, damaged), or `empty`.
    """
    reply = SHARED.read(data)
    if failure := reply.get("error"):
        raise DocumentError("unreadable", _REASONS[failure])
    lines = read_lines(reply)
    _expect_readable(lines, reply)
    text, starts = lay_out(lines, reply["titles"])
    first = [line for line in lines if line.page == lines[0].page] if lines else []
    facts = reply["facts"]
    if stated := _STATED_DOI.search(data):
        facts = {**facts, "doi": stated.group(1).decode("ascii", "replace")}
    return Document(
        text,
        title=find_title(facts, first),
        authors=find_authors(facts, first),
        date=find_date(facts, first),
        pages=starts,
        part=_name_part(reply),
        identifiers=find_identifiers(facts, first),
    )


def _expect_readable(lines: list[Line], reply: Reply) -> None:
    text = "\n".join(measured[0] for page in reply["pages"] for measured in page)
    if is_broken(text):
        raise DocumentError("unreadable", "There is no readable text (broken encoding).")
    letters = sum(map(str.isalnum, "".join(line.text for line in lines)))
    if letters < _FEWEST * len(reply["pages"]) and reply["pictures"]:
        raise DocumentError("unreadable", "There is no readable text (scanned).")


def _name_part(reply: Reply) -> str:
    read, total = len(reply["pages"]), reply["total"]
    return f"pages 1–{read} of {total}" if read < total else ""

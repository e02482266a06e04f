"""The formats of a report: each makes one file, and is chosen by the end of that file's name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from leadline.errors import UsageError
from leadline.exports.bibliography import to_bibtex, to_csl
from leadline.exports.bundle import to_bundle
from leadline.exports.data import report_json
from leadline.exports.material import Material
from leadline.exports.pdf import to_pdf
from leadline.exports.word import to_docx
from leadline.pipeline.rendering import to_markdown
from leadline.rendering import render_page


@dataclass(frozen=True, slots=True)
class Format:
    """A suffix with its dot, the media type that goes with it, and what makes the file; making may take seconds."""

    suffix: str
    media_type: str
    make: Callable[[Material], bytes]


def _text(write: Callable[[Material], str]) -> Callable[[Material], bytes]:
    return lambda material: write(material).encode("utf-8", "replace")


FORMATS = (
    Format(".md", "text/markdown; charset=utf-8", _text(lambda material: to_markdown(material.report))),
    Format(".html", "text/html; charset=utf-8", _text(lambda material: render_page(material.view))),
    Format(".pdf", "application/pdf", to_pdf),
    Format(".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", to_docx),
    Format(".json", "application/json", _text(lambda material: report_json(material.run))),
    Format(".csl.json", "application/vnd.citationstyles.csl+json", _text(to_csl)),
    Format(".bib", "application/x-bibtex; charset=utf-8", _text(to_bibtex)),
    Format(".zip", "application/zip", to_bundle),
)


def find_format(name: str) -> Format:
    """Return the format that a file's name asks for.

    Raises:
        UsageError: its end is none of those known.
    """
    for known in sorted(FORMATS, key=lambda known: -len(known.suffix)):
        if name.lower().endswith(known.suffix):
            return known
    allowed = ", ".join(known.suffix for known in FORMATS)
    raise UsageError(
        f"{Path(name).name!r} names no format that can be written; allowed are {allowed}, or a name without a dot for a folder."
    )

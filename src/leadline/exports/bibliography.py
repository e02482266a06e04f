"""The references of a report for programs that manage references: BibTeX, and CSL-JSON.

Fields and types: https://docs.citationstyles.org/en/stable/specification.html, and the `misc` entry of BibTeX.
"""

import json
import re

from leadline.exports.material import Material
from leadline.records import Source
from leadline.rendering.places import link

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_", "$": r"\$",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_YEAR = re.compile(r"\d{4}")


def to_bibtex(material: Material) -> str:
    """Return one entry a reference; its key is the run's id with the number of the reference."""
    entries = [_entry(f"leadline-{material.run.id}-{s.number}", s, material) for s in material.report.references]
    return "\n\n".join(entries) + "\n" if entries else ""


def _entry(key: str, source: Source, material: Material) -> str:
    url = link(source.address)
    year = _YEAR.match(source.date)
    fields = {
        "title": f"{{{_escape(source.title or source.address)}}}",
        "author": " and ".join(f"{{{_escape(author)}}}" for author in source.authors or [source.site] if author),
        "year": year.group() if year else "",
        "url": url.replace("{", "%7B").replace("}", "%7D"),
        "urldate": material.report.date.isoformat() if url else "",
        "howpublished": "" if url else _escape(source.address),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}"])


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(char, char) for char in " ".join(text.split()))


def to_csl(material: Material) -> str:
    """Return the references as CSL-JSON."""
    items = [_item(source, material) for source in material.report.references]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def _item(source: Source, material: Material) -> dict[str, object]:
    url = link(source.address)
    today = material.report.date
    fields: dict[str, object] = {
        "id": f"leadline-{material.run.id}-{source.number}",
        "type": "webpage" if url else "document",
        "title": source.title or source.address,
        "author": [{"literal": author} for author in source.authors],
        "container-title": source.site,
        "issued": {"date-parts": [[int(part) for part in source.date.split("-")]]} if _YEAR.match(source.date) else None,
        "URL": url,
        "accessed": {"date-parts": [[today.year, today.month, today.day]]},
        "archive_location": "" if url else source.address,
    }
    return {name: value for name, value in fields.items() if value}

"""The METADATA file of an installed Python package as a document."""

from email.parser import Parser
from email.policy import compat32

from leadline.documents.blocks import Block, render_blocks, squeeze
from leadline.documents.document import Document
from leadline.documents.markdown import read_markdown_blocks
from leadline.documents.plain import read_plain
from leadline.documents.restructured import read_restructured_blocks


def read_metadata(text: str) -> Document:
    """Return a package's name, version, summary and description.

    The format is that of https://packaging.python.org/en/latest/specifications/core-metadata/.
    """
    message = Parser(policy=compat32).parsestr(text)
    name, version, summary = (squeeze(str(message.get(field, ""))) for field in ("Name", "Version", "Summary"))
    summary = "" if summary == "UNKNOWN" else summary
    title = f"{name} {version}".strip()
    body = str(message.get_payload() or "") or _unfold(str(message.get("Description", "")))
    blocks = [
        Block("heading", title, 1),
        Block("paragraph", summary),
        *_read_body(body, str(message.get("Description-Content-Type", ""))),
    ]
    return Document(
        render_blocks(blocks),
        title=f"{title} — {summary}" if summary else title,
        authors=_find_authors(str(message.get("Author", "")), str(message.get("Author-email", ""))),
        site="Python package",
    )


def _read_body(body: str, content_type: str) -> list[Block]:
    if "markdown" in content_type:
        return read_markdown_blocks(body)
    if "rst" in content_type or not content_type:  # without a type it is reStructuredText, says the specification
        return read_restructured_blocks(body)
    return read_plain(body)


def _unfold(description: str) -> str:
    """Undo the header form of a description: continuation lines start with eight spaces or with seven and a bar."""
    lines = description.splitlines()
    return "\n".join(line[8:] if line.startswith((" " * 8, " " * 7 + "|")) else line for line in lines)


def _find_authors(names: str, addresses: str) -> tuple[str, ...]:
    """Names from `Author`, else those in `Author-email` (`Name <address>`); addresses alone are nobody's name."""
    if names and names != "UNKNOWN":
        return tuple(squeeze(name) for name in names.split(",") if name.strip())
    found = (squeeze(part.split("<")[0]).strip("\"' ") for part in addresses.split(","))
    return tuple(name for name in found if name and "@" not in name)

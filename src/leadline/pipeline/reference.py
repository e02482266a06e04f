"""Citations and references as text. Numbers, addresses and the list are made here and nowhere else."""

from collections.abc import Iterable, Mapping

from leadline.grounding.markdown import inline
from leadline.records import Point, Source

ENDS = ".!?。！？；;"
CLOSERS = "\"'”’」』）)》】"


def number_pages(pages: Iterable[str]) -> dict[str, int]:
    """Return page id → number of its reference, from 1 in order of first mention."""
    return {page: number for number, page in enumerate(dict.fromkeys(pages), 1)}


def cite(text: str, pages: Iterable[str], numbers: Mapping[str, int]) -> str:
    """Return a sentence as Markdown with its citations before the full stop: `It holds [1, 4].`"""
    safe = inline(text)
    marks = sorted({numbers[page] for page in pages if page in numbers})
    if not marks:
        return safe
    body, end = _split_end(safe)
    return f"{body} [{', '.join(map(str, marks))}]{end}"


def cite_point(point: Point, numbers: Mapping[str, int]) -> str:
    """Return a point as Markdown with all its citations."""
    return cite(point.text, (evidence.page for evidence in point.evidence), numbers)


def _split_end(text: str) -> tuple[str, str]:
    """Split off the final full stop; one inside quotes or brackets stays where it is, and the mark comes behind it."""
    body = text.rstrip()
    if body and body[-1] in ENDS and not body.endswith(("...", "。。。")):
        return body[:-1], body[-1]
    return body, ""


def describe(source: Source) -> str:
    """Return `author or site. title. date. address, p. 3` as Markdown, leaving out what the document does not say."""
    who = ", ".join(source.authors[:3]) + (" et al." if len(source.authors) > 3 else "")
    parts = [who or source.site, source.title, source.date]
    said = [inline(part).rstrip(".") for part in parts if part]
    return ". ".join([*said, _address(source.address)]) + _pages(source)


def _pages(source: Source) -> str:
    numbers = ", ".join(map(str, source.page_numbers))
    pages = f", {'pp' if len(source.page_numbers) > 1 else 'p'}. {numbers}" if numbers else ""
    return f"{pages} ({inline(source.part)})" if source.part else pages


def _address(address: str) -> str:
    if address.startswith(("http://", "https://")):
        return f"<{address}>"
    return inline(address)

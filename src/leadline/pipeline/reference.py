"""Citations and references as text. Numbers, addresses and the list are made here and nowhere else."""

import re
from collections.abc import Iterable, Mapping, Sequence

from leadline.grounding.language import is_cjk
from leadline.grounding.markdown import inline
from leadline.pipeline.phrases import Phrases
from leadline.records import FIRM, Evidence, Point, Source

ENDS = ".!?。！？；;"
_UNLINKABLE = re.compile(r"[\s<>\\]")


def number_pages(pages: Iterable[str]) -> dict[str, int]:
    """Return page id → number of its reference, from 1 in order of first mention."""
    return {page: number for number, page in enumerate(dict.fromkeys(pages), 1)}


def cite(text: str, evidence: Iterable[Evidence], numbers: Mapping[str, int], words: Phrases) -> str:
    """Return a sentence as Markdown with its citations before the full stop: `It holds [1, 4] (see also [2]).`

    A page that says it in full is cited; one that only speaks of the same thing is named behind "see also".
    """
    safe = inline(text)
    firm, near = _split_marks([e for e in evidence if e.page in numbers], numbers)
    if not firm:
        return safe
    body, end = _split_end(safe)
    also = words.say("see_also", marks=_bracket(near)) if near else ""
    return f"{body} {_bracket(firm)}{also}{end}"


def cite_point(point: Point, numbers: Mapping[str, int], words: Phrases) -> str:
    """Return a point as Markdown with all its citations."""
    return cite(point.text, point.evidence, numbers, words)


def _split_marks(evidence: Sequence[Evidence], numbers: Mapping[str, int]) -> tuple[list[int], list[int]]:
    """The numbers of the pages that say it in full, and of the others; where none does, all of them carry it together."""
    firm = {numbers[e.page] for e in evidence if e.verdict in FIRM}
    near = {numbers[e.page] for e in evidence} - firm
    return (sorted(firm), sorted(near)) if firm else (sorted(near), [])


def _bracket(marks: Sequence[int]) -> str:
    return f"[{', '.join(map(str, marks))}]"


def _split_end(text: str) -> tuple[str, str]:
    """Split off the final full stop; one inside quotes or brackets stays where it is, and the mark comes behind it.

    A Chinese sentence that its source ends with a Latin full stop ends with its own: `密码 [1].` is a mix of both.
    """
    body = text.rstrip()
    if body and body[-1] in ENDS and not body.endswith(("...", "。。。")):
        stop = "。" if body[-1] == "." and is_cjk(body[-2:-1] or " ") else body[-1]
        return body[:-1], stop
    return body, ""


def describe(source: Source) -> str:
    """Return `author or site. title. date. address` as Markdown, leaving out what the document does not say."""
    who = ", ".join(source.authors[:3]) + (" et al." if len(source.authors) > 3 else "")
    parts = [who or source.site, source.title, source.date]
    said = [_end(inline(part)) for part in parts if part]
    return " ".join([*said, _address(source.address)])


def _end(part: str) -> str:
    """Let a part of a reference end in one sign: its own question mark or the like, else a full stop."""
    bare = part.rstrip(".。．｡ ")
    return bare if bare.endswith(("?", "!", "？", "！", "…")) else f"{bare}."


def _address(address: str) -> str:
    if address.startswith(("http://", "https://")) and not _UNLINKABLE.search(address):
        return f"<{address}>"
    return inline(address)

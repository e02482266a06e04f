"""Citations and references as text. Numbers, addresses and the list are made here and nowhere else."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from leadline.grounding.address import address_key
from leadline.grounding.language import is_cjk
from leadline.grounding.markdown import inline
from leadline.pipeline.phrases import Phrases
from leadline.records import FIRM, HOLDING, Evidence, Point, Source

ENDS = ".!?。！？；;"
_RUN = 4
"""Numbers in a row from which on a range is shorter to read."""

_UNLINKABLE = re.compile(r"[\s<>\\]")


def number_pages(pages: Iterable[str]) -> dict[str, int]:
    """Return page id → number of its reference, from 1 in order of first mention."""
    return {page: number for number, page in enumerate(dict.fromkeys(pages), 1)}


def group_copies(sources: Iterable[Source]) -> dict[str, str]:
    """Return page id → id of the first source that is the same page: one reference for all its copies.

    The same are those whose addresses are of one page, and those that name the same DOI or arXiv number, wherever they were
    found.
    """
    first: dict[str, str] = {}
    copies: dict[str, str] = {}
    for source in sources:
        names = (address_key(source.address), *map(_name_paper, source.identifiers))
        copies[source.page] = next((first[name] for name in names if name in first), source.page)
        first |= {name: copies[source.page] for name in names if name not in first}
    return copies


def _name_paper(identifier: str) -> str:
    """A DOI as the key of its address, for arXiv's own DOIs are arXiv numbers."""
    doi = identifier.removeprefix("doi:")
    return identifier if doi == identifier else address_key(f"https://doi.org/{doi}")


def cite(text: str, evidence: Iterable[Evidence], numbers: Mapping[str, int], words: Phrases, aside: str = "") -> str:
    """Return a sentence as Markdown with its citations before the full stop: `It holds [1, 4] (see also [2]).`

    A page that says it in full is cited; one that only speaks of the same thing is named behind "see also". Where no page says
    all of it the sentence says so, and where none holds it, that it was not found.

    Args:
        text: the sentence.
        evidence: its citations; of those without a number nothing is said.
        numbers: page → number of its reference.
        words: for what stands in brackets.
        aside: what else is to be said of it in brackets.
    """
    safe = inline(text, rich=True)
    cited = [e for e in evidence if e.page in numbers]
    if cited and all(e.verdict not in HOLDING for e in cited):
        return f"{safe} **{words.say('unsupported', marks=_bracket(sorted({numbers[e.page] for e in cited})))}**"
    firm, near = _split_marks(cited, numbers)
    if not firm:
        return safe
    body, end = split_end(safe)
    also = words.say("see_also", marks=_bracket(near)) if near else ""
    said = [part for part in (aside, "" if any(e.verdict in FIRM for e in cited) else words.say("in_part")) if part]
    return f"{body} {_bracket(firm)}{also}{words.say('in_brackets', text=words.list(said)) if said else ''}{end}"


def cite_point(point: Point, numbers: Mapping[str, int], words: Phrases, aside: str = "") -> str:
    """Return a point as Markdown with all its citations, and what else is to be said of it."""
    return cite(point.text, point.evidence, numbers, words, aside)


def _split_marks(evidence: Sequence[Evidence], numbers: Mapping[str, int]) -> tuple[list[int], list[int]]:
    """The numbers of the pages that say it in full, and of the others; where none does, all of them carry it together."""
    firm = {numbers[e.page] for e in evidence if e.verdict in FIRM}
    near = {numbers[e.page] for e in evidence} - firm
    return (sorted(firm), sorted(near)) if firm else (sorted(near), [])


def _bracket(marks: Sequence[int]) -> str:
    """Return `[1, 4-7]`: three or more in a row are a range, so that twenty citations stay readable."""
    runs: list[list[int]] = []
    for mark in marks:
        if runs and mark == runs[-1][-1] + 1:
            runs[-1].append(mark)
        else:
            runs.append([mark])
    parts = [f"{run[0]}-{run[-1]}" if len(run) >= _RUN else ", ".join(map(str, run)) for run in runs]
    return f"[{', '.join(parts)}]"


def split_end(text: str) -> tuple[str, str]:
    """Split off the final full stop; one inside quotes or brackets stays where it is, and the mark comes behind it.

    A Chinese sentence that its source ends with a Latin full stop ends with its own: `密码 [1].` is a mix of both.
    """
    body = text.rstrip()
    if body and body[-1] in ENDS and not body.endswith(("...", "。。。")):
        stop = "。" if body[-1] == "." and is_cjk(body[-2:-1] or " ") else body[-1]
        return body[:-1], stop
    return body, ""


def describe(source: Source) -> str:
    """Return `author or site. title. date. address, p. 3` as Markdown, leaving out what the document does not say."""
    who = ", ".join(source.authors[:3]) + (" et al." if len(source.authors) > 3 else "")
    parts = [who or source.site, source.title, source.date]
    said = [_end(inline(part)) for part in parts if part]
    return " ".join([*said, _address(source.address)]) + describe_pages(source)


def mark_kind(source: Source, words: Phrases) -> str:
    """Return what follows a reference: its genre, and where the page itself was not read, what was."""
    genre = words.say("in_brackets", text=words.say(f"genre_{source.genre}")) if source.genre else ""
    match source.kind:
        case "read":
            return genre
        case "abstract":
            return f"{genre} {words.say('kind_abstract')}"
        case "snippet":
            return f"{genre} {words.say('kind_snippet', reason=inline(source.reason))}"
        case other:
            assert_never(other)


def _end(part: str) -> str:
    """Let a part of a reference end in one sign: its own question mark or the like, else a full stop."""
    bare = part.rstrip(".。．｡ ")
    return bare if bare.endswith(("?", "!", "？", "！", "…")) else f"{bare}."


def describe_pages(source: Source) -> str:
    """Return `, p. 3` for a paged document, and which part of it was read."""
    numbers = ", ".join(map(str, source.page_numbers))
    pages = f", {'pp' if len(source.page_numbers) > 1 else 'p'}. {numbers}" if numbers else ""
    return f"{pages} ({inline(source.part)})" if source.part else pages


def _address(address: str) -> str:
    if address.startswith(("http://", "https://")) and not _UNLINKABLE.search(address):
        return f"<{address}>"
    return inline(address)

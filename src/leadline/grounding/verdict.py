"""Does the page say what the point says? By code alone: verbatim, or by carrying words, numbers and negation.

Words cannot prove a paraphrase: on 1,688 expert labels word overlap told a right source from a wrong one (AUC .994) but full
from partial support hardly better than chance (AUC .588). One word that differs may be the subject, or turn the sentence round.
So `supported` means that all carrying words stand there, in the same order, and that numbers, negation and direction agree;
what shares most words is `partial`: it speaks of the same thing, and a report says so by "see also".
"""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from leadline.grounding import folding, sentences
from leadline.grounding.claims import is_negated, names, numbers
from leadline.grounding.opposites import are_opposed
from leadline.grounding.tokens import terms
from leadline.records import Evidence, Page, Passage, Verdict

PARTIAL = 0.35
"""Share of the carrying words below which the page counts as saying something else."""

TURNED = 0.5
"""Share of the carrying words from which on the opposite word or another number makes a contradiction, not another subject."""

ORDERED = 0.9
"""Share of the carrying words that must stand in the point's order: `A replaced B` is not `B replaced A`."""


def judge(text: str, page: Page, near: Passage) -> Evidence:
    """Check one citation of a point against the saved page.

    Args:
        text: the point.
        page: the page that is cited.
        near: the passage that is cited; its own words and those of its neighbours are compared.

    Returns:
        The evidence: its quote is the place on the page that carries the verdict, its score the share of the point's carrying
        words that stand there.
    """
    place = _find_verbatim(text, page, near)
    if place:
        return _evidence(page, place, "verbatim", 1.0)
    windows = [(_cover(text, page.text[start:end]), start - end, start, end) for start, end in _windows(page, near)]
    share, _, start, end = max(windows)
    return _evidence(page, (start, end), _decide(text, page.text[start:end], share), share)


def _find_verbatim(text: str, page: Page, near: Passage) -> tuple[int, int] | None:
    place = folding.find(text, near.text) or folding.find(text[:1].lower() + text[1:], near.text)
    if place:
        return near.start + place[0], near.start + place[1]
    return folding.find(text, page.text)


def _decide(text: str, window: str, share: float) -> Verdict:
    if share < PARTIAL or _speaks_of_others(text, window):
        return "unsupported"
    missing, other = numbers(text) - numbers(window), numbers(window) - numbers(text)
    turned = is_negated(text) != is_negated(window) or are_opposed(text, window)
    if share >= TURNED and (turned or (missing and other)):
        return "contradicted"
    if turned:
        return "unsupported"
    return "supported" if share == 1.0 and not missing and _is_in_order(text, window) else "partial"


def _speaks_of_others(text: str, window: str) -> bool:
    """Say whether both name something, and nothing in common."""
    mine, theirs = names(text), names(window)
    return bool(mine and theirs) and not mine & theirs


def _is_in_order(text: str, window: str) -> bool:
    mine, theirs = terms(text), terms(window)
    matching = SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in matching) >= ORDERED * len(mine)


def _cover(text: str, window: str) -> float:
    wanted = set(terms(text))
    return len(wanted & set(terms(window))) / len(wanted) if wanted else 0.0


def _windows(page: Page, near: Passage) -> Iterator[tuple[int, int]]:
    """Yield the passage alone, and with the sentence before or after it in its paragraph."""
    yield near.start, near.end
    if near.kind not in ("prose", "item"):
        return
    start = page.text.rfind("\n\n", 0, near.start) + 2 if "\n\n" in page.text[: near.start] else 0
    end = page.text.find("\n\n", near.end)
    spans = [(start + a, start + b) for a, b in sentences.split(page.text[start : end if end >= 0 else len(page.text)])]
    for (first, _), (_, last) in pairwise(spans):
        if first <= near.start and near.end <= last:
            yield first, last


def _evidence(page: Page, place: tuple[int, int], verdict: Verdict, share: float) -> Evidence:
    start, end = place
    return Evidence(
        page=page.id,
        start=start,
        end=end,
        quote=page.text[start:end],
        verdict=verdict,
        method="exact" if verdict == "verbatim" else "words",
        score=round(share, 4),
    )

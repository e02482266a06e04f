"""Does the page say what the point says? By code alone: verbatim, or by carrying words, numbers and negation.

Words cannot prove a paraphrase: on 1,688 expert labels word overlap told a right source from a wrong one (AUC .994) but full
from partial support hardly better than chance (AUC .588). So `supported` means "the carrying words stand there and numbers
and negation agree", and whatever is less is `partial` at best.
"""

from collections.abc import Iterator
from itertools import pairwise

from leadline.grounding import folding, sentences
from leadline.grounding.claims import is_negated, numbers
from leadline.grounding.tokens import terms
from leadline.records import Evidence, Page, Passage, Verdict

SUPPORTED = 0.7
"""Share of the carrying words from which on a paraphrase counts as found."""
PARTIAL = 0.35
"""Share of the carrying words below which the page counts as saying something else."""


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
    place = folding.find(text, near.text)
    if place:
        return near.start + place[0], near.start + place[1]
    return folding.find(text, page.text)


def _decide(text: str, window: str, share: float) -> Verdict:
    if share < PARTIAL:
        return "unsupported"
    missing = numbers(text) - numbers(window)
    if share >= SUPPORTED:
        if is_negated(text) != is_negated(window) or (missing and numbers(window) - numbers(text)):
            return "contradicted"
        return "partial" if missing else "supported"
    return "partial" if is_negated(text) == is_negated(window) else "unsupported"


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
        page_number=page.find_page_number(start),
    )

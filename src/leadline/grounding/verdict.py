"""Does the page say what the point says? By code alone: verbatim, or by carrying words, numbers, names, negation and order.

Words cannot prove a paraphrase: on 1,688 expert labels word overlap told a right source from a wrong one (AUC .994) but full
from partial support hardly better than chance (AUC .588). One word that differs may be the subject, or turn the sentence round.
So code alone says `supported` only where all carrying words stand there; what shares most of them is `partial`: it speaks of
the same thing, and a report says so by "see also". Where an analyst has named the words of the page that carry the point, fewer
need be the same, and all else is compared as strictly.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from leadline.grounding import folding, sentences
from leadline.grounding.claims import differ_in_negation, find_other_names, is_negated, names
from leadline.grounding.likeness import Weights, cover, cover_signs, is_chinese, weigh
from leadline.grounding.opposites import are_opposed
from leadline.grounding.quantities import find_missing, numbers, read_quantities
from leadline.grounding.roles import agrees, find_moved_numbers
from leadline.records import Evidence, Page, Passage, Verdict

PARTIAL = 0.35
"""Share of the carrying words below which the page counts as saying something else."""

TURNED = 0.5
"""Share of the carrying words from which on the opposite word or another number makes a contradiction, not another subject."""

QUOTED, QUOTED_SIGNS = 0.3, 0.5
"""Share of the carrying words that must stand in words that an analyst has named; of the characters in Chinese, where a synonym
costs two or three pairs."""

ALL, NEVER = 1.0, 2.0
"""Without named words all of them must stand in the one sentence that is cited; its neighbours, that may hold the words of a
wrong subject, can make a point partial at most."""

FOLLOWING = 0.6
"""Share of the words of a sentence of overview or summary that the points which it follows from must hold."""

_FURTHEST = 600
"""Characters that a quote with a gap may span: two sentences."""

_ELLIPSIS = re.compile(r"\s*(?:\.{3,}|…+|\[…\]|\[\.{3}\])\s*")
_AROUND_QUOTE = " \t\n\"'“”‘’「」.,;:。，；：…"


def judge(text: str, page: Page, near: Passage) -> Evidence:
    """Check one citation of a point against the saved page.

    Args:
        text: the point.
        page: the page that is cited.
        near: the passage that is cited; its own words and those of its neighbours are compared.

    Returns:
        The evidence: its quote is the place on the page that carries the verdict, its score the share of the point's carrying
        words that stand there, weighted by how rare they are on the page.
    """
    place = _find_verbatim(text, page, near)
    if place:
        return _evidence(page, place, "verbatim", 1.0)
    verdict, share = _compare(text, page, near.start, near.end, ALL)
    start, end = near.start, near.end
    if verdict != "supported":
        judged = [(start, end, *_compare(text, page, start, end, NEVER)) for start, end in _windows(page, near)]
        start, end, verdict, share = max(judged, key=lambda one: (one[3], one[0] - one[1]))
    return _evidence(page, (start, end), verdict, share)


def judge_quote(text: str, quote: str, page: Page, near: Passage) -> Evidence | None:
    """Check a point by words that an analyst says carry it.

    Args:
        text: the point.
        quote: the words, as the analyst gave them; `…` stands for what it left out.
        page: the page that is cited.
        near: the passage that they are said to stand in; another place on the page will do.

    Returns:
        The evidence, with the whole sentences that hold the words as its quote; None when they do not stand on the page.
    """
    place = _find_pieces(quote, page, near)
    if place is None:
        return None
    start, end = _widen(page, *place)
    verdict, share = _compare(text, page, start, end, QUOTED)
    return _evidence(page, (start, end), verdict, share).model_copy(update={"method": "quote"})


def _find_verbatim(text: str, page: Page, near: Passage) -> tuple[int, int] | None:
    """Find a whole sentence or clause: `5 %` is not what `15 %` says, nor `it locks` what `it is not so that it locks` does."""
    place = _find(text, page, near) or _find(text[:1].lower() + text[1:], page, near)
    if place is None:
        return None
    before, behind = page.text[: place[0]].rstrip(" \t\n*_`\"'“‘(（")[-1:], page.text[place[1] :].lstrip(" \t*_`")[:1]
    is_bounded = not before.isalnum() or page.text[: place[0]].endswith("\n")
    return place if is_bounded and (not behind.isalnum() or page.text[place[1] - 1] in ".。!！?？;；") else None


def _find_pieces(quote: str, page: Page, near: Passage) -> tuple[int, int] | None:
    pieces = [piece.strip(_AROUND_QUOTE) for piece in _ELLIPSIS.split(quote)]
    places = [_find_piece(piece, page, near) for piece in pieces if piece]
    found = [place for place in places if place]
    if not found or len(found) < len(places):
        return None
    start, end = min(place[0] for place in found), max(place[1] for place in found)
    return (start, end) if len(found) == 1 or end - start <= _FURTHEST else None


def _find_piece(piece: str, page: Page, near: Passage) -> tuple[int, int] | None:
    return _find(piece, page, near) or _find(piece[0].swapcase() + piece[1:], page, near)


def _find(words: str, page: Page, near: Passage) -> tuple[int, int] | None:
    place = folding.find(words, near.text)
    return (near.start + place[0], near.start + place[1]) if place else folding.find(words, page.text)


def _compare(text: str, page: Page, start: int, end: int, enough: float) -> tuple[Verdict, float]:
    window = page.text[start:end]
    if enough == QUOTED and is_chinese(text) != is_chinese(window):
        return _compare_across(text, window)
    share = cover(text, window, _weigh(page.text))
    if enough == QUOTED and is_chinese(text) and is_chinese(window):
        share = max(share, cover_signs(text, window) * QUOTED / QUOTED_SIGNS)
    return _decide(text, window, share, enough), min(share, 1.0)


def _compare_across(text: str, window: str) -> tuple[Verdict, float]:
    """Compare a point with words of another script by what both write alike: numbers, dates, Latin words, denial, direction.

    A point that has nothing of the kind is partial at most.
    """
    quantities, dates = read_quantities(text)
    alike = list(dict.fromkeys(re.findall(r"[a-z][a-z0-9]+", text.casefold())))
    held = [word for word in alike if word in window.casefold()]
    missing = find_missing(text, window)
    count = len(alike) + len(quantities) + len(dates)
    share = max(0.0, count - len(missing) - len(alike) + len(held)) / count if count else 0.0
    if missing or is_negated(text) != is_negated(window) or are_opposed(text, window):
        return ("contradicted" if share >= TURNED else "unsupported"), share
    return ("supported" if share == 1.0 else "partial"), share


def _decide(text: str, window: str, share: float, enough: float) -> Verdict:
    if share < min(PARTIAL, enough) or _speaks_of_others(text, window):
        return "unsupported"
    missing = [*find_missing(text, window), *find_moved_numbers(text, window)]
    turned = differ_in_negation(text, window) or are_opposed(text, window)
    if share >= TURNED and (turned or (missing and numbers(window) - numbers(text))):
        return "contradicted"
    if turned:
        return "unsupported"
    return "supported" if share >= enough and agrees(text, window) else "partial"


def _speaks_of_others(text: str, window: str) -> bool:
    """Say whether both name something, and nothing in common."""
    mine, theirs = names(text), names(window)
    return bool(mine and theirs) and not mine & theirs and bool(find_other_names(text, window))


@lru_cache(maxsize=256)
def _weigh(page: str) -> Weights:
    return weigh(page)


def _windows(page: Page, near: Passage) -> Iterator[tuple[int, int]]:
    """Yield the passage alone, and with the sentence before or after it in its paragraph."""
    yield near.start, near.end
    if near.kind not in ("prose", "item"):
        return
    spans = _sentences_around(page, near.start, near.end)
    for (first, _), (_, last) in pairwise(spans):
        if first <= near.start and near.end <= last:
            yield first, last


def _widen(page: Page, start: int, end: int) -> tuple[int, int]:
    """Return the whole sentences that a stretch lies in: what a quote leaves out of its sentence may turn it round."""
    spans = [span for span in _sentences_around(page, start, end) if span[0] < end and start < span[1]]
    return (min(start, spans[0][0]), max(end, spans[-1][1])) if spans else (start, end)


def _sentences_around(page: Page, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of the paragraph, item or row that a stretch lies in."""
    first = max(page.text.rfind(gap, 0, start) + len(gap) if gap in page.text[:start] else 0 for gap in ("\n\n", "\n- "))
    ends = [at for gap in ("\n\n", "\n- ") if (at := page.text.find(gap, end)) >= 0]
    last = min(ends, default=len(page.text))
    return [(first + a, first + b) for a, b in _split(page.text[first:last])]


_split = lru_cache(maxsize=20_000)(sentences.split)


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


def follows(text: str, points: Sequence[str]) -> bool:
    """Say whether a sentence about some points says nothing that they do not, compared as strictly as with a page."""
    window = " ".join(points)
    share = cover_signs(text, window) if is_chinese(text) else cover(text, window, weigh(window))
    turned = any(differ_in_negation(text, point) or are_opposed(text, point) for point in points)
    return share >= FOLLOWING and not turned and agrees(text, window)

"""From what an analyst says to what may be printed: every citation is compared with its page."""

from collections.abc import Mapping
from typing import assert_never

from leadline.grounding.verdict import judge
from leadline.pipeline.phrases import Phrases
from leadline.records import HOLDING, Draft, Dropped, Evidence, Page, Passage, Point, Verdict

_BEST_FIRST: tuple[Verdict, ...] = (
    "verbatim",
    "supported",
    "partial",
    "unchecked",
    "unreachable",
    "unsupported",
    "contradicted",
)


def check(draft: Draft, point: str, places: Mapping[str, tuple[Page, Passage]], words: Phrases) -> Point | Dropped:
    """Judge each citation of a draft and keep those that hold.

    Args:
        draft: what the analyst says, citing passages by label.
        point: the id that the point will have.
        places: label → page and passage; a label that is not there was invented and counts as no citation.
        words: for the reason of a drop.
    """
    cited = [places[label] for label in dict.fromkeys(draft.cites) if label in places]
    judged = sorted((judge(draft.text, page, passage) for page, passage in cited), key=rank)
    evidence = _one_per_page([e for e in judged if e.verdict in HOLDING])
    if not evidence:
        return Dropped(text=draft.text, reason=words.say(_reason(judged)), evidence=tuple(judged))
    return Point(id=point, text=draft.text, evidence=tuple(evidence), score=draft.score)


def rank(evidence: Evidence) -> tuple[int, float]:
    """Return what evidence is ordered by, best first: its verdict, then its score."""
    return _BEST_FIRST.index(evidence.verdict), -evidence.score


def _one_per_page(evidence: list[Evidence]) -> list[Evidence]:
    best: dict[str, Evidence] = {}
    for one in evidence:
        best.setdefault(one.page, one)
    return list(best.values())


def _reason(judged: list[Evidence]) -> str:
    if not judged:
        return "verdict_none"
    match judged[0].verdict:
        case "contradicted":
            return "verdict_contradicted"
        case "unsupported" | "unreachable" | "unchecked":
            return "verdict_unsupported"
        case "verbatim" | "supported" | "partial":
            raise AssertionError("a point with holding evidence is not dropped")
        case other:
            assert_never(other)

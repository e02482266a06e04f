"""From what an analyst says to what may be printed: every citation is compared with its page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.grounding.citations import clean_statement, take_citations
from leadline.grounding.folding import find
from leadline.grounding.orders import gives_orders
from leadline.grounding.tokens import terms
from leadline.grounding.verdict import judge
from leadline.pipeline.phrases import Phrases
from leadline.records import FIRM, HOLDING, Draft, Dropped, Evidence, Page, Passage, Point, Unsupported, Verdict

Places = Mapping[str, tuple[Page, Passage]]
"""Label → page and passage. A label that is not there was invented and counts as no citation."""

_BEST_FIRST: tuple[Verdict, ...] = (
    "verbatim",
    "supported",
    "partial",
    "unchecked",
    "unreachable",
    "unsupported",
    "contradicted",
)


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft with what became of each of its citations, best first."""

    draft: Draft
    judged: tuple[Evidence, ...]
    unasked: str = ""
    """Why the analyst could not be asked about it."""

    @property
    def is_firm(self) -> bool:
        """Whether a page says all of it."""
        return bool(self.judged) and self.judged[0].verdict in FIRM

    @property
    def holds(self) -> bool:
        """Whether it may stand in a report."""
        return bool(self.judged) and self.judged[0].verdict in HOLDING

    def join(self, more: tuple[Evidence, ...]) -> "Checked":
        """Return the draft with further evidence."""
        return Checked(self.draft, _settle((*self.judged, *more)))


def read_draft(draft: Draft, places: Places) -> Draft:
    """Return a draft as code reads it: its text without marks, links and lists of sources, its marks among its citations.

    Words of a cited page stay as they are. A mark names a passage (`3.2`) or a source (`3`), which stands for the passage of it
    that has most of the words.
    """
    cited = [places[label] for label in draft.cites if label in places]
    if any(find(draft.text, passage.text) for _, passage in cited):
        return draft
    count = int([*places][-1].split(".")[0]) if places else 0
    text, marks = take_citations(draft.text, count)
    named = [label if label in places else _find_best(label, text, places) for label in marks]
    cites = tuple(dict.fromkeys((*draft.cites, *filter(None, named))))
    held = [part for label in cites if label in places for part in (places[label][0].text, places[label][0].address)]
    return draft.model_copy(update={"text": clean_statement(text, held), "cites": cites})


def _find_best(source: str, text: str, places: Places) -> str:
    wanted = set(terms(text))
    found = [label for label in places if label.split(".")[0] == source]
    return max(found, key=lambda label: len(wanted & set(terms(places[label][1].text))), default="")


def check(draft: Draft, places: Places) -> Checked:
    """Judge each citation of a draft by code alone."""
    if not terms(draft.text) or gives_orders(draft.text):
        return Checked(draft, ())
    cited = [places[label] for label in dict.fromkeys(draft.cites) if label in places]
    return Checked(draft, _settle([judge(draft.text, page, passage) for page, passage in cited]))


def _settle(judged: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Put evidence in order, best first; what one place contradicts is not held in part by another with fewer of its words."""
    ordered = sorted(judged, key=rank)
    against = [evidence for evidence in ordered if evidence.verdict == "contradicted"]
    if against and ordered[0].verdict not in FIRM and against[0].score > ordered[0].score:
        return tuple(evidence for evidence in ordered if evidence.verdict not in HOLDING)
    return tuple(ordered)


def decide(checked: Checked, point: str, words: Phrases, unsupported: Unsupported) -> Point | Dropped:
    """Return the point with the evidence that holds it, or what became of it.

    Args:
        checked: a draft after its check.
        point: the id that the point will have.
        words: for the reason of a drop.
        unsupported: with `mark` a draft without evidence that holds it is a point all the same, and its verdict says so.
    """
    evidence = _one_per_page([e for e in checked.judged if e.verdict in HOLDING])
    if not evidence and unsupported == "drop":
        reason = "; ".join(filter(None, (words.say(_reason(checked)), checked.unasked)))
        return Dropped(text=checked.draft.text, reason=reason, evidence=checked.judged)
    kept = evidence or _one_per_page(list(checked.judged))
    return Point(id=point, text=checked.draft.text, evidence=tuple(kept), score=checked.draft.score)


def rank(evidence: Evidence) -> tuple[int, float]:
    """Return what evidence is ordered by, best first: its verdict, then its score."""
    return _BEST_FIRST.index(evidence.verdict), -evidence.score


def _one_per_page(evidence: list[Evidence]) -> list[Evidence]:
    best: dict[str, Evidence] = {}
    for one in evidence:
        best.setdefault(one.page, one)
    return list(best.values())


def _reason(checked: Checked) -> str:
    if gives_orders(checked.draft.text):
        return "verdict_order"
    if not checked.judged:
        return "verdict_none"
    return "verdict_contradicted" if checked.judged[0].verdict == "contradicted" else "verdict_unsupported"

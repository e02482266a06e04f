"""What code could not decide: the analyst names the words that carry a point, code finds them; what fails is repaired once."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from leadline.errors import LeadlineError, StoreError
from leadline.grounding.verdict import judge_quote
from leadline.pipeline.check import Checked, Places, check, read_draft
from leadline.pipeline.recall import recall
from leadline.ports import Analyst, Journal
from leadline.records import Draft, Evidence, Passage, Quote, Repair, Topic

_BESIDE = 2
"""Passages before and behind a cited one that are shown with it."""

_QUOTES: TypeAdapter[tuple[Quote, ...]] = TypeAdapter(tuple[Quote, ...])
_REPAIR: TypeAdapter[Repair] = TypeAdapter(Repair)


@dataclass(frozen=True, slots=True)
class Appeal:
    """The second and the last look at the drafts of one todo. Each call goes through the journal's `once`."""

    topic: Topic
    todo: str
    places: Places
    analyst: Analyst
    journal: Journal

    async def hear(self, undecided: Sequence[Checked]) -> list[Checked]:
        """Return the drafts, in their order, after one question for all of them and one repair of each that still fails.

        A draft that cites no passage is not asked about. Where the analyst cannot be asked, what code said stays, and the draft
        says why.

        Raises:
            StoreError: what was answered could not be kept.
        """
        cases = [checked for checked in undecided if checked.judged]
        heard = iter(await self._ask_about(cases) if cases else ())
        return [next(heard) if checked.judged else checked for checked in undecided]

    async def _ask_about(self, cases: Sequence[Checked]) -> list[Checked]:
        try:
            located = await self._locate(cases)
            return await asyncio.gather(*[self._repair(checked) for checked in located])
        except StoreError:
            raise
        except LeadlineError as error:
            return [replace(checked, unasked=str(error)) for checked in cases]

    async def _locate(self, cases: Sequence[Checked]) -> list[Checked]:
        drafts = [checked.draft for checked in cases]
        shown = self._surround([label for draft in drafts for label in draft.cites])

        async def ask() -> tuple[Quote, ...]:
            return tuple(await self.analyst.locate(self.topic, drafts, shown))

        key = _digest(*(part for draft in drafts for part in (draft.text, *draft.cites)))
        quotes = await recall(self.journal, f"locate:{self.todo}:{key}", "locate", _QUOTES, ask)
        known = {passage.label for passage in shown}
        return [
            checked.join(self._compare(checked.draft.text, [q for q in quotes if q.draft == number and q.cite in known]))
            for number, checked in enumerate(cases)
        ]

    async def _repair(self, checked: Checked) -> Checked:
        if checked.is_firm:
            return checked
        draft = checked.draft
        shown = self._surround(draft.cites)

        async def ask() -> Repair:
            return await self.analyst.repair(self.topic, draft, shown)

        key = _digest(draft.text, *draft.cites)
        repair = await recall(self.journal, f"repair:{self.todo}:{key}", "repair", _REPAIR, ask)
        again = self._check_again(draft, repair) if repair.text else checked
        return again if again.holds else checked

    def _check_again(self, draft: Draft, repair: Repair) -> Checked:
        said = read_draft(draft.model_copy(update={"text": repair.text}), self.places)
        new = check(said, self.places)
        if new.is_firm or not repair.quote:
            return new
        quotes = [Quote(draft=0, cite=label, text=repair.quote) for label in draft.cites if label in self.places]
        return new.join(self._compare(said.text, quotes)) if new.judged else new

    def _compare(self, text: str, quotes: Sequence[Quote]) -> tuple[Evidence, ...]:
        found = [judge_quote(text, quote.text, *self.places[quote.cite]) for quote in quotes]
        return tuple(evidence for evidence in found if evidence)

    def _surround(self, labels: Sequence[str]) -> list[Passage]:
        """The passages of some labels with those beside them, in the order of the pages."""
        order = list(self.places)
        at = {label: place for place, label in enumerate(order)}
        pages = {label: self.places[label][0].id for label in labels if label in at}
        wanted = {
            order[place]
            for label, page in pages.items()
            for place in range(max(0, at[label] - _BESIDE), min(len(order), at[label] + _BESIDE + 1))
            if self.places[order[place]][0].id == page
        }
        return [self.places[label][1] for label in order if label in wanted]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

"""How well checks tell right from wrong: sentences as they stand, cited wrongly, changed, and said in other words.

The floors are data: `floors.json`. What they mean:

- untouched: a sentence with the citation of its own place is verbatim or supported
- group: a citation that the extractive analyst gives, because the sentences agree, may stand in a report, in full or as "see
  also"; group_firm: in full
- shuffled: a citation of a sentence of another page may stand
- mutated: a sentence with one thing changed is still supported by its place; mutated_quoted: also by the right quote
- paraphrase: a sentence in other words is supported by the right quote, by another sentence of its page, by an invented one;
- by hand: pairs that people would write, right (`words/paraphrases.json`) and wrong (`words/mutations.json`), with the right
  quote; verified_by_hand: as `leadline verify` reads them; followed_by_hand: as a sentence of overview or summary

A floor with `fewest` counts where there are as many checks: in documents that say everything once, hardly any sentences agree.
"""

import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Literal

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.evaluation.alterations import MUTATIONS, mutate, paraphrase
from leadline.evaluation.measures import read_floors
from leadline.evaluation.samples import Sample, Statement, read_samples
from leadline.grounding.folding import find
from leadline.grounding.passages import split_page
from leadline.grounding.verdict import follows, judge, judge_quote
from leadline.records import FIRM, HOLDING, Evidence, Page, Passage, Todo, Topic
from leadline.testing import Corpus
from leadline.verification import verify_markdown

_QUESTIONS = 30
"""Headings and sentences that the extractive analyst is asked about, for its groups."""

_ASKED_PAGES = 100
"""Pages that it answers from."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of checks that came out one way, beside its floor. `bound` is None for what is only told."""

    sample: str
    name: str
    share: float
    count: int
    bound: float | None
    better: Literal["less", "more"]

    @property
    def holds(self) -> bool:
        """Whether the share is on the right side of its bound; what was not measured holds nothing."""
        if self.bound is None:
            return True
        return self.count > 0 and (self.share >= self.bound if self.better == "more" else self.share <= self.bound)


@dataclass(frozen=True, slots=True)
class _Trial:
    """One check: the figure that it counts for, and whether the point came out as held."""

    name: str
    held: bool


def measure(folder: Path) -> list[Rate]:
    """Return all rates over the documents of a folder, English and Chinese apart.

    Raises:
        SourceError: there is nothing to measure on.
    """
    return [*measure_pairs(), *[rate for sample in read_samples(folder) for rate in measure_sample(sample)]]


def measure_pairs() -> list[Rate]:
    """Return how many sentences by hand the right quote supports, reworded rightly and wrongly, in English and Chinese."""
    return [*_measure_by_hand("paraphrase", "paraphrases.json"), *_measure_by_hand("mutated", "mutations.json")]


def _measure_by_hand(name: str, file: str) -> list[Rate]:
    pairs = json.loads(resources.files(__package__).joinpath("words", file).read_text(encoding="utf-8"))
    pages = [Page(id="p", address="a", text=source) for source, _ in pairs]
    near = [split_page(page, 1)[0] for page in pages]
    held = [_is_held(said, source, page, at) for (source, said), page, at in zip(pairs, pages, near, strict=True)]
    report = "\n\n".join(f"{said} ([source]({number}.md))" for number, (_, said) in enumerate(pairs))
    corpus = Corpus({f"{number}.md": page.text for number, page in enumerate(pages)})
    found = asyncio.run(verify_markdown(report, corpus))
    followed = [follows(said, [source]) for source, said in pairs]
    tried = {"by_hand": held, "verified_by_hand": [f.holds for f in found.findings], "followed_by_hand": followed}
    return [_rate("by hand", f"{name}_{kind}", sum(one) / len(one), len(one)) for kind, one in tried.items()]


def measure_sample(sample: Sample) -> list[Rate]:
    """Return all rates over one sample. The same sample gives the same rates."""
    chance = random.Random(0)
    trials = [
        *_try_citations(sample, chance),
        *_try_groups(sample),
        *_try_mutations(sample, chance),
        *_try_quotes(sample, chance),
    ]
    counts, held = Counter(trial.name for trial in trials), Counter(trial.name for trial in trials if trial.held)
    name = f"{sample.name} {sample.language}"
    return [_rate(name, one, held[one] / counts[one], counts[one]) for one in counts]


def _rate(sample: str, name: str, share: float, count: int) -> Rate:
    floor = read_floors("grounding").get(name)
    if floor is None or count < float(floor.get("fewest", 0)):
        return Rate(sample, name, share, count, None, "less")
    return Rate(sample, name, share, count, float(floor["bound"]), "more" if floor["better"] == "more" else "less")


def _try_citations(sample: Sample, chance: random.Random) -> Iterator[_Trial]:
    others = sample.statements
    for one in sample.statements:
        yield _Trial("untouched", judge(one.text, one.page, one.passage).verdict in FIRM)
        other = chance.choice([s for s in others if s.page.id != one.page.id])
        yield _Trial("shuffled", judge(one.text, other.page, other.passage).verdict in HOLDING)


def _try_groups(sample: Sample) -> Iterator[_Trial]:
    pages = {page.id: page for page in sample.pages[:_ASKED_PAGES]}
    passages = [passage for page in pages for passage in sample.passages[page]]
    places = {passage.label: (pages[passage.page], passage) for passage in passages}
    for question in islice((s.text for s in sample.statements if s.page.id in pages), _QUESTIONS):
        for text, cites in asyncio.run(_ask(question, sample.language, passages)):
            for page, passage in [places[label] for label in cites][1:]:
                verdict = judge(text, page, passage).verdict
                yield _Trial("group", verdict in HOLDING)
                yield _Trial("group_firm", verdict in FIRM)


async def _ask(question: str, language: str, passages: Sequence[Passage]) -> list[tuple[str, tuple[str, ...]]]:
    topic = Topic(text=question, language=language, today=date(2026, 11, 30))
    todo = Todo(id=1, title=question, query=question)
    return [(draft.text, draft.cites) async for draft in ExtractiveAnalyst().summarise(topic, todo, passages, 10)]


def _try_mutations(sample: Sample, chance: random.Random) -> Iterator[_Trial]:
    beside = _by_page(sample.statements)
    for kind in MUTATIONS:
        for one in sample.statements:
            wrong = mutate(kind, one.text, [o.text for o in beside[one.page.id] if o is not one], chance)
            if wrong is None:
                continue
            by_code = judge(wrong, one.page, one.passage).verdict in FIRM
            by_quote = by_code or _is_firm(judge_quote(wrong, one.text, one.page, one.passage))
            for name, held in (("mutated", by_code), ("mutated_quoted", by_quote)):
                yield _Trial(name, held)
                yield _Trial(f"{name}_{kind}", held)


def _try_quotes(sample: Sample, chance: random.Random) -> Iterator[_Trial]:
    beside = _by_page(sample.statements)
    for one in sample.statements:
        said = paraphrase(one.text, chance)
        if said is None or judge(said, one.page, one.passage).verdict == "verbatim":
            continue
        yield _Trial("paraphrase_right_quote", _is_held(said, one.text, one.page, one.passage))
        if find(said, one.page.text) is None:
            yield _Trial("paraphrase_invented_quote", _is_firm(judge_quote(said, said, one.page, one.passage)))
        for other in [o for o in beside[one.page.id] if o.passage != one.passage][:2]:
            held = _is_firm(judge_quote(said, other.text, one.page, other.passage))
            yield _Trial("paraphrase_irrelevant_quote", held)


def _is_held(text: str, quote: str, page: Page, near: Passage) -> bool:
    """As research does it: by code first, then by the quote."""
    return judge(text, page, near).verdict in FIRM or _is_firm(judge_quote(text, quote, page, near))


def _is_firm(evidence: Evidence | None) -> bool:
    return evidence is not None and evidence.verdict in FIRM


def _by_page(statements: Iterable[Statement]) -> dict[str, list[Statement]]:
    pages: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        pages[statement.page.id].append(statement)
    return pages

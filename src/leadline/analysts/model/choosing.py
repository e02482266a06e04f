"""Which passages a model gets to see: those that speak of the todo, within a budget of tokens, with a share for each source."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from leadline.analysts.model.asking import count_tokens
from leadline.analysts.model.prompting import neutralise
from leadline.grounding.tokens import terms
from leadline.records import Passage

_SENTENCES, _CHARACTERS = 3, 420
"""Most sentences and characters that share one label: a paragraph's thought."""

_SOURCES = 24
"""Pages looked at, in the order of the search."""

_SHARE = 240
"""Tokens below which a source says nothing useful: with a small budget there are fewer sources instead."""

LABEL_TOKENS = 8
"""Tokens of a label and its line."""


@dataclass(frozen=True, slots=True)
class Extract:
    """One to three neighbouring sentences under the label of the first."""

    passages: tuple[Passage, ...]
    text: str
    words: frozenset[str]
    title: str
    """Of the page: its first heading, "" without any."""

    @property
    def label(self) -> str:
        """What the model cites."""
        return self.passages[0].label

    @property
    def source(self) -> str:
        """Number of the source."""
        return self.label.split(".")[0]

    @property
    def cost(self) -> int:
        """Tokens in the prompt."""
        return count_tokens(self.text) + LABEL_TOKENS


def choose(passages: Sequence[Passage], wanted: str, budget: int) -> list[Extract]:
    """Return the extracts that a prompt shows, in reading order.

    Args:
        passages: of all pages, by page in the order of the search.
        wanted: what is to be found out, in words. Where no page has any of them (another language), pages are
            read from the top.
        budget: tokens.
    """
    sources = [list(group) for _, group in groupby(passages, key=lambda p: p.label.split(".")[0])][:_SOURCES]
    extracts = [extract for source in sources for extract in _extracts(source)]
    weights = _weigh(extracts, wanted)
    scores = {extract.label: _score(extract, weights) for extract in extracts}
    chosen: dict[str, Extract] = {}
    ranked = _rank_sources(extracts, scores)[: max(1, budget // _SHARE)]
    for source in ranked:
        _take(source, scores, budget // len(ranked), chosen)
    left = budget - sum(extract.cost for extract in chosen.values())
    _take([e for source in ranked for e in source if e.label not in chosen and scores[e.label] > 0], scores, left, chosen)
    return [extract for extract in extracts if extract.label in chosen]


def _extracts(source: Sequence[Passage]) -> list[Extract]:
    title = next((passage.text for passage in source if passage.kind == "heading"), "")
    groups: list[list[Passage]] = []
    for passage in source:
        if passage.kind == "heading":
            continue
        if groups and _belongs(groups[-1], passage):
            groups[-1].append(passage)
        else:
            groups.append([passage])
    return [_make(group, title) for group in groups]


def _belongs(group: Sequence[Passage], passage: Passage) -> bool:
    near = passage.start - group[-1].end <= 1 and passage.kind == group[-1].kind == "prose"
    return near and len(group) < _SENTENCES and passage.end - group[0].start <= _CHARACTERS


def _make(group: Sequence[Passage], title: str) -> Extract:
    text = neutralise(" ".join(passage.text for passage in group))
    words = _find_words(f"{group[0].heading} {text}")
    return Extract(tuple(group), text[: 3 * _CHARACTERS] + "…" * (len(text) > 3 * _CHARACTERS), words, title)


@lru_cache(maxsize=4096)  # todos and runs look at the same pages
def _find_words(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _weigh(extracts: Sequence[Extract], wanted: str) -> dict[str, float]:
    """Return how much each wanted word tells: rare ones more."""
    asked = Counter(terms(wanted))
    having = {word: sum(word in extract.words for extract in extracts) for word in asked}
    return {word: math.log(1 + len(extracts) / (1 + having[word])) * math.sqrt(asked[word]) for word in asked}


def _score(extract: Extract, weights: dict[str, float]) -> float:
    return sum(weight for word, weight in weights.items() if word in extract.words) / math.sqrt(8 + len(extract.words))


def _rank_sources(extracts: Sequence[Extract], scores: dict[str, float]) -> list[list[Extract]]:
    """Return the extracts of each source, the sources with the best ones first."""
    sources: dict[str, list[Extract]] = defaultdict(list)
    for extract in extracts:
        sources[extract.source].append(extract)
    return sorted(sources.values(), key=lambda source: -max(scores[extract.label] for extract in source))


def _take(extracts: Sequence[Extract], scores: dict[str, float], budget: int, chosen: dict[str, Extract]) -> None:
    """Add the best extracts that fit. Of equal ones the earlier is better."""
    for extract in sorted(extracts, key=lambda e: -scores[e.label]):
        if extract.cost <= budget:
            chosen[extract.label] = extract
            budget -= extract.cost


def show(extracts: Sequence[Extract]) -> str:
    """Return extracts as a prompt shows them, each source fenced under its title, with a mark where something is left out."""
    return "\n\n".join(_show_source(source, list(group)) for source, group in groupby(extracts, key=lambda e: e.source))


def _show_source(source: str, extracts: Sequence[Extract]) -> str:
    heading = extracts[0].title
    lines = [f"# {neutralise(heading)[:120]}"] if heading else []
    last: Passage | None = None
    for extract in extracts:
        first = extract.passages[0]
        if first.heading and first.heading != heading:
            heading = first.heading
            lines.append(f"# {neutralise(heading)[:120]}")
        elif last and first.start - last.end > 2:
            lines.append("[…]")
        lines.append(f"[{extract.label}] {extract.text}")
        last = extract.passages[-1]
    return "\n".join([f'<source id="{source}">', *lines, "</source>"])

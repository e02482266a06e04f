"""The statements among a todo's passages, with an inverted index over their words."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from leadline.analysts.extractive.statements import find_label, is_code_label, is_signature, select_statements
from leadline.grounding.tokens import terms
from leadline.records import Passage

# BM25 constants of Robertson and Zaragoza (2009); term frequency is left out, a sentence hardly repeats a word.
_K1, _B = 1.2, 0.75

_HEADING_WEIGHT = 0.5
"""What a word in the heading above a statement counts, beside one in the statement itself."""

_COMMON = 500
"""Statements above which a word does not suggest neighbours: it costs time and says nothing."""

_COLLECTION = 20
"""Documents of a collection."""

_NEARLY = 1 - 1e-9
"""Allowance for sums of floats that are taken in another order."""

_UNSEEN = 100
"""Statements that are imagined to exist beside those at hand, without any of their words: in five statements a word that all of
them hold is still a word that says something."""

_ACROSS = 0.3
"""How often, beside the pairs before and behind it, a CJK pair stands that is no word."""

_LONGEST_UNIT = 60
"""Statements under one heading after which a new unit begins: news articles have no headings and 20 to 60 statements."""


_ADJACENT = 6
"""Characters between two passages that follow each other: line breaks and the sign of a list item."""

_NUMBER = re.compile(r"(\d+(?:\.\d+)*\.)\d+\.")
"""The number of a section within another."""

_SAME_ITEM = 2
"""Characters between two sentences of one list item."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where statements stand.

    `titles` are the first headings of documents, by document; `parents` the headings that numbers put over others (`6.3.` over
    `6.3.1.`), by document and heading; `positions` the number of passages between a statement and its
    heading, by label, for statements that the heading's first paragraphs hold; `entries` the labels of those that explain an
    entry of a list (`FULL: Selects …`), and of all that follow an entry with the name of code under the same heading.
    """

    titles: Mapping[str, str]
    parents: Mapping[tuple[str, str], str]
    positions: Mapping[str, int]
    entries: frozenset[str]


def read_layout(passages: Sequence[Passage]) -> Layout:
    """Return where passages stand, from all passages of the documents, headings too."""
    titles: dict[str, str] = {}
    parents: dict[tuple[str, str], str] = {}
    numbered: dict[tuple[str, str], str] = {}
    positions: dict[str, int] = {}
    entries: set[str] = set()
    last: Passage | None = None
    position, in_reference = -1, False
    for passage in passages:
        gap = passage.start - last.end if last and last.page == passage.page else _ADJACENT + 1
        if passage.kind == "heading":
            document = document_of(passage)
            titles.setdefault(document, passage.text)
            if found := _NUMBER.match(passage.text):
                numbered[document, found[0]] = passage.text
                parents[document, passage.text] = numbered.get((document, found[1]), "")
            position, in_reference = 0, False
        elif gap > _ADJACENT or position < 0:
            position = -1
        else:
            positions[passage.label] = position
            position += 1
        in_reference = in_reference or is_signature(passage.text)
        if passage.kind == "item":
            label = find_label(passage.text)
            in_reference = in_reference or is_code_label(label)
            goes_on = last is not None and last.label in entries and 0 <= gap <= _SAME_ITEM
            if label or goes_on:
                entries.add(passage.label)
        if in_reference:
            entries.add(passage.label)
        last = passage
    return Layout(titles, parents, positions, frozenset(entries))


def document_of(passage: Passage) -> str:
    """Return the number of the source that a passage is from."""
    return passage.label.partition(".")[0]


@lru_cache(maxsize=40_000)
def words_of(text: str) -> tuple[str, ...]:
    """Return the distinct terms of a text in order of appearance, remembered for the other todos of the run."""
    return tuple(dict.fromkeys(terms(text)))


class Corpus:
    """Statements and what their words say about each other.

    Statements are known by their place in `passages`; documents by the source number in their label. A unit is what stands
    under one heading of one document: what a reader takes to be about one thing.
    """

    def __init__(self, passages: Sequence[Passage], layout: Layout | None = None) -> None:
        self.passages = passages
        self.layout = layout or Layout({}, {}, {}, frozenset())
        self.words = [words_of(p.text) for p in passages]
        self.documents = [document_of(p) for p in passages]
        self.units = _number_units(passages, self.documents)
        self.document_count = len(set(self.documents))
        self._postings: defaultdict[str, list[int]] = defaultdict(list)
        for place, words in enumerate(self.words):
            for word in words:
                self._postings[word].append(place)
        self._idf = {word: self._weigh(len(places)) for word, places in self._postings.items()}
        self._squares = {word: idf**2 for word, idf in self._idf.items()}
        self._norms = [math.sqrt(sum(map(self._squares.__getitem__, words))) or 1.0 for words in self.words]
        length = max(1.0, sum(map(len, self.words)) / max(1, len(passages)))
        self._damping = [1 + _K1 * (1 - _B + _B * len(words) / length) for words in self.words]

    @classmethod
    def read(cls, passages: Sequence[Passage]) -> "Corpus":
        """Return the statements among passages, with what the passages around them tell of where they stand."""
        return cls(select_statements(passages), read_layout(passages))

    def __len__(self) -> int:
        return len(self.passages)

    def title(self, place: int) -> str:
        """Return the first heading of the document that a statement stands in, or ""."""
        return self.layout.titles.get(self.documents[place], "")

    def parent(self, place: int) -> str:
        """Return the heading over the heading that a statement stands under, where headings are numbered, or ""."""
        return self.layout.parents.get((self.documents[place], self.passages[place].heading), "")

    def idf(self, word: str) -> float:
        """Return the inverse document frequency of a word over statements; the highest there is for an unknown word."""
        return self._idf.get(word) or self._weigh(0)

    def frequency(self, word: str) -> int:
        """Return in how many statements a word stands."""
        return len(self.find(word))

    def spread(self, word: str) -> float:
        """Return the share of documents in which a word stands."""
        return len({self.documents[place] for place in self.find(word)}) / max(1, self.document_count)

    def drop_across(self, words: Sequence[str]) -> list[str]:
        """Return words without the CJK pairs that are the end of one word and the beginning of the next: 置网 in 设置网络.

        In a sentence such a pair tells that the two words stand together; in a name of few words it only dilutes them.
        """
        return [word for index, word in enumerate(words) if not self._lies_across(words, index)]

    def find(self, word: str) -> Sequence[int]:
        """Return the statements that hold a word."""
        return self._postings.get(word, ())

    def count(self, places: Sequence[int]) -> Counter[str]:
        """Return in how many of the given statements each word stands."""
        return Counter(word for place in places for word in self.words[place])

    def score(self, query: Mapping[str, float]) -> dict[int, float]:
        """Return the BM25 score of every statement that holds a word of the weighted query, itself or in its heading."""
        scores: dict[int, float] = {}
        for word, weight in query.items():
            gain = weight * self.idf(word) * (_K1 + 1)
            for place in self._postings.get(word, ()):
                scores[place] = scores.get(place, 0.0) + gain / self._damping[place]
        self._add_headings(query, scores)
        return scores

    def find_neighbours(self, place: int, least: float) -> list[tuple[float, int]]:
        """Return cosine and place of each statement that is at least so much like this one, judged by telling words.

        What shares only light words cannot reach `least`: a shared weight s makes a cosine of at most sqrt(s) / norm.
        So the commonest words, up to that weight together, suggest no statement; they only count in those that others suggest.
        """
        norms, scale = self._norms, least * self._norms[place]
        words = [word for word in self.words[place] if len(self._postings[word]) <= _COMMON]
        products: dict[int, float] = {}
        left = sum(map(self._squares.__getitem__, words))
        for word in sorted(words, key=self._squares.__getitem__, reverse=True):
            if left < _NEARLY * scale**2:
                break
            square = self._squares[word]
            left -= square
            for other in self._postings[word]:
                products[other] = products.get(other, 0.0) + square
        candidates = [other for other, product in products.items() if product + left >= _NEARLY * scale * norms[other]]
        cosines = [(self._multiply(words, other) / (norms[place] * norms[other]), other) for other in candidates]
        return [(cosine, other) for cosine, other in cosines if cosine >= least]

    def compare(self, one: int, other: int) -> float:
        """Return the idf-weighted cosine of two statements, 0 to 1."""
        return self._multiply(self.words[one], other) / (self._norms[one] * self._norms[other])

    def _multiply(self, words: Sequence[str], other: int) -> float:
        # Summed in the order of the sentence: a set's order depends on the hash seed, and so would the last digit.
        theirs = self.words[other]
        return sum([self._squares[word] for word in words if word in theirs])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The titles of documents and the headings, each once."""
        return tuple(dict.fromkeys((*self.layout.titles.values(), *(passage.heading for passage in self.passages))))

    @cached_property
    def is_headed(self) -> bool:
        """Whether most statements stand under a heading: manuals have headings, news articles have none."""
        return 2 * sum(bool(passage.heading) for passage in self.passages) >= len(self.passages)

    @cached_property
    def is_collection(self) -> bool:
        """Whether these are many documents without headings, as of news: what several of them say is what matters there."""
        return self.document_count >= _COLLECTION and not self.is_headed

    @cached_property
    def places_of_units(self) -> dict[int, list[int]]:
        """The statements of every unit, in their order."""
        places: dict[int, list[int]] = {}
        for place, unit in enumerate(self.units):
            places.setdefault(unit, []).append(place)
        return places

    @cached_property
    def unit_words(self) -> dict[int, set[str]]:
        """The words of every unit, its heading and the title of its document."""
        words: dict[int, set[str]] = {}
        for place, unit in enumerate(self.units):
            if unit not in words:
                words[unit] = {*words_of(self.passages[place].heading), *words_of(self.title(place))}
            words[unit].update(self.words[place])
        return words

    @cached_property
    def document_words(self) -> dict[str, set[str]]:
        """The words of every document."""
        words: dict[str, set[str]] = {}
        for place, document in enumerate(self.documents):
            words.setdefault(document, set()).update(self.words[place])
        return words

    def stand_together(self, one: int, other: int) -> bool:
        """Say whether there is another statement at a place, in the same document as one."""
        return 0 <= other < len(self.passages) and self.documents[other] == self.documents[one]

    def surroundings(self, place: int) -> list[tuple[str, ...]]:
        """Return the words of a statement, of its heading and of the statements beside it in its document."""
        beside = [self.words[i] for i in (place - 1, place, place + 1) if self.stand_together(place, i)]
        return [*beside, words_of(self.passages[place].heading)]

    @cached_property
    def _headed(self) -> dict[str, list[int]]:
        """The statements under each heading, by the words of headings."""
        under: dict[str, list[int]] = {}
        for place, passage in enumerate(self.passages):
            under.setdefault(passage.heading, []).append(place)
        headed: dict[str, list[int]] = {}
        for heading, places in under.items():
            for word in words_of(heading):
                headed.setdefault(word, []).extend(places)
        return headed

    def _add_headings(self, query: Mapping[str, float], scores: dict[int, float]) -> None:
        for word, weight in query.items():
            gain = weight * self.idf(word) * _HEADING_WEIGHT
            for place in self._headed.get(word, ()):
                scores[place] = scores.get(place, 0.0) + gain

    def _lies_across(self, words: Sequence[str], index: int) -> bool:
        word = words[index]
        if not 0 < index < len(words) - 1 or len(word) != 2 or word.isascii():
            return False
        before, after = words[index - 1], words[index + 1]
        if before[-1] != word[0] or after[0] != word[1]:
            return False
        return self.frequency(word) < _ACROSS * min(self.frequency(before), self.frequency(after))

    def _weigh(self, frequency: int) -> float:
        return math.log(1 + (len(self.passages) + _UNSEEN - frequency + 0.5) / (frequency + 0.5))


def _number_units(passages: Sequence[Passage], documents: Sequence[str]) -> list[int]:
    units: list[int] = []
    length = 0
    last: tuple[str, str] | None = None
    for passage, document in zip(passages, documents, strict=True):
        begins = (document, passage.heading) != last or length == _LONGEST_UNIT
        units.append((units[-1] if units else 0) + begins)
        length = 1 if begins else length + 1
        last = (document, passage.heading)
    return units

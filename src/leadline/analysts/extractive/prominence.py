"""How well a statement introduces what is asked: by the heading it stands under, its place there, and its own opening."""

import re
from functools import lru_cache

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.cues import find_cues
from leadline.analysts.extractive.headings import clean_heading, is_chronicle, is_listing
from leadline.analysts.extractive.statements import find_label, is_code_label
from leadline.analysts.extractive.subject import Subject
from leadline.records import Passage

_ABOUT, _LEAD, _DEFINES = 1.5, 1.5, 1.5
"""Gain of a statement under a heading that says what is asked, of one that opens the text there, of one that says what it is.

All three are for documents with headings. In those without, such as news, what many of them say is what matters: the last one
alone costs 5 points of SummHay's joint there.
"""

_LIFT = 0.25
"""Gain of a unit under such a heading."""

_TITLE = 0.7
"""What a title counts for the sections of its document, beside their own headings."""

_CHRONICLE, _LISTING, _ENTRY, _FOREIGN_ENTRY, _OPTION = 0.15, 0.1, 0.4, 0.15, 0.05
"""What is left of a statement on how things changed, of one in a list of places, of one in an entry of a list, and of the
opening of an entry whose name has nothing to do with the question or is code that it does not name."""

_SPEAKS_OF = 0.5
"""Share of the question that a statement among entries must hold, beginning with it, to be no part of them."""

_NAMED = 0.3
"""Share of an entry's name that must be the question's for the entry to be about it."""

_TELLS = 0.3
"""Gain of a statement that tells a means, cause, time or difference when the question asks for it."""

_OPENS, _ADRIFT = 6, 0.7
"""Terms with which a statement says what it is about, and what is left of it where the question and the headings do not."""

_LEANS = re.compile(
    r"\b(?:is|are)\snow\b|\b(?:s?he|still|then|though|again)\b|你的电脑|你的電腦|仍然?|再次|这样|這樣", re.IGNORECASE
)
"""Words that lean on what was said before."""

_OPENING = 4
"""Passages after a heading over which the weight of the opening fades to nothing."""

_CHANGE = frozenset(
    words_of("changes changelog releases versions new deprecated removed history upgrade migrate news")
) | frozenset(("版本", "变更", "更新", "變更", "升级", "升級", "弃用", "移除"))
"""Terms of a question that asks for what changed."""

_CHANGED = re.compile(
    r"^\W*(?:changed|deprecated|new|added|removed)\s(?:in|since)\b|\b(?:bpo|gh|issue|bug)[-\s]?#?\d{3,}|#\d{4,}|"
    r"\((?:contributed|patch|reported|suggested)\b|\b(?:in|since|until|before)\s(?:(?:(?-i:[A-Z]\w+)\s)?(?:versions?|release)\s\d|(?-i:[A-Z]\w+)\s\d+\.\d)|"
    r"\bversions?\s(?:before|prior\sto|older\sthan)\b|\b(?:has|have)\s(?:now\s)?been\s(?:deprecated|removed)\b|"
    r"\b(?:is|are)\s(?:now\s)?deprecated\b|版(?:本)?(?:中)?(?:新增|变更|變更|弃用|棄用|移除)",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"\s(?:is|are|means|refers\sto|denotes|describes|provides|consists\sof)\s|(?:是指|是(?!否)|指的是|即是|意味着|由.{1,12}组成|负责|負責)"
)
_FARTHEST_COPULA = 70
"""Characters before the verb of a definition."""

_ARTICLE = re.compile(r"^(?:the|an?)\s", re.IGNORECASE)


class Prominence:
    """What the scores of statements and the weights of units are to be multiplied by, for one question.

    `units` are the weights of units; `named` says of each unit how far its heading or title says what is asked, 0 to 1.
    Statements are looked at when they are asked for: most never are.
    """

    def __init__(self, corpus: Corpus, subject: Subject) -> None:
        self._corpus, self._subject = corpus, subject
        firsts = {unit: places[0] for unit, places in corpus.places_of_units.items()}
        self._asks_change = any(word in subject for word in _CHANGE)
        self._kinds = {unit: self._find_kind(place) for unit, place in firsts.items()}
        self.named = {unit: self._find_named(place) for unit, place in firsts.items()}
        self.units = {unit: self._kinds[unit] * (1 + _LIFT * named) for unit, named in self.named.items()}
        self._cues = find_cues(subject.text)
        self._statements: dict[int, float] = {}

    def __getitem__(self, place: int) -> float:
        found = self._statements.get(place)
        if found is None:
            found = self._statements[place] = self._weigh(place)
        return found

    def _weigh(self, place: int) -> float:
        unit, passage = self._corpus.units[place], self._corpus.passages[place]
        gain = 1 + self.named[unit] * (_ABOUT + _LEAD * self._open(passage))
        if passage.heading:
            gain = (gain + _DEFINES * self._define(passage.text)) * self._answer(passage.text) * self._ground(place)
        return gain * self._kinds[unit] * self._find_loss(passage)

    def _answer(self, text: str) -> float:
        """Return the gain of a text that tells what a question of this kind asks for."""
        return 1 + _TELLS * sum(bool(cue.search(text)) for cue in self._cues)

    def _ground(self, place: int) -> float:
        """Return what is left of a statement that opens with nothing that the question or the headings over it speak of."""
        corpus = self._corpus
        opening = corpus.words[place][:_OPENS]
        known = {*words_of(corpus.passages[place].heading), *words_of(corpus.title(place)), *words_of(corpus.parent(place))}
        is_named = known.intersection(opening) or self._subject.hold(opening)
        return 1.0 if is_named and not _LEANS.search(corpus.passages[place].text) else _ADRIFT

    def _find_named(self, place: int) -> float:
        heading = self._corpus.passages[place].heading
        above = (self._corpus.title(place), self._corpus.parent(place))
        name = clean_heading(heading)
        if not name or (is_code_label(name) and name.casefold() not in self._subject.text.casefold()):
            return 0.0
        return max(self._subject.match(heading), _TITLE * max(map(self._subject.match, above)))

    def _find_kind(self, place: int) -> float:
        names = (self._corpus.title(place), self._corpus.passages[place].heading)
        if any(map(is_listing, names)):
            return _LISTING
        return _CHRONICLE if not self._asks_change and any(map(is_chronicle, names)) else 1.0

    def _open(self, passage: Passage) -> float:
        position = self._corpus.layout.positions.get(passage.label, _OPENING)
        return max(0.0, 1 - position / _OPENING)

    def _define(self, text: str) -> float:
        defined = _find_defined(text)
        return self._subject.match(defined) if defined else 0.0

    def _find_loss(self, passage: Passage) -> float:
        loss = _CHRONICLE if not self._asks_change and _tells_change(passage.text) else 1.0
        if passage.label not in self._corpus.layout.entries:
            return loss
        label = find_label(passage.text)
        if not label:
            words = words_of(passage.text)
            speaks = self._subject.hold(words[:1]) > 0 and self._subject.hold(words) >= _SPEAKS_OF
            return loss * (1.0 if speaks else _ENTRY)
        if is_code_label(label):
            asked = label.partition("(")[0].casefold() in self._subject.text.casefold()
            return loss * (1.0 if asked else _OPTION)
        return loss * (1.0 if self._subject.compare(label)[1] >= _NAMED else _FOREIGN_ENTRY)


@lru_cache(maxsize=40_000)
def _tells_change(text: str) -> bool:
    return bool(_CHANGED.search(text))


@lru_cache(maxsize=40_000)
def _find_defined(text: str) -> str:
    """Return what a text says the nature of, by its label or before its first `is`, or ""."""
    if label := find_label(text):
        return label
    verb = _COPULA.search(text, 0, _FARTHEST_COPULA)
    return _ARTICLE.sub("", text[: verb.start()]) if verb else ""

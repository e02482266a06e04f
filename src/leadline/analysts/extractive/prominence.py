"""How well a statement introduces what is asked: by the heading it stands under, its place there, and its own opening."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from leadline.analysts.extractive.corpus import Corpus, words_of
from leadline.analysts.extractive.headings import is_chronicle, is_listing
from leadline.analysts.extractive.statements import find_label, is_code_label
from leadline.analysts.extractive.subject import Subject

_ABOUT, _LEAD, _DEFINES = 1.5, 1.5, 1.5
"""Gain of a statement under a heading that says what is asked, of one that opens the text there, of one that says what it is.

All three are for documents with headings. In those without, such as news, what many of them say is what matters: the last one
alone costs 5 points of SummHay's joint there.
"""

_LIFT = 0.25
"""Gain of a unit under such a heading."""

_TITLE = 0.7
"""What a title counts for the sections of its document, beside their own headings."""

_CHRONICLE, _LISTING, _ENTRY, _FOREIGN_ENTRY = 0.15, 0.1, 0.4, 0.15
"""What is left of a statement on how things changed, of one in a list of places, of one in an entry of a list, and of the
opening of an entry whose name is code or has nothing to do with the question."""

_NAMED = 0.3
"""Share of an entry's name that must be the question's for the entry to be about it."""

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


@dataclass(frozen=True, slots=True)
class Prominence:
    """What scores are multiplied by: those of statements, and the weights of the units that they stand in.

    `named` says of each unit how far its heading or title says what is asked, 0 to 1.
    """

    statements: Mapping[int, float]
    units: Mapping[int, float]
    named: Mapping[int, float]


def weigh(corpus: Corpus, subject: Subject) -> Prominence:
    """Return the prominence of everything in a corpus for a question; what is not in it counts 1."""
    firsts = {unit: places[0] for unit, places in corpus.places_of_units.items()}
    about = {unit: _find_about(corpus, subject, place) for unit, place in firsts.items()}
    asks_change = any(word in subject for word in _CHANGE)
    kinds = {unit: _find_kind(corpus, place, asks_change) for unit, place in firsts.items()}
    statements: dict[int, float] = {}
    for place, unit in enumerate(corpus.units):
        gain = 1 + about[unit] * (_ABOUT + _LEAD * _open(corpus, place))
        if corpus.passages[place].heading:
            gain += _DEFINES * _define(corpus, subject, place)
        loss = kinds[unit] * _find_loss(corpus, subject, place, asks_change)
        if gain * loss != 1.0:
            statements[place] = gain * loss
    return Prominence(statements, {unit: kinds[unit] * (1 + _LIFT * about[unit]) for unit in about}, about)


def _find_about(corpus: Corpus, subject: Subject, place: int) -> float:
    heading, title = corpus.passages[place].heading, corpus.title(place)
    return max(subject.match(heading), _TITLE * subject.match(title)) if heading else 0.0


def _find_kind(corpus: Corpus, place: int, asks_change: bool) -> float:
    names = (corpus.title(place), corpus.passages[place].heading)
    if any(map(is_listing, names)):
        return _LISTING
    return _CHRONICLE if not asks_change and any(map(is_chronicle, names)) else 1.0


def _open(corpus: Corpus, place: int) -> float:
    position = corpus.layout.positions.get(corpus.passages[place].label, _OPENING)
    return max(0.0, 1 - position / _OPENING)


def _define(corpus: Corpus, subject: Subject, place: int) -> float:
    text = corpus.passages[place].text
    label = find_label(text)
    if label:
        return subject.match(label)
    verb = _COPULA.search(text, 0, _FARTHEST_COPULA)
    return subject.match(_ARTICLE.sub("", text[: verb.start()])) if verb else 0.0


def _find_loss(corpus: Corpus, subject: Subject, place: int, asks_change: bool) -> float:
    passage = corpus.passages[place]
    loss = _CHRONICLE if not asks_change and _CHANGED.search(passage.text) else 1.0
    if passage.label not in corpus.layout.entries:
        return loss
    label = find_label(passage.text)
    if not label:
        return loss * _ENTRY
    if is_code_label(label):
        return loss * (1.0 if label.partition("(")[0].casefold() in subject.text.casefold() else _FOREIGN_ENTRY)
    return loss * (1.0 if subject.compare(label)[1] >= _NAMED else _FOREIGN_ENTRY)

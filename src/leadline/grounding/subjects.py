"""Whether two sentences are about the same: what stands before the verb of each."""

import re

from leadline.grounding.language import count_cjk
from leadline.grounding.likeness import PIECE, SMALL_SIGNS, find_held, is_chinese
from leadline.grounding.tokens import stem, terms
from leadline.grounding.words import VAGUE

_LEAD = 2
"""Content words at the head of a sentence that name its subject."""

_INTRODUCTION = re.compile(
    r"(?:In|On|At|By|With|Without|As|When|While|Whereas|If|Although|Though|Despite|Because|Since|Due|After|Before|During|For|From"
    r"|Under|Over|Throughout|Following|Given|According|Beyond|Once|Until|Unless|However|Moreover|Additionally|Furthermore|Yet|Thus"
    r"|Therefore|[A-Z]\w+(?:ed|ing|ly))\b[^,.]*,\s(?:(?:and\s)?\w+ing\b[^,.]*,\s)*"
)
_SENTENCE = re.compile(r"[.!?]\s+(?=\S)|[。！？](?=\S)")
_PRONOUN = re.compile(r"(?:it|its|they|this|these|that|there|he|she|we|you|which)\b|[它他她这那其]", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|could|may|might|must|should|will|would|does|do|did)\b|(?<=..)(?:[是会能应将有在由被把向从给使让]"
    r"|可以|使用|采用|提供|需要|包含|允许|支持|通过|必须|用于|属于|成为|进行)"
)
_VAGUE = frozenset(map(stem, VAGUE))
_ZH_TIME = re.compile(r"[前后後时時]$")
_ZH_SMALL = re.compile(
    "通常|一般|往往|常常|经常|永远|总是|目前|现在|默认|缺省|如果|假如|由于|因为|需要|须要|例如|比如|非常|相当"
)
"""Adverbs and conjunctions, which a paraphrase exchanges at will."""

_PREDICATE, _ZH_PREDICATE = 12, 5
"""Characters of a verb and what follows it by which the same predicate is known again."""

CLAUSE = re.compile(r"[,，;；:：]\s*|\b(?:when|if|because)\s|如果|因为|由于")


def have_other_subjects(text: str, window: str) -> bool:
    """Say whether a text begins with words that its window has not, while the window's sentences begin with others."""
    if _has_another_before(text, window):
        return True
    if is_chinese(text) or count_cjk(text[:1]):
        return False  # where a subject ends is not known there without its verb
    mine, theirs = _lead(text), _find_leads(window)
    held = find_held(mine, window)
    if len(held) == len(mine) or any(len(find_held(lead, text)) == len(lead) for lead in theirs):
        return False
    return mine[0] not in held or not any(find_held(lead[:1], text) for lead in theirs)


def _has_another_before(text: str, window: str) -> bool:
    """Say whether the same verb has a subject of other words, or for the most part of other characters."""
    chinese = is_chinese(text)
    for verb in _find_first_verbs(text):
        predicate = text[verb:][: _ZH_PREDICATE if chinese else _PREDICATE]
        if predicate in window:
            starts = [window[: found.start()] for found in re.finditer(re.escape(predicate), window)]
            mine, *others = (_read_subject(before, chinese) for before in (text[:verb], *starts))
            if all(_are_unlike(mine, theirs, chinese) for theirs in others):
                return True
    return False


def _find_first_verbs(text: str) -> list[int]:
    """Where the verbs of the first clause that has any begin: what looks like a verb may be a part of the subject."""
    verbs = [verb.start() for verb in _VERB.finditer(text)]
    end = next((mark.start() for mark in CLAUSE.finditer(text) if verbs and mark.start() > verbs[0]), len(text))
    return [verb for verb in verbs if verb < end]


def _are_unlike(mine: set[str], theirs: set[str], chinese: bool) -> bool:
    """Say whether two subjects have nothing in common; Chinese ones less than half, or one of two (`风电`, `核电`)."""
    common, least = len(mine & theirs), min(len(mine), len(theirs))
    needed = least if least <= 2 else least / 2
    return least > 0 and common < (needed if chinese else 1)


def _read_subject(before: str, chinese: bool) -> set[str]:
    """The words before a verb; of Chinese the characters, where a synonym keeps half of them. A time is no subject."""
    clause = CLAUSE.split(before)[-1]
    if not chinese:
        return set(terms(clause))
    return set() if _ZH_TIME.search(clause) else set(PIECE.findall(_ZH_SMALL.sub("", clause))) - SMALL_SIGNS


def _find_leads(text: str) -> list[list[str]]:
    """The words that each sentence begins with, with and without what introduces it (`In 2023, the bank …`)."""
    starts = [0, *(mark.end() for mark in _SENTENCE.finditer(text))]
    leads = [_lead(text[start:]) for start in starts]
    return [lead for lead in leads if lead]


def _lead(sentence: str) -> list[str]:
    introduced = _INTRODUCTION.match(sentence)
    plain = sentence[introduced.end() :] if introduced else sentence
    verb = _VERB.search(plain)
    if _PRONOUN.match(plain):
        return []
    lead = [word for word in terms(plain[: verb.start()] if verb else plain) if word not in _VAGUE]
    return lead[:_LEAD]

"""What a question is about: its words without the words that only make it a question."""

import re
from functools import cache
from itertools import pairwise

from leadline.analysts.extractive.vocabulary import vocabulary
from leadline.grounding.language import is_cjk
from leadline.grounding.tokens import query_terms, terms

_ADVERBS = frozenset(("how", "why", "when", "where"))
_AUXILIARIES = frozenset(
    ["do", "does", "did", "can", "could", "should", "would", "will", "is", "are", "was", "were", "has", "have"]
)
_PERSONS = frozenset(("i", "we", "you", "one"))
_WORKS = frozenset(("work", "works", "working"))
_FUNCTIONING = re.compile(r"^(\W*how\s+(?:do|does|did)\b.*\S)\s+work\b\W*$", re.IGNORECASE | re.DOTALL)
"""A question for how a thing works is about the thing, one for remote work about work."""

_TWO = re.compile(
    r"\b(?:compar(?:e|es|ed|ing|ison)|versus|vs|differences?\s+between|instead\s+of|rather\s+than|respectively)\b|"
    r"比较|比較|相比|[区區][别別]|分[别別]|[哪谁誰].{0,4}更",
    re.IGNORECASE,
)

_WHETHER = re.compile(rf"^\W*(?:{'|'.join(sorted(_AUXILIARIES))})\s|[吗嗎][?？\s]*$|是否|能否|可否", re.IGNORECASE)

_ATTRIBUTE = re.compile(
    r"([^的，,、和与與\s]+)(?:是什[么麼]|是[谁誰]|是多少|[为為]多少|有多少|是哪[里裡]|叫什[么麼]|是在?什[么麼](?:[时時]候|地方))|"
    r"^\W*(?:what|who|which)\s(?:is|was|are|were)\s.+['’]s\s(.+?)\W*$",
    re.IGNORECASE,
)
"""What is asked of something: its 余额 in 某某的账户余额是多少, its food in `What is X's favourite food?`."""

_SETTING = re.compile(r"\s(?i:in)\s+([A-Z]\w*)\W*$|^\W*(?i:in)\s+([A-Z]\w*),|^\W*在\s*([A-Za-z]\w*)\s*[中里裡]")

_CJK_HOW = r"(如何|怎[样樣么麼])(?:才能|可以|能|去|来|來)?"

_LONGEST_PHRASE = 60
"""Characters of a phrase that still makes a title."""

_MARKS = "?!.,:;\"'()？！。，：；“”"


def find_focus(text: str) -> str:
    """Return a question without its asking words: `How does VACUUM work?` gives `VACUUM`.

    What names the documents goes (`according to the manual`), and so does a verb that says little of what is to be done:
    `How do I choose a lock?` is about locks. A text that is made of nothing else is returned as it is.
    """
    words = vocabulary()
    dropped = words.asking | set(find_deeds(text))
    asked = _FUNCTIONING.sub(r"\1", _cjk_deed().sub(r"\1 ", _strip_documents(text)))
    kept = [word for word in words.cjk_asking.sub(" ", asked).split() if word.casefold().strip(_MARKS) not in dropped]
    focus = " ".join(kept).strip(_MARKS + " ")
    return focus if terms(focus) else text.strip()


def find_deeds(text: str) -> tuple[str, ...]:
    """Return the verbs of a question for how that say little of what is to be done: `decide` in `How does X decide …?`."""
    words = [word.strip(_MARKS) for word in _strip_documents(text).split()]
    if not words or words[0].casefold() not in _ADVERBS:
        return tuple(found[2] for found in _cjk_deed().finditer(text))
    return tuple(word for before, word in pairwise(words) if _is_deed(before.casefold(), word))


def _is_deed(before: str, word: str) -> bool:
    words = vocabulary()
    if before in _PERSONS or before == "to":
        return word in words.deeds or word in words.noun_deeds
    return word in words.deeds and before not in words.asking


@cache
def _cjk_deed() -> re.Pattern[str]:
    return re.compile(f"{_CJK_HOW}({vocabulary().cjk_deeds.pattern})")


def _strip_documents(text: str) -> str:
    """Return a question without what only names the documents it is put to, at its beginning or end."""
    rest = _documents().sub("", text)
    return rest if terms(rest) else text


@cache
def _documents() -> re.Pattern[str]:
    """Return what finds `In the X manual, how …`, `… according to the manual` and X 手册里如何…."""
    words = vocabulary()
    named = rf"\s+(?:the|this|these|our)\s(?:[\w.'’-]+\s){{0,3}}?(?:{words.documents.pattern})"
    return re.compile(
        rf"^\W*(?:in|from|according\sto){named}(?:\s*,\s*|\s+(?=(?:{'|'.join(sorted(_ADVERBS))}|wh[aio]\w+)\s))|"
        rf"[\s,]+according\sto{named}(?=\W*$)|"
        rf"^\W*[^，,。？?]{{0,20}}?(?:{words.cjk_documents.pattern})(?:里面|之中|当中|當中|[里裡中内內上])(?!的)[\s，,]*",
        re.IGNORECASE,
    )


def asks_whether(text: str) -> bool:
    """Say whether a question is answered by yes or no: the sources may say the one or the other."""
    return bool(_WHETHER.search(text))


def asks_of_two(text: str) -> bool:
    """Say whether a question sets one thing beside another: one place seldom speaks of both."""
    return bool(_TWO.search(text))


def find_setting(text: str) -> str:
    """Return the name in which a question is set, or "": PostgreSQL in `How … in PostgreSQL?`."""
    found = _SETTING.search(text)
    return found[found.lastindex or 0] if found else ""


def find_attribute(text: str) -> str:
    """Return what a question asks of something it names, or "" where it asks for all or of two things."""
    found = _ATTRIBUTE.search(text)
    return (found[1] or found[2]) if found and not asks_of_two(text) else ""


def find_phrase(text: str) -> str:
    """Return what a question is about in its own words, fit for a title, or "" where its words do not make one.

    `How do I back up and restore a database?` gives `back up and restore a database`, `What is X and why does it matter?` gives
    `X`; `How does X remove Y?` gives nothing: without its auxiliary it is no English.
    """
    asking = vocabulary().asking
    words = _strip_cjk(_strip_documents(text).strip().strip(_MARKS)).split()
    bare = [word.casefold().strip(_MARKS) for word in words]
    start, end = 0, len(words)
    while start < end and bare[start] in asking:
        start += 1
    while start < end and (bare[end - 1] in asking or (start and bare[end - 1] in _WORKS)):
        end -= 1
    opening = bare[:start]
    inverted = bool(_AUXILIARIES & set(opening)) and opening[0] in _ADVERBS and not _PERSONS & set(opening)
    ends_plainly = any(word in _WORKS for word in bare[end:])
    asks_who = any(word.startswith("who") for word in opening) or opening == ["what"]
    if asks_who or (inverted and not ends_plainly) or _AUXILIARIES & set(bare[start:end]):
        return ""
    phrase = " ".join(words[start:end]).strip(_MARKS + " ")
    return phrase if terms(phrase) and len(phrase) <= _LONGEST_PHRASE else ""


def _strip_cjk(text: str) -> str:
    """Return a text without the asking words at its beginning and end."""
    asking = vocabulary().cjk_asking
    last = None
    while text != last:
        last = text
        if found := asking.match(text):
            text = text[found.end() :].lstrip()
        ends = [found for found in asking.finditer(text) if found.end() == len(text)]
        text = text[: ends[0].start()].rstrip() if ends else text
    return text


def focus_terms(text: str) -> list[str]:
    """Return the distinct terms of a question's focus; a lone CJK character between others is a joint, not a term."""
    # A space between CJK words is no gap of typesetting here: asking words stood there, or another part of a query begins.
    found = list(dict.fromkeys(terms(find_focus(text).replace(" ", " , ")))) or query_terms(text)
    return [term for term in found if len(term) > 1 or not is_cjk(term)] or found

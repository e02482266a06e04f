"""Sentences said wrongly on purpose, one thing changed, and said again in other words with nothing changed.

The words are data: `words/alterations.json`. The checks that are measured know none of it.
"""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Literal, get_args

from leadline.grounding.claims import names
from leadline.grounding.language import count_cjk

Mutation = Literal["number", "date", "name", "unit", "negation", "comparison", "subject"]
MUTATIONS: tuple[Mutation, ...] = get_args(Mutation)

_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w-])")
_YEAR = re.compile(r"(?<![\d.,-])(?:19|20)\d\d(?![\d.,]\d|-\d)")
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had|can|could|may|might|must|should|will|would|does|do)\b")
_ZH_UNIT = re.compile(r"[\d几两]\s?(?:秒|分钟|小时|天|个月|字节|亿|元|公里)")
_ZH_VERB = re.compile(r"是|会|可以|能|应|将|有|在|使用|提供|需要|包含|允许")
_ZH_NO_SUBJECT = re.compile(r"^[如为对当虽尽接最在从由随根因除每本该这那它你您我也就不但而]|[，,、“（]")
_LONGEST_SUBJECT = 8
"""Words before a verb, above which they are not a subject; pairs of characters in Chinese."""


def mutate(kind: Mutation, text: str, others: Sequence[str], chance: random.Random) -> str | None:
    """Return a sentence with one thing changed so that it is wrong, or None where it has no such thing.

    Args:
        kind: what is changed.
        text: the sentence.
        others: sentences of the same page, for names and subjects.
        chance: chooses.
    """
    changes: Mapping[Mutation, Callable[[], str | None]] = {
        "number": lambda: _change(_NUMBER, text, lambda found: _other_number(found, chance)),
        "date": lambda: _change_date(text, chance),
        "name": lambda: _change_name(text, others, chance),
        "unit": lambda: _replace(text, _words()["units"], True, chance) if _ZH_UNIT.search(text) or text.isascii() else None,
        "negation": lambda: _negate(text),
        "comparison": lambda: _replace(text, _words()["opposites"], True, chance),
        "subject": lambda: _change_subject(text, others, chance),
    }
    changed = changes[kind]()
    return changed if changed and changed.casefold() != text.casefold() else None


def paraphrase(text: str, chance: random.Random) -> str | None:
    """Return a sentence in other words and order with the same meaning, or None where too little can be changed."""
    said, count = text, 0
    for plain, other in chance.sample(_words()["synonyms"], len(_words()["synonyms"])):
        again = _swap_word(said, plain, other)
        count += again != said
        said = again
    turned = _turn_clauses(said)
    return turned if count + (turned != said) >= 1 else None


def _change(pattern: re.Pattern[str], text: str, new: Callable[[str], str]) -> str | None:
    found = [match for match in pattern.finditer(text) if not _YEAR.fullmatch(match.group())]
    if not found:
        return None
    match = found[0]
    return text[: match.start()] + new(match.group()) + text[match.end() :]


def _other_number(number: str, chance: random.Random) -> str:
    last = next(at for at in range(len(number) - 1, -1, -1) if number[at].isdigit())
    digit = str((int(number[last]) + chance.randint(1, 8)) % 10)
    return number[:last] + digit + number[last + 1 :]


def _change_date(text: str, chance: random.Random) -> str | None:
    if year := _YEAR.search(text):
        return text[: year.start()] + str(int(year.group()) + chance.randint(1, 9)) + text[year.end() :]
    for month in _MONTHS:
        if re.search(rf"\b{month} \d|\d {month}\b", text):
            return text.replace(month, _MONTHS[(_MONTHS.index(month) + chance.randint(1, 11)) % 12], 1)
    return None


def _change_name(text: str, others: Sequence[str], chance: random.Random) -> str | None:
    mine = sorted(name for name in names(text) if re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE))
    theirs = sorted({name for other in others for name in names(other)} - names(text))
    theirs = [name for name in theirs if name not in text.casefold()]
    if not mine or not theirs:
        return None
    new = chance.choice(theirs)
    return re.sub(rf"\b{re.escape(mine[0])}\b", lambda old: _in_case_of(old.group(), new), text, flags=re.IGNORECASE)


def _in_case_of(old: str, new: str) -> str:
    return new.upper() if old.isupper() else new.capitalize() if old[0].isupper() else new


def _replace(text: str, pairs: Sequence[Sequence[str]], once: bool, chance: random.Random) -> str | None:
    both = [(a, b) for pair in pairs for a, b in (pair, pair[::-1])]
    for old, new in chance.sample(both, len(both)):
        if (changed := _swap_word(text, old, new, once)) != text:
            return changed
    return None


def _swap_word(text: str, old: str, new: str, once: bool = False) -> str:
    # Part of an identifier is no word: `OptionParser.fault()` is not what `OptionParser.error()` is in other words.
    edges = (r"(?<![\w.])", r"(?![\w(]|\.\w)") if old.isascii() else ("", "")
    pattern = re.compile(rf"{edges[0]}{re.escape(old)}{edges[1]}", re.IGNORECASE)
    return pattern.sub(lambda found: _in_first_case_of(found.group(), new), text, count=int(once))


def _in_first_case_of(old: str, new: str) -> str:
    if old.isupper() and len(old) > 1 and old.isascii():
        return old  # a name
    return new[0].upper() + new[1:] if old[0].isupper() else new


def _negate(text: str) -> str | None:
    if count_cjk(text) * 3 > len(text):
        for word in ("不会", "不能", "不可以", "不需要", "不应", "不是"):
            if word in text:
                return text.replace(word, word[1:], 1)
        found = re.search(r"会|能|可以|需要|应该|是", text)
        return f"{text[: found.start()]}不{text[found.start() :]}" if found else None
    if found := re.search(r"\s(?:not|never)\b", text):
        return text[: found.start()] + text[found.end() :]
    found = _AUXILIARY.search(text)
    return f"{text[: found.end()]} not{text[found.end() :]}" if found else None


def _change_subject(text: str, others: Sequence[str], chance: random.Random) -> str | None:
    mine = _find_subject(text)
    theirs = [subject for other in others if (subject := _find_subject(other)) and not _alike(subject, mine or "")]
    if not mine or not theirs:
        return None
    return chance.choice(theirs) + text[len(mine) :]


def _alike(one: str, other: str) -> bool:
    ones, others = set(re.findall(r"\w+", one.casefold())), set(re.findall(r"\w+", other.casefold()))
    return bool(ones & others - {"the", "a", "an", "of"}) or one in other or other in one


def _find_subject(text: str) -> str | None:
    if count_cjk(text) * 3 > len(text):
        verb = _ZH_VERB.search(text)
        subject = text[: verb.start()] if verb else ""
        return subject if 2 <= len(subject) <= _LONGEST_SUBJECT and not _ZH_NO_SUBJECT.search(subject) else None
    verb = _AUXILIARY.search(text)
    subject = text[: verb.start()].strip() if verb else ""
    is_plain = 0 < len(subject.split()) <= _LONGEST_SUBJECT and not re.search(
        r"[,;:()]|^(?:if|when|there|it|this|you|we|they|i|one|he|since|because|note)\b", subject, re.I
    )
    return f"{subject} " if is_plain else None


def _turn_clauses(text: str) -> str:
    """`When A, B.` is `B when A.`, and the reverse."""
    if found := re.fullmatch(r"(If|When|Because|Although) ([^,]+), (.+)\.", text):
        word, first, second = found.groups()
        return f"{second[0].upper()}{second[1:]} {word.lower()} {first}."
    if found := re.fullmatch(r"([^,]+) (if|when|because|although) ([^,]+)\.", text):
        first, word, second = found.groups()
        return f"{word.capitalize()} {second}, {first[0].lower() if first[1:2].islower() else first[0]}{first[1:]}."
    return text


@cache
def _words() -> dict[str, list[tuple[str, str]]]:
    text = resources.files(__package__).joinpath("words", "alterations.json").read_text(encoding="utf-8")
    return {kind: [tuple(pair.split(" : ")) for pair in pairs] for kind, pairs in json.loads(text).items()}

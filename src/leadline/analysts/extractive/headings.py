"""Headings: their words without number and marks, and what kind of document or section they announce."""

import re
from functools import lru_cache

from leadline.analysts.extractive.corpus import words_of
from leadline.analysts.extractive.vocabulary import vocabulary
from leadline.grounding.language import is_cjk

_EDGES = " #*_`:：.。¶\u200b—|-"
_NUMBERING = re.compile(
    r"^\s*(?:(?:chapter|section|appendix|part)\s+[\dIVXA-Z]+(?:\.\d+)*|第\s*[\d一二三四五六七八九十]+\s*[章节節部]|[A-Z]?\.?\d+(?:\.\d+)*|[A-Z]\.(?:\d+\.?)+)"
    r"[.:)、\s—-]+",
    re.IGNORECASE,
)
_UNFIT = re.compile(r"[(){}<>=;|\\\[\]]|^\W|^-|https?:")

_CHRONICLE = re.compile(
    r"what.?s\snew|change\s?logs?\b|^changes\b|release\snotes?\b|^(?:release|version)\s\d|^news$|\bhistory\sof\s(?:changes|releases)|"
    r"更新日志|更新日誌|变更(?:日志|记录|历史)|變更(?:日誌|記錄|歷史)|发行(?:说明|注记)|發行(?:說明|註記)|版本历史|版本歷史",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"^(?:general\s|alphabetical\s)?index(?:$|\s(?:of|by)\b)|\bcontents$|^bibliography$|^list\sof\s|^(?:site)?map$|^(?:总|總)?(?:索引|目录|目錄)$|参考书目$|參考書目$",
    re.IGNORECASE,
)


@lru_cache(maxsize=20_000)
def clean_heading(heading: str) -> str:
    """Return a heading without its number and the marks around it."""
    return _NUMBERING.sub("", " ".join(heading.split())).strip(_EDGES)


@lru_cache(maxsize=20_000)
def is_title(name: str) -> bool:
    """Say whether a cleaned heading names a part of a topic: short, no code, no question, not a part that any document has."""
    if not name or name.casefold() in vocabulary().plain_headings or name.endswith(("?", "？", "!", "！", "…")):
        return False
    wide = sum(map(is_cjk, name))
    short = 2 <= wide <= 18 if wide else 1 <= len(name.split()) <= 7
    return short and len(name) >= 2 and not _UNFIT.search(name) and "_" not in name and bool(words_of(name))


@lru_cache(maxsize=20_000)
def is_chronicle(heading: str) -> bool:
    """Say whether a heading announces what changed from version to version."""
    return bool(_CHRONICLE.search(clean_heading(heading)))


@lru_cache(maxsize=20_000)
def is_listing(heading: str) -> bool:
    """Say whether a heading announces a list of places where other documents say something."""
    return bool(_LISTING.search(clean_heading(heading)))

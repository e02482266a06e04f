"""Dates as documents write them."""

import re

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})(?!\d)",
        rf"\b{_YEAR}\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월](?:\s*(?P<day>\d{{1,2}})\s*[日일])?",
        rf"\b{_YEAR}(?P<month>\d\d)(?P<day>\d\d)\b",
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}\b",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH},?\s+{_YEAR}\b",
        rf"\b{_MONTH},?\s+{_YEAR}\b",
        rf"\b{_YEAR}[-/.](?P<month>\d{{1,2}})(?!\d)",
        rf"\b{_YEAR}\b",
    )
)


def normalise_date(text: str) -> str:
    """Return the first date in a text as `2022-10-12`, `2022-10` or `2022`, or "" when there is none."""
    for form in _FORMS:
        if match := form.search(text):
            found = match.groupdict()
            month = int(found.get("month") or 0) or _find_month(found.get("name") or "")
            day = int(found.get("day") or 0)
            if not 0 <= month <= 12 or not 0 <= day <= 31:
                continue
            return found["year"] + (f"-{month:02}" if month else "") + (f"-{day:02}" if month and day else "")
    return ""


def _find_month(name: str) -> int:
    return _MONTHS.index(name.lower()) + 1 if name else 0

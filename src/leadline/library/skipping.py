"""What of a folder was not read, in one line."""

from collections import Counter
from collections.abc import Iterable

from leadline.records import Skipped

_MOST_KINDS = 5
"""Kinds that fit into a line of a terminal."""


def summarise_skipped(skipped: Iterable[Skipped]) -> str:
    """Return `12 skipped: 9 .pptx, 3 unreadable`, the most frequent kind first, or "" when nothing was skipped."""
    kinds = Counter(file.kind for file in skipped)
    if not kinds:
        return ""
    ranked = sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))
    parts = [f"{count:,} {kind}" for kind, count in ranked[:_MOST_KINDS]]
    others = sum(count for _, count in ranked[_MOST_KINDS:])
    return f"{kinds.total():,} skipped: {', '.join([*parts, *([f'{others:,} others'] if others else [])])}"

"""What of a folder was not read, in one line."""

from collections import Counter
from collections.abc import Iterable

from leadline.records import Skipped


def summarise_skipped(skipped: Iterable[Skipped]) -> str:
    """Return `12 skipped: 9 .pptx, 3 unreadable`, the most frequent kind first, or "" when nothing was skipped."""
    kinds = Counter(file.kind for file in skipped)
    if not kinds:
        return ""
    parts = (f"{count:,} {kind}" for kind, count in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])))
    return f"{kinds.total():,} skipped: {', '.join(parts)}"

"""The words by which a sentence tells means, causes, times or differences. They are data: `words/cues.json`."""

import re
from functools import cache

from leadline.analysts.extractive.vocabulary import load

_KINDS = ("why", "when", "how", "difference")


def find_cues(question: str) -> tuple[re.Pattern[str], ...]:
    """Return what a sentence holds that answers a question of this kind: `because` for `why`. Nothing for a plain one."""
    return tuple(_compile(f"{kind}_tells") for kind in _KINDS if _compile(f"{kind}_asks").search(question))


@cache
def _compile(name: str) -> re.Pattern[str]:
    return re.compile(load("cues")[name], re.IGNORECASE)

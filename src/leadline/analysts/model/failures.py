"""What providers answer when they don't: told apart by status and words, without keys."""

import re
from collections.abc import Mapping

from leadline.analysts.model.providers import Endpoint
from leadline.errors import ModelFailed, ModelFailure
from leadline.network.waiting import read_wait

_QUOTA = re.compile(
    r"insufficient[_ ](?:quota|balance|funds|credits?)|exceeded your current quota|billing|credit balance"
    r"|payment required|arrearage|余额不足|欠费|quota[_ ]exceeded",
    re.IGNORECASE,
)
_KEYS = re.compile(r"(?:sk|pk|gsk|key|AIza|hf|xai|or)[-_][\w*.-]{6,}|AIza[\w-]{10,}|(?<=[Bb]earer )\S+|(?<=[?&]key=)[^&\s]+")
_LONGEST = 300


def judge_status(endpoint: Endpoint, status: int, text: str, headers: Mapping[str, str]) -> ModelFailed:
    """Return what a status and the text of its answer mean."""
    detail = hide_keys(f"{endpoint.url} answered {status}: {' '.join(text.split())[:_LONGEST]}", endpoint.key)
    kind: ModelFailure
    match status:
        case 402:
            kind = "no quota"
        case 400 | 403 | 429 if _QUOTA.search(text):
            kind = "no quota"
        case 401 | 403:
            kind = "no key"
        case 404:
            kind = "missing"
        case 429:
            kind = "rate limited"
        case 408 | 409 | 425:
            kind = "unavailable"
        case _:
            kind = "unavailable" if status >= 500 else "refused"
    return ModelFailed(kind, endpoint.name, detail, read_wait(headers))


def hide_keys(text: str, key: str = "") -> str:
    """Return a text without keys."""
    return _KEYS.sub("***", text.replace(key, "***") if key else text)

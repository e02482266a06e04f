"""How long a service wants to be left alone."""

import datetime as dt
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def read_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that `Retry-After` names (RFC 9110 section 10.2.3), as a number or as a date, or None.

    Args:
        headers: of an answer, their names in small letters, or whatever finds them so.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(?:\.\d+)?", value, re.ASCII):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    return max(0.0, (aware - dt.datetime.now(dt.UTC)).total_seconds())

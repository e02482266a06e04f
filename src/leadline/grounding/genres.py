"""What sort of publication a web address belongs to, as far as its host tells.

The hosts are data, `genres.json`: regular expressions by genre, tried in their order. Most hosts are in none.
"""

import json
import re
from functools import cache
from importlib import resources
from typing import cast
from urllib.parse import urlsplit

from leadline.records import Genre


def find_genre(address: str) -> Genre:
    """Return the genre of a web page by its host; "" for what is none and for hosts that tell nothing."""
    if not address.startswith(("http://", "https://")):
        return ""
    host = (urlsplit(address).hostname or "").lower()
    return next((genre for genre, pattern in _patterns().items() if pattern.search(host)), "")


@cache
def _patterns() -> dict[Genre, re.Pattern[str]]:
    text = resources.files(__package__).joinpath("genres.json").read_text(encoding="utf-8")
    return {cast("Genre", genre): re.compile("|".join(hosts)) for genre, hosts in json.loads(text).items()}

"""What the backends of papers share: words of a question for them, and abstracts as plain text."""

from leadline.grounding.tokens import query_terms
from leadline.records import Query

_MOST_WORDS = 8


def choose_words(text: str) -> list[str]:
    """Return the words of a question that a catalogue of papers is asked for: without stop words, at most 8."""
    return query_terms(text)[:_MOST_WORDS]


def filter_days(query: Query, since: str, until: str) -> dict[str, str]:
    """Return the filter of a catalogue for the days of a query, under the catalogue's names for them."""
    days = {since: query.since, until: query.until}
    filters = [f"{name}:{day.isoformat()}" for name, day in days.items() if day]
    return {"filter": ",".join(filters)} if filters else {}


def as_doi_address(doi: str) -> str:
    """Return the address of a DOI, given bare or as a URL; "" for none."""
    bare = doi.strip().removeprefix("https://doi.org/").removeprefix("http://dx.doi.org/").removeprefix("doi:")
    return f"https://doi.org/{bare}" if bare.startswith("10.") else ""

"""From the language of a question to what services call languages and regions."""

from leadline.records import Query

REGIONS = {
    "ar": "SA", "cs": "CZ", "da": "DK", "de": "DE", "el": "GR", "en": "US", "es": "ES", "fi": "FI", "fr": "FR", "he": "IL",
    "hu": "HU", "id": "ID", "it": "IT", "ja": "JP", "ko": "KR", "nl": "NL", "no": "NO", "pl": "PL", "pt": "PT", "ro": "RO",
    "ru": "RU", "sv": "SE", "th": "TH", "tr": "TR", "uk": "UA", "vi": "VN", "zh": "CN",
}  # fmt: skip
"""The country where most readers of a language are, for services that ask for one."""


def find_language(query: Query) -> str:
    """Return the main part of the query's language, as `zh`, or ""."""
    return query.language.split("-")[0].lower()


def find_region(query: Query) -> str:
    """Return the ISO 3166 code of the query's region: as its language tag says, else by language; or ""."""
    tagged = [part for part in query.language.split("-")[1:] if len(part) == 2]
    return tagged[0].upper() if tagged else REGIONS.get(find_language(query), "")


def add_sites(query: Query) -> str:
    """Return the text of a query with its sites as operators, for services that know them no other way."""
    only = " OR ".join(f"site:{site}" for site in query.sites)
    never = " ".join(f"-site:{site}" for site in query.not_sites)
    wrapped = f"({only})" if len(query.sites) > 1 else only
    return " ".join(part for part in (query.text, wrapped, never) if part)

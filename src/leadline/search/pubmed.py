"""PubMed, the papers of medicine. https://www.ncbi.nlm.nih.gov/books/NBK25499/"""

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from leadline.errors import SearchFailed
from leadline.records import Hit, Query
from leadline.search.asking import Line
from leadline.search.items import make_hit, pick_items, take_hits
from leadline.search.papers import choose_words
from leadline.search.provider import Provider, Setup

URL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
PAGE = "https://pubmed.ncbi.nlm.nih.gov"

_MOST = 50
_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = {name: f"{number:02}" for number, name in enumerate(_MONTH_NAMES, 1)}


class Pubmed:
    """Papers of PubMed with their abstracts. Two requests: one for the numbers, one for the papers."""

    name = "pubmed"

    def __init__(self, setup: Setup) -> None:
        self._url = (setup.url or URL).rstrip("/")
        self._line = Line(self.name, setup.client, "Check PUBMED_API_KEY.")
        self._key = {"api_key": setup.key} if setup.key else {}

    async def search(self, query: Query) -> Sequence[Hit]:
        """Return papers, best first. Raises SearchFailed."""
        numbers = await self._find(query)
        if not numbers:
            return []
        form = {"db": "pubmed", "id": ",".join(numbers), "retmode": "xml", **self._key}
        reply = await self._line.ask("POST", f"{self._url}/efetch.fcgi", form=form)
        try:
            papers = ET.fromstring(reply.body)
        except (ET.ParseError, ValueError) as error:
            raise SearchFailed("unresponsive", "pubmed answered with something that is not XML.") from error
        return take_hits(map(_read, papers.iter("PubmedArticle")), query)

    async def _find(self, query: Query) -> list[str]:
        words = choose_words(query.text)
        if not words:
            return []
        form: dict[str, str | int] = {
            "db": "pubmed",
            "term": " AND ".join(words),
            "retmax": min(query.limit, _MOST),
            "retmode": "json",
            "sort": "relevance",
            **self._key,
        }
        if query.since or query.until:
            form |= {
                "datetype": "pdat",
                "mindate": f"{query.since:%Y/%m/%d}" if query.since else "1800/01/01",
                "maxdate": f"{query.until:%Y/%m/%d}" if query.until else "2099/12/31",
            }
        answer = (await self._line.ask("POST", f"{self._url}/esearch.fcgi", form=form)).read_json(self.name)
        return [
            number for number in pick_items(answer, "esearchresult", "idlist") if isinstance(number, str) and number.isdecimal()
        ]


def _read(paper: ET.Element) -> Hit | None:
    number = paper.findtext(".//PMID") or ""
    if not number.isdecimal():
        return None
    return make_hit(
        "pubmed",
        f"{PAGE}/{number}/",
        title=_join(paper.find(".//ArticleTitle")),
        abstract=" ".join(_join(part) for part in paper.iter("AbstractText")),
        authors=tuple(_name(author) for author in paper.iter("Author")),
        date=_read_date(paper.find(".//JournalIssue/PubDate")),
    )


def _join(element: ET.Element | None) -> str:
    return "" if element is None else "".join(element.itertext())


def _name(author: ET.Element) -> str:
    given, family = author.findtext("ForeName") or "", author.findtext("LastName") or author.findtext("CollectiveName") or ""
    return f"{given} {family}".strip()


def _read_date(date: ET.Element | None) -> str:
    if date is None:
        return ""
    year, month, day = (date.findtext(name) or "" for name in ("Year", "Month", "Day"))
    month = _MONTHS.get(month, month.zfill(2) if month.isdecimal() else "")
    return "-".join([year, *([month, *([day.zfill(2)] if day.isdecimal() else [])] if month else [])])


provider = Provider("pubmed", Pubmed, url=URL, key="optional")

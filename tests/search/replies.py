"""What each service answers, in the shapes of its documentation, composed for these tests."""

from dataclasses import dataclass, field

from pydantic import JsonValue
from tests.search.conftest import as_json
from tests.web import Answer

ODD: list[JsonValue] = [None, 7, "text", [], {}, {"url": None, "title": 3}, {"url": "javascript:alert(1)", "link": "ftp://x/"}]
"""Items that no service should send, and some do."""


@dataclass(frozen=True)
class Reply:
    """The routes of a service; `first` is what its first result says."""

    routes: dict[str, Answer]
    path: str = "/"
    first: tuple[str, str, str] = ("https://example.org/a", "Dead rows", "VACUUM reclaims dead rows.")
    kind: str = "snippet"
    more: dict[str, object] = field(default_factory=dict)


A: dict[str, JsonValue] = {"title": "<b>Dead</b> rows", "text": "VACUUM reclaims&nbsp;dead <em>rows</em>."}
FIRST = "https://example.org/a"


def _table(*path: str, **names: str) -> Reply:
    item: JsonValue = {names["address"]: FIRST, names["title"]: A["title"], names["snippet"]: A["text"]}
    value: JsonValue = [*ODD, item]
    for name in reversed(path):
        value = {name: value}
    return Reply({"/": as_json(value)})


DUCKDUCKGO = """<html><body><div class="results"><div class="result__body links_main">
<h2><a href="https://example.org/a">Dead rows</a></h2>
<a class="result__snippet" href="https://example.org/a">VACUUM reclaims dead rows.</a>
</div><div class="body"><h2>Advert</h2><a href="https://duckduckgo.com/y.js?ad=1">Buy</a></div>
<div class="body"><h2>Wrapped</h2>
<a href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fb">Text</a></div></div></body></html>"""

ARXIV = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2401.00001v2</id>
<title>Dead
 rows</title><summary> VACUUM reclaims dead rows. </summary><published>2024-01-02T00:00:00Z</published>
<author><name>A. Author</name></author><author><name>B. Author</name></author>
<link href="http://arxiv.org/abs/2401.00001v2" rel="alternate"/><link title="pdf" href="http://arxiv.org/pdf/2401.00001v2"/>
</entry><entry><id>not an address</id></entry></feed>"""

PUBMED = """<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>123</PMID><Article>
<Journal><JournalIssue><PubDate><Year>2024</Year><Month>Feb</Month></PubDate></JournalIssue></Journal>
<ArticleTitle>Dead <i>rows</i></ArticleTitle><Abstract><AbstractText Label="AIM">VACUUM reclaims</AbstractText>
<AbstractText>dead rows.</AbstractText></Abstract>
<AuthorList><Author><LastName>Author</LastName><ForeName>A.</ForeName></Author>
</AuthorList></Article></MedlineCitation></PubmedArticle><PubmedArticle/></PubmedArticleSet>"""

REPLIES: dict[str, Reply] = {
    "tavily": _table("results", address="url", title="title", snippet="content"),
    "brave": _table("web", "results", address="url", title="title", snippet="description"),
    "serper": _table("organic", address="link", title="title", snippet="snippet"),
    "exa": _table("results", address="url", title="title", snippet="text"),
    "perplexity": _table("results", address="url", title="title", snippet="snippet"),
    "jina": _table("data", address="url", title="title", snippet="description"),
    "bocha": _table("data", "webPages", "value", address="url", title="name", snippet="summary"),
    "searxng": Reply(
        {"/search": as_json({"results": [*ODD, {"url": FIRST, "title": "Dead rows", "content": "VACUUM reclaims dead rows."}]})}
    ),
    "wikipedia": Reply(
        {
            "/w/api.php": as_json(
                {
                    "query": {
                        "search": [*ODD, {"title": "Dead rows", "snippet": 'VACUUM reclaims <span class="x">dead</span> rows.'}]
                    }
                }
            )
        },
        "/w/api.php",
        ("/wiki/Dead_rows", "Dead rows", "VACUUM reclaims dead rows."),
    ),
    "duckduckgo": Reply({"/": Answer(DUCKDUCKGO.encode())}),
    "arxiv": Reply(
        {"/": Answer(ARXIV.encode(), headers={"Content-Type": "application/atom+xml"})},
        first=("http://arxiv.org/abs/2401.00001v2", "Dead rows", "VACUUM reclaims dead rows."),
        kind="abstract",
        more={"authors": ("A. Author", "B. Author"), "date": "2024-01-02", "document": "http://arxiv.org/pdf/2401.00001v2"},
    ),
    "openalex": Reply(
        {
            "/": as_json(
                {
                    "results": [
                        *ODD,
                        {
                            "doi": "https://doi.org/10.1000/a",
                            "display_name": "Dead rows",
                            "publication_date": "2024-01-02",
                            "abstract_inverted_index": {
                                "dead": [2],
                                "VACUUM": [0],
                                "rows.": [3],
                                "reclaims": [1],
                                "x": [-1, "y"],
                            },
                            "authorships": [{"author": {"display_name": "A. Author"}}, None],
                            "best_oa_location": {"pdf_url": "https://example.org/a.pdf"},
                        },
                    ]
                }
            )
        },
        first=("https://doi.org/10.1000/a", "Dead rows", "VACUUM reclaims dead rows."),
        kind="abstract",
        more={"authors": ("A. Author",), "date": "2024-01-02", "document": "https://example.org/a.pdf"},
    ),
    "opensearch": Reply(
        {
            "/_search": as_json(
                {"hits": {"hits": [*ODD, {"_source": {"address": "html/rows.html", "title": "Dead rows", "date": "2024"}}]}}
            )
        },
        first=("html/rows.html", "Dead rows", ""),
        more={"date": "2024"},
    ),
    "crossref": Reply(
        {
            "/": as_json(
                {
                    "message": {
                        "items": [
                            *ODD,
                            {
                                "DOI": "10.1000/A",
                                "title": ["Dead rows"],
                                "abstract": "<jats:p>VACUUM reclaims dead rows.</jats:p>",
                                "issued": {"date-parts": [[2024, 1]]},
                                "author": [{"given": "A.", "family": "Author"}],
                            },
                        ]
                    }
                }
            )
        },
        first=("https://doi.org/10.1000/A", "Dead rows", "VACUUM reclaims dead rows."),
        kind="abstract",
        more={"authors": ("A. Author",), "date": "2024-01"},
    ),
    "pubmed": Reply(
        {
            "/esearch.fcgi": as_json({"esearchresult": {"idlist": ["123", 4, "x"]}}),
            "/efetch.fcgi": Answer(PUBMED.encode(), headers={"Content-Type": "text/xml"}),
        },
        first=("https://pubmed.ncbi.nlm.nih.gov/123/", "Dead rows", "VACUUM reclaims dead rows."),
        kind="abstract",
        more={"authors": ("A. Author",), "date": "2024-02"},
    ),
}

"""Pages of the web in a run, over fakes: stand-ins, copies, spare hits, and what the backend is asked for."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import get_args

import pytest
from tests.pipeline.conftest import TODOS, TOPIC, Rig

from leadline.errors import SearchFailed, SearchFailure
from leadline.pipeline.asking import make_query, shorten
from leadline.pipeline.crew import Crew, Reach
from leadline.pipeline.loop import Outcome, conduct
from leadline.pipeline.rendering import to_markdown
from leadline.records import Hit, NotRead, Page, Query, Request, Scope, Topic
from leadline.testing import Corpus


class Web(Corpus):
    """A corpus whose pages can be copies, stand-ins or out of reach."""

    name = "web"

    def __init__(self, pages: dict[str, Page | NotRead], backend: str = "web") -> None:
        texts = {address: page.text if isinstance(page, Page) else "vacuum" for address, page in pages.items()}
        super().__init__(texts)
        self.pages = pages
        self.read_hits: list[Hit] = []
        self._backend = backend

    async def search(self, query: Query) -> Sequence[Hit]:
        return [hit.model_copy(update={"backend": self._backend}) for hit in await super().search(query)]

    async def read(self, hit: Hit) -> Page | NotRead:
        self.read_hits.append(hit)
        return self.pages[hit.address]


def _page(address: str, text: str, mark: str = "", **more: object) -> Page:
    identity = sha256(f"{address} {mark}".encode()).hexdigest()
    return Page.model_validate({"id": identity, "address": address, "text": text, "title": address, **more})


async def _conduct(rig: Rig, web: Web, request: Request | None = None, **more: object) -> Outcome:
    crew: Crew = replace(rig.crew(), search=web, reader=web, **more)  # type: ignore[arg-type]
    return await conduct("run1", TOPIC, request or rig.request, crew)


VACUUM = "VACUUM reclaims the space of dead rows."


async def test_copies_of_one_page_are_one_reference(rig: Rig) -> None:
    pages: dict[str, Page | NotRead] = {
        "https://e.org/a": _page("https://e.org/a", VACUUM),
        "http://www.e.org/a/?utm_source=x": _page("http://www.e.org/a/?utm_source=x", "Freezing keeps old rows valid."),
        "https://e.org/p?id=1": _page("https://e.org/p?id=1", "An index scan visits heap pages in order."),
        "https://e.org/p?id=2": _page("https://e.org/p?id=2", "An index scan of another kind visits all of its leaves twice."),
    }
    report = (await _conduct(rig, Web(pages))).report
    assert [source.address for source in report.references] == [
        "https://e.org/a", "https://e.org/p?id=1", "https://e.org/p?id=2",
    ]  # fmt: skip
    text = to_markdown(report)
    assert "VACUUM reclaims the space of dead rows [1]." in text
    assert "Freezing keeps old rows valid [1]." in text
    cited = {e.page for s in report.sections for p in s.points for e in p.evidence}
    assert cited == {page for source in report.references for page in (source.page, *source.also)}


async def test_a_paper_is_one_reference_wherever_it_is_found(rig: Rig) -> None:
    doi, arxiv = ("doi:10.1000/x",), ("doi:10.48550/arxiv.2401.00001",)
    pages: dict[str, Page | NotRead] = {
        "papers/a.pdf": _page("papers/a.pdf", VACUUM, identifiers=doi),
        "https://publisher.example/a": _page("https://publisher.example/a", "Freezing keeps old rows valid.", identifiers=doi),
        "https://doi.org/10.1000/X": _page("https://doi.org/10.1000/X", "An index scan visits heap pages in order."),
        "papers/b.pdf": _page(
            "papers/b.pdf", "An index scan of another kind visits all of its leaves twice.", identifiers=arxiv
        ),
        "https://arxiv.org/abs/2401.00001v2": _page("https://arxiv.org/abs/2401.00001v2", "A vacuum of dead rows comes late."),
    }
    references = (await _conduct(rig, Web(pages))).report.references
    assert sorted(1 + len(source.also) for source in references) == [2, 3]


async def test_stand_ins_are_marked_and_counted(rig: Rig) -> None:
    pages: dict[str, Page | NotRead] = {
        "https://e.org/a": _page("https://e.org/a", VACUUM, kind="snippet", reason="it took longer than 20 s"),
        "https://e.org/b": _page("https://e.org/b", "Freezing keeps old rows valid.", kind="abstract"),
    }
    report = (await _conduct(rig, Web(pages))).report
    assert (report.tally.read, report.tally.snippets) == (1, 1)
    text = to_markdown(report)
    assert "<https://e.org/a> (excerpt of a search only, the page was not read: it took longer than 20 s)" in text
    assert "<https://e.org/b> (abstract only)" in text


async def test_other_hits_stand_in_for_pages_that_are_not_read(rig: Rig) -> None:
    gone = {f"https://e.org/{n}": NotRead(address=f"https://e.org/{n}", reason="e.org: gone") for n in range(3)}
    web = Web(
        {**gone, "https://e.org/8": _page("https://e.org/8", VACUUM), "https://e.org/9": _page("https://e.org/9", VACUUM, "2")}
    )
    outcome = await _conduct(rig, web, reach=Reach(pages=1, hits=10))
    (section, *_) = outcome.report.sections
    assert section.status == "completed"
    assert "*Not read: e.org: gone*" in to_markdown(outcome.report)
    assert "https://e.org/9" not in {hit.address for hit in web.read_hits}


async def test_the_backend_is_told_language_scope_and_limit(rig: Rig) -> None:
    scope = Scope(since=dt.date(2025, 1, 1), sites=("e.org",), not_sites=("f.org",))
    web = Web({})
    await _conduct(rig, web, reach=Reach(pages=5, hits=10, scope=scope))
    assert web.asked[0] == Query(
        text=TODOS[0].query, limit=10, language="en", since=dt.date(2025, 1, 1), sites=("e.org",), not_sites=("f.org",)
    )


async def test_the_language_is_that_of_the_topic() -> None:
    topic = Topic(text="固态电池量产进展", language="zh", today=dt.date(2026, 11, 30))
    assert make_query("量产", 5, topic, Scope()).language == "zh"


async def test_a_long_topic_is_never_sent_whole() -> None:
    question = "How are dead rows reclaimed in PostgreSQL?"
    assert shorten("We run a large shop. " * 60 + question + " Thanks in advance.") == question
    assert len(shorten("word " * 300)) <= 200
    assert len(shorten("死元组" * 500)) == 200
    assert shorten("  short   one ") == "short one"


KINDS: tuple[SearchFailure, ...] = get_args(SearchFailure)


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
@pytest.mark.parametrize("kind", KINDS)
async def test_each_kind_of_failed_search_has_words_in_each_language(rig: Rig, language: str, kind: SearchFailure) -> None:
    def fail(query: str) -> None:
        raise SearchFailed(kind, f"a said {kind}")

    rig.corpus = Corpus({}, fail)
    topic = TOPIC.model_copy(update={"language": language})
    reason = (await conduct("run1", topic, rig.request, rig.crew())).report.sections[0].reason
    assert f"a said {kind}" in reason
    assert reason.startswith("This") == (language == "en")

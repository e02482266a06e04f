"""Research on the web from the command line, over real HTTP with sites of our own."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.web import Answer, Asked, Route, Site, page, served

Run = Callable[..., Any]

QUESTION = "How are dead rows reclaimed?"
PLAN = {"todos": [{"title": "Dead rows", "query": "dead rows"}]}
ROWS = page(
    "Dead rows",
    "VACUUM reclaims the space of dead rows. A dead row is a version that no transaction can see any more.",
    "Autovacuum runs VACUUM by itself when enough dead rows have gathered in a table.",
)
SNIPPET = "Dead rows that a replication slot still needs are not reclaimed by VACUUM before the slot has moved on."


def _results(*items: Mapping[str, str]) -> Answer:
    return Answer(json.dumps({"results": list(items)}).encode(), headers={"Content-Type": "application/json"})


@pytest.fixture
def closed() -> str:
    """Return the address of a port that nobody listens on."""
    site = Site()
    with served(site):
        pass
    return site.url()


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, closed: str) -> Iterator[tuple[Site, Site, Site]]:
    """Yield a search service, a site of pages, and a canary that nothing may connect to; the web without a key is away."""
    search, pages, canary = Site(), Site({"/rows": ROWS}), Site()
    with served(search, pages, canary):
        monkeypatch.setenv("SEARXNG_URL", search.url())
        monkeypatch.setenv("DUCKDUCKGO_URL", closed)
        monkeypatch.setenv("WIKIPEDIA_URL", closed)
        monkeypatch.setenv("LEADLINE_ALLOW", f"127.0.0.1:{pages.port}")
        (tmp_path / "plan.json").write_text(json.dumps(PLAN), encoding="utf-8")
        yield search, pages, canary
    assert canary.opened == 0


def _answer(site: Site, **routes: Route) -> None:
    site.routes.update({f"/{name}": route for name, route in routes.items()})


Web = tuple[Site, Site, Site]


def test_pages_are_found_read_and_cited(leadline: Run, web: Web) -> None:
    search, pages, _ = web
    _answer(search, search=_results({"url": pages.url("/rows"), "title": "Rows"}))
    done = leadline("research", QUESTION, "--search", "searxng", "--plan", "plan.json")
    assert done.status == 0
    assert done.err.splitlines()[0].startswith("extractive, no model · sources: searxng · asked are 127.0.0.1, and the sites")
    assert "VACUUM reclaims the space of dead rows [1]." in done.out
    assert f"<{pages.url('/rows')}>" in done.out


def test_with_neither_sources_nor_a_backend_the_web_is_asked(leadline: Run, web: Web) -> None:
    done = leadline("research", QUESTION)
    assert done.status == 1
    assert done.out == ""
    assert done.err.splitlines()[0].startswith(
        "extractive, no model · sources: duckduckgo, else wikipedia · asked are 127.0.0.1"
    )
    last = done.err.splitlines()[-1]
    assert last.startswith("leadline: No search backend could be reached (duckduckgo, wikipedia)")
    assert "--in FOLDER" in last


def test_documents_alone_never_touch_the_web(leadline: Run, web: Web, documents: Path) -> None:
    search, pages, _ = web
    assert leadline("research", QUESTION, "--in", "manual").status == 0
    assert search.opened == pages.opened == 0


def test_documents_and_the_web_together(leadline: Run, web: Web, documents: Path) -> None:
    search, pages, _ = web
    _answer(search, search=_results({"url": pages.url("/rows"), "title": "Rows"}))
    done = leadline("research", QUESTION, "--in", "manual", "--search", "searxng", "--plan", "plan.json")
    assert done.status == 0
    assert pages.url("/rows") in done.out
    assert "rows.md" in done.out


def test_an_excerpt_is_marked_and_what_was_given_up_is_named(leadline: Run, web: Web) -> None:
    search, pages, canary = web
    pages.routes["/away"] = Answer(status=503)
    _answer(
        search,
        search=_results(
            {"url": pages.url("/away"), "title": "Slots", "content": SNIPPET},
            {"url": canary.url("/inside"), "title": "Inside", "content": SNIPPET},
            {"url": pages.url("/picture"), "title": "Picture", "content": SNIPPET},
        ),
    )
    pages.routes["/picture"] = Answer(b"x", headers={"Content-Type": "image/png"})
    done = leadline("research", QUESTION, "--search", "searxng", "--plan", "plan.json")
    assert "(excerpt of a search only, the page was not read: the server answered HTTP 503)" in done.out
    assert "address not allowed" in done.out
    assert "image/png is not read" in done.out
    assert canary.url("/inside") not in done.out
    assert "0 sources read, 1 by snippet only." in done.out


def test_one_page_under_many_addresses_is_one_reference(leadline: Run, web: Web) -> None:
    search, pages, _ = web
    urls = [pages.url(target) for target in ("/rows", "/rows/", "/rows?utm_source=x", "/rows#s2", "/p?id=1", "/p?id=2")]
    pages.routes["/p?id=1"] = page("One", "A dead row of the first kind is reclaimed by VACUUM at night.")
    pages.routes["/p?id=2"] = page("Two", "A dead row is reclaimed by REINDEX when its index is built anew.")
    _answer(search, search=_results(*({"url": url, "title": "Rows"} for url in urls)))
    report = leadline("research", QUESTION, "--search", "searxng", "--plan", "plan.json").out
    assert report.count(pages.url("/rows")) == 1
    assert pages.url("/p?id=1") in report
    assert pages.url("/p?id=2") in report
    assert pages.targets.count("/rows") == 1


def test_a_rate_limit_is_named_and_ends_with_a_command(leadline: Run, web: Web) -> None:
    search, _, _ = web
    _answer(search, search=Answer(status=429, headers={"Retry-After": "86400"}))
    done = leadline("research", QUESTION, "--search", "searxng")
    assert done.status == 1
    last = done.err.splitlines()[-1]
    assert "rate-limited by searxng" in last
    assert last.endswith("Now works: leadline research 'How are dead rows reclaimed?' --search wikipedia")


def test_a_fallback_answers_and_the_report_says_so(leadline: Run, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    search, pages, _ = web
    wiki = {"query": {"search": [{"title": "Rows", "snippet": "Dead rows"}]}}
    search.routes["/search"] = Answer(status=429, headers={"Retry-After": "86400"})
    pages.routes["/w/api.php"] = Answer(json.dumps(wiki).encode(), headers={"Content-Type": "application/json"})
    pages.routes["/wiki/Rows"] = ROWS
    monkeypatch.setenv("WIKIPEDIA_URL", pages.url("/w/api.php"))
    done = leadline("research", QUESTION, "--search", "searxng", "--fallback", "wikipedia", "--plan", "plan.json")
    assert done.status == 0
    told = "The search was rate-limited by searxng; it asks to wait 24 hours. wikipedia was asked instead."
    assert told in done.err
    assert told in done.out


def test_a_backend_that_fails_beside_another_is_named_with_its_reason(leadline: Run, web: Web) -> None:
    search, pages, _ = web
    _answer(search, search=_results({"url": pages.url("/rows"), "title": "Rows"}))
    done = leadline("research", QUESTION, "--search", "searxng,wikipedia", "--plan", "plan.json")
    assert done.status == 0
    told = "wikipedia could not be reached at 127.0.0.1. The other sources were searched without wikipedia."
    assert told in done.err
    assert told in done.out


def test_no_results_are_not_a_failed_search(leadline: Run, web: Web) -> None:
    _answer(web[0], search=_results())
    done = leadline("research", QUESTION, "--search", "searxng", "--plan", "plan.json")
    assert done.status == 3
    assert "The search gave no results" in done.out


def test_offline_asks_nothing_beyond_this_machine(
    leadline: Run, web: Web, monkeypatch: pytest.MonkeyPatch, documents: Path
) -> None:
    monkeypatch.delenv("DUCKDUCKGO_URL")
    refused = leadline("research", QUESTION, "--offline")
    assert refused.status == 2
    assert "--offline allows nothing beyond this machine" in refused.err
    assert leadline("research", QUESTION, "--offline", "--in", "manual").status == 0
    search, pages, _ = web
    _answer(
        search, search=_results({"url": pages.url("/rows"), "title": "Rows"}, {"url": "http://news.example/a", "title": "News"})
    )
    done = leadline("research", QUESTION, "--offline", "--search", "searxng", "--plan", "plan.json")
    assert "VACUUM reclaims" in done.out
    assert "--offline allows nothing" in done.out


KEY = "sk-test-ABC123"


@pytest.mark.parametrize("status", [200, 401, 429, 500])
def test_a_key_is_nowhere(
    leadline: Run, web: Web, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: int
) -> None:
    search, _, _ = web
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    monkeypatch.setenv("TAVILY_URL", search.url("/tavily"))
    headers = {"Content-Type": "application/json", "Retry-After": "86400"}
    _answer(search, tavily=Answer(json.dumps({"error": f"Incorrect API key provided: {KEY}"}).encode(), status, headers))
    words = ("research", QUESTION, "--search", "tavily", "--plan", "plan.json", "-v", "--out", "report")
    done = leadline(*words)
    assert f"Bearer {KEY}" in search.asked[0].headers["authorization"]
    listed = leadline("backends")
    assert "set" in listed.out
    assert KEY not in done.out + done.err + listed.out + listed.err
    kept = [path for folder in (home, tmp_path / "report") for path in folder.rglob("*") if path.is_file()]
    assert kept
    assert [path for path in kept if KEY.encode() in path.read_bytes()] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--search", "googel"), "There is no search backend 'googel'; known: arxiv"),
        (("--search", "tavily"), "set TAVILY_API_KEY"),
        (("--in", "http://169.254.169.254/latest/"), "address not allowed"),
        (("--in", "run:zzzz"), "No run goes by 'zzzz'"),
        (("--in", "manual", "--fallback", "wikipedia"), "--fallback wikipedia stands in for a search backend"),
        (("--since", "yesterday"), "write it as 2026-11-30"),
        (("--since", "2026-02-01", "--until", "2026-01-01"), "is after --until"),
        (("--per-todo", "0"), "1 to 50"),
        (("--site", " "), "is not a site"),
    ],
)
def test_wrong_use_is_told_before_anything_is_done(
    leadline: Run, web: Web, documents: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    done = leadline("research", QUESTION, *words)
    assert (done.status, said in done.err) == (2, True), done.err


def test_searxng_without_an_address_names_the_variable(leadline: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEARXNG_URL", raising=False)
    done = leadline("research", QUESTION, "--search", "searxng")
    assert done.status == 2
    assert "SEARXNG_URL=http://localhost:8080" in done.err


def test_a_page_as_a_source_and_the_pages_of_a_run(leadline: Run, web: Web) -> None:
    search, pages, _ = web
    done = leadline("research", QUESTION, "--in", pages.url("/rows"), "--plan", "plan.json")
    assert done.status == 0
    assert "VACUUM reclaims the space of dead rows [1]." in done.out
    assert search.opened == 0
    run = next(line.split()[1] for line in done.err.splitlines() if line.startswith("run "))
    asked = len(pages.asked)
    again = leadline("research", QUESTION, "--in", f"run:{run}", "--plan", "plan.json")
    assert "VACUUM reclaims the space of dead rows [1]." in again.out
    assert len(pages.asked) == asked


def test_a_page_as_a_source_that_cannot_be_read(leadline: Run, web: Web) -> None:
    done = leadline("research", QUESTION, "--in", web[1].url("/none"))
    assert done.status == 1
    assert "could not be read: 127.0.0.1: the page is not there (HTTP 404)" in done.err


def test_sites_and_days_reach_the_backend_and_hold(leadline: Run, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    search, pages, _ = web
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    monkeypatch.setenv("TAVILY_URL", search.url("/tavily"))
    _answer(
        search, tavily=_results({"url": pages.url("/rows"), "title": "Rows"}, {"url": "http://other.example/", "title": "x"})
    )
    words = ("--search", "tavily", "--site", "127.0.0.1", "--not-site", "https://www.other.example/x", "--since", "2024-01-02")
    done = leadline("research", QUESTION, *words, "--until", "2025-03-04", "--per-todo", "2", "--plan", "plan.json")
    assert done.status == 0
    asked = json.loads(search.asked[0].body)
    assert (asked["include_domains"], asked["exclude_domains"]) == (["127.0.0.1"], ["other.example"])
    assert (asked["start_date"], asked["end_date"], asked["max_results"]) == ("2024-01-02", "2025-03-04", 4)


def test_the_settings_file_names_a_service(leadline: Run, web: Web, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search, pages, _ = web
    monkeypatch.delenv("SEARXNG_URL")
    monkeypatch.delenv("LEADLINE_ALLOW")
    home.mkdir(exist_ok=True)
    settings = f'[search.searxng]\nurl = "{search.url()}"\n[reading]\nallow = ["127.0.0.1:{pages.port}"]\n'
    (home / "config.toml").write_text(settings, encoding="utf-8")
    _answer(search, search=_results({"url": pages.url("/rows"), "title": "Rows"}))
    assert leadline("research", QUESTION, "--search", "searxng", "--plan", "plan.json").status == 0
    (home / "config.toml").write_text("[search", encoding="utf-8")
    assert "is not TOML" in leadline("backends").err


def test_a_refresh_reads_pages_again(leadline: Run, web: Web) -> None:
    search, pages, _ = web
    _answer(search, search=_results({"url": pages.url("/rows"), "title": "Rows"}))
    done = leadline("research", QUESTION, "--search", "searxng", "--plan", "plan.json")
    assert done.status == 0
    assert leadline("runs", "refresh").status == 0
    pages.routes["/rows"] = page("Dead rows", "VACUUM no longer reclaims the space of dead rows by itself.")
    assert "VACUUM no longer reclaims" in leadline("runs", "refresh").out + leadline("runs", "show").out


def test_backends_are_listed(leadline: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", KEY)
    rows = [json.loads(line) for line in leadline("backends", "--json").out.splitlines()]
    known = {row["name"]: (row["key"], row["variable"], row["package"]) for row in rows}
    assert known["brave"] == ("set", "BRAVE_API_KEY", "leadline")
    assert known["tavily"] == ("not set (needed)", "TAVILY_API_KEY", "leadline")
    assert known["library"][0] == known["wikipedia"][0] == "not needed"
    assert len(leadline("backends").out.splitlines()) == len(rows) + 1


def test_any_report_is_verified_against_the_web(leadline: Run, web: Web, tmp_path: Path) -> None:
    _, pages, canary = web
    text = "VACUUM reclaims the space of dead rows [1]. It paints the rows blue [1].\n\nInside [2].\n\n"
    (tmp_path / "theirs.md").write_text(f"{text}[1]: {pages.url('/rows')}\n[2]: {canary.url('/x')}\n", encoding="utf-8")
    done = leadline("verify", "theirs.md")
    assert done.status == 3
    assert "✗ line 1: unsupported: It paints the rows blue." in done.out
    assert "address not allowed" in done.out
    assert done.out.endswith("3 citations: 1 verbatim, 1 unsupported, 1 unreachable · score 0.33\n")


def test_limited_empty_and_found_are_three_words(leadline: Run, web: Web, tmp_path: Path) -> None:
    search, pages, _ = web

    def answer(asked: Asked) -> Answer:
        query = parse_qs(urlsplit(asked.target).query)["q"][0]
        if "slots" in query:
            return Answer(status=429, headers={"Retry-After": "86400"})
        return _results({"url": pages.url("/rows"), "title": "Rows"}) if "rows" in query else _results()

    search.routes["/search"] = answer
    todos = [{"title": name, "query": query} for name, query in (("Slots", "slots"), ("Locks", "locks"), ("Rows", "dead rows"))]
    (tmp_path / "three.json").write_text(json.dumps({"todos": todos}), encoding="utf-8")
    done = leadline("research", QUESTION, "--search", "searxng", "--plan", "three.json")
    assert done.status == 3
    slots, locks, rows = (done.out.partition(f". {title}\n")[2].partition("\n## ")[0] for title in ("Slots", "Locks", "Rows"))
    assert ("rate-limited" in slots, "no results" in slots) == (True, False)
    assert ("rate-limited" in locks, "no results" in locks) == (False, True)
    assert ("[1]" in slots, "[1]" in locks, "[1]" in rows) == (False, False, True)


OFF_TOPIC = {
    "/dictionary": page(
        "巨人 - 词典", "巨人，名词，指身材异常高大的人。例句：他站在巨人的肩膀上。", "近义词：大个子、彪形大汉。"
    ),
    "/shoes": page("男鞋特卖", "新款运动鞋限时八折，满三百元包邮，七天无理由退换。", "热销款式包括跑步鞋和篮球鞋。"),
    "/login": Answer("<title>登录</title><form><input name=user><input type=password><button>登录</button></form>".encode()),
}


def test_results_that_do_not_answer_are_not_cited(leadline: Run, web: Web) -> None:
    search, pages, _ = web
    pages.routes.update(OFF_TOPIC)
    _answer(search, search=_results(*({"url": pages.url(target), "title": "x"} for target in OFF_TOPIC)))
    done = leadline("research", "被称为非洲巨人的国家", "--search", "searxng")
    assert {parse_qs(urlsplit(target).query)["language"][0] for target in search.targets} == {"zh"}
    assert done.status != 0
    assert "[1]" not in done.out
    assert pages.url() not in done.out


def test_what_failed_is_what_is_blamed(leadline: Run, web: Web) -> None:
    search, pages, _ = web
    _answer(search, search=Answer(status=500))
    done = leadline("research", QUESTION, "--search", "searxng", "--plan", "plan.json")
    assert "searxng is out of order (HTTP 500)" in done.err
    pages.routes["/a"] = Answer(status=500)
    _answer(search, search=_results({"url": pages.url("/a"), "title": "Rows"}))
    done = leadline("research", QUESTION, "--search", "searxng", "--plan", "plan.json")
    assert "the server answered HTTP 500" in done.out
    assert "searxng" not in done.err.splitlines()[-1]

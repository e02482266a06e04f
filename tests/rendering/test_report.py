"""A report as a page: what a citation leads to, and what hostile text becomes."""

import re
from html.parser import HTMLParser
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports import PAGES, make_disputed_sample, make_sample

from leadline.pipeline.phrases import phrases
from leadline.records import Evidence, Method, Page, TaskStatus, Verdict
from leadline.rendering import render_evidence, render_page, render_report, view_report
from leadline.rendering.places import find_place, link

ROOM = "leadline.rendering"
_DEAD = "%E6%AD%BB%E8%A1%8C" * 6


class _Reader(HTMLParser):
    """Collects the elements of a page, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, name: str) -> list[str]:
        return [value for found, attributes in self.tags if found == tag and (value := attributes.get(name))]

    @property
    def anchors(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.tags if "id" in attributes]


def _read(**given: object) -> _Reader:
    run, pages = make_sample(**given)  # type: ignore[arg-type]
    return _Reader(render_page(view_report(run, pages)))


def test_every_link_within_the_page_leads_somewhere() -> None:
    page = _read()
    anchors = page.anchors
    inner = [href[1:] for href in page.all("a", "href") if href.startswith("#")]
    assert inner
    assert set(inner) <= set(anchors)
    assert len(anchors) == len(set(anchors))


def test_a_citation_leads_to_the_quote_in_its_page() -> None:
    run, pages = make_sample()
    view = view_report(run, pages)
    mark = view.parts[0].lines[0].firm[0]
    exhibit = next(exhibit for exhibit in view.exhibits if exhibit.anchor == mark.anchor)
    html = render_evidence(view, exhibit)
    assert f'id="{mark.anchor}"' in html
    assert "<mark>VACUUM makes the space of dead rows reusable inside the same table.</mark>" in html
    assert "An update leaves the old row version in place. <mark>" in html
    assert "Recovering Disk Space" in html
    assert "#:~:text=VACUUM%20makes%20the%20space%20of,reusable%20inside%20the%20same%20table." in html
    assert "Verbatim" in html
    assert "2022-10-12" in html


def test_a_report_is_there_without_the_page_around_it() -> None:
    run, pages = make_sample(title="Zeilen & <b>mehr</b>")
    html = render_report(view_report(run, pages))
    assert html.startswith('<article class="report"')
    assert "Zeilen &amp; &lt;b&gt;mehr&lt;/b&gt;" in html


def test_without_the_saved_page_the_quote_stands_alone() -> None:
    run, _ = make_sample()
    view = view_report(run, {})
    assert {exhibit.place.before for exhibit in view.exhibits} == {""}
    assert "<mark>VACUUM makes" in render_page(view)


def test_a_run_without_a_report_is_refused() -> None:
    run, pages = make_sample()
    with pytest.raises(ValueError, match="k3v9x2mq"):
        view_report(run.model_copy(update={"report": None}), pages)


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant"])
def test_every_state_verdict_and_method_has_words(language: str) -> None:
    words = phrases(language, ROOM)
    for kind in (*get_args(Method), "share"):
        assert words.say(f"method_{kind}", share=50)
    for verdict in get_args(Verdict):
        assert words.say(f"label_{verdict}")
    for status in get_args(TaskStatus):
        assert words.say(f"status_{status}")
    assert set(words._sentences) >= set(phrases("zh", ROOM)._sentences)


def test_a_chinese_report_speaks_chinese() -> None:
    page = Page(
        id="c" * 64, address="手册/一.html", title="维护", text="# 清理\n\n清理命令回收死行所占的空间。它不会立即归还给系统。\n"
    )
    read = _read(pages=(page,), said=(("清理", ("清理命令回收死行所占的空间。",)),), title="如何回收死行？", language="zh")
    assert all(word in read.text for word in ("计划", "依据", "原文一致", "参考文献", "2026 年 11 月 30 日"))
    assert "Back to the sentence" not in read.text


def test_one_file_asks_for_nothing() -> None:
    read = _read()
    assert not {tag for tag, _ in read.tags} & {"img", "link", "iframe", "object", "embed", "base", "form"}
    assert not read.all("script", "src")
    (policy,) = [attributes["content"] for tag, attributes in read.tags if attributes.get("http-equiv")]
    assert str(policy).startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in str(policy)


MARKUP = st.text(alphabet=st.sampled_from("<>&\"'`[](){}#*_~$\\!/:;=abc 1好。\n\u2028"), min_size=1, max_size=60)


@given(title=MARKUP, text=MARKUP, address=MARKUP)
def test_no_text_adds_an_element_or_takes_one_away(title: str, text: str, address: str) -> None:
    sentence = f"Rows {' '.join(text.split())} end."
    page = PAGES[0].model_copy(update={"title": title, "address": address, "text": f"{sentence}\n\nMore {text}\n"})
    run, pages = make_sample(pages=(page,), said=((f"T {title}", ()),), title=f"T {title}")
    read = _Reader(render_page(view_report(run, pages)))
    allowed = {"a", "article", "aside", "b", "body", "circle", "code", "details", "div", "em", "h1", "h2", "head", "header"}
    allowed |= {"html", "li", "main", "meta", "nav", "ol", "p", "path", "script", "section", "span", "strong", "style", "svg"}
    assert {tag for tag, _ in read.tags} <= allowed | {"title", "ul", "button"}
    assert [tag for tag, _ in read.tags].count("script") == 1
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]


@given(st.text(max_size=900), st.data())
def test_a_place_is_what_the_page_holds(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    page = Page(id="p", address="a", text=text)
    evidence = Evidence(page="p", start=start, end=end, quote=text[start:end], verdict="verbatim", method="exact")
    place = find_place(evidence, page)
    assert place.quote == text[start:end]
    assert len(place.before) <= 245
    assert len(place.after) <= 245


@pytest.mark.parametrize(
    ("address", "quote", "href"),
    [
        ("https://e.example/a", "Short quote.", "https://e.example/a#:~:text=Short%20quote."),
        ("https://e.example/a#s2", "A-b, c & d", "https://e.example/a#s2:~:text=A%2Db%2C%20c%20%26%20d"),
        (
            "https://e.example/a",
            "死行" * 40,
            f"https://e.example/a#:~:text={_DEAD},{_DEAD}",
        ),
        ("https://e.example/a", "", "https://e.example/a"),
        ("manual/full.html", "Short.", ""),
        ("javascript:alert(1)", "Short.", ""),
        ("java\nscript:alert(1)", "", ""),
        ("data:text/html,x", "", ""),
        ("https:///x", "", ""),
    ],
)
def test_only_addresses_of_the_web_are_links(address: str, quote: str, href: str) -> None:
    assert link(address, quote) == href


def test_a_source_that_only_speaks_of_it_stands_apart() -> None:
    run, pages = make_sample()
    report = run.report
    assert report is not None
    section = report.sections[0]
    near = section.points[0].evidence[1].model_copy(update={"verdict": "partial", "method": "words", "score": 0.5})
    point = section.points[0].model_copy(update={"evidence": (section.points[0].evidence[0], near)})
    sections = (section.model_copy(update={"points": (point,)}), *report.sections[1:])
    run = run.model_copy(update={"report": report.model_copy(update={"sections": sections})})
    view = view_report(run, pages)
    line = view.parts[0].lines[0]
    assert ([mark.number for mark in line.firm], [mark.number for mark in line.near]) == ([1], [2])
    html = render_page(view)
    assert re.search(r'see also</span><a class="cite near" href="#e1-1-2" aria-label="Source 2: Partial">2</a>', html)
    assert "50 % of its carrying words stand there" in html


def test_a_source_of_which_only_an_excerpt_was_read_says_so() -> None:
    pages = (PAGES[0].model_copy(update={"kind": "snippet", "reason": "robots.txt forbids it"}), PAGES[1])
    read = _read(pages=pages)
    assert read.text.count("excerpt of a search only, the page was not read: robots.txt forbids it") == 2


def test_copies_of_a_page_are_one_reference_with_one_evidence_a_point() -> None:
    run, pages = make_sample()
    report = run.report
    assert report is not None
    first, second = report.references
    one = report.model_copy(update={"references": (first.model_copy(update={"also": (second.page,)}),)})
    read = _Reader(render_page(view_report(run.model_copy(update={"report": one}), pages)))
    assert len(read.anchors) == len(set(read.anchors))
    assert [anchor for anchor in read.anchors if anchor.startswith("e1-1")] == ["e1-1-1"]
    assert "e2-1-1" in read.anchors


def test_what_differs_is_shown_from_both_sides_and_what_fails_is_marked() -> None:
    run, pages = make_disputed_sample()
    view = view_report(run, pages)
    (part,) = view.parts
    ((one, two),) = part.differing
    assert ("50 rows" in one.html, "90 rows" in two.html) == (True, True)
    assert one.remark.startswith("official source")
    assert (part.lines[0].text, part.lines[0].remark) == ("Dead rows slow scans down.", "single source")
    assert [mark.verdict for mark in part.lines[1].failed] == ["unsupported"]
    html = render_page(view)
    assert 'class="also failed">not found in</span>' in html
    assert "Sources differ" in html
    assert "A page gives orders." in html
    assert part.points == 4

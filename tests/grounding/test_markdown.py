import html
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from leadline.grounding.markdown import inline

SAFE = [
    "An ordinary sentence (see Section 3.2), e.g. 5 < 6 and x > y — fine.",
    "snake_case names, 2 * 3 and ~/.bashrc stay.",
    "中文句子，带“引号”和（括号）。",
    "It costs 5 dollars & more; `code [1]` stays.",
]


@pytest.mark.parametrize("text", SAFE)
def test_ordinary_sentences_are_left_alone(text: str) -> None:
    assert inline(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "# head", "see [3] and [1, 2]", "[1]: https://evil/", "a <b>x</b> &amp; <!-- y", "cost $5 and $6", "~~x~~",
        "*ptr* a*b", "__init__ and _emph_", "1. first",
        "12) second", "- item", "+ item", "> quote", "---", "***", "===", "```sh", "a ` tick",
        "[text](http://x) ![i](x)", "C:\\new\\*", "<https://a.b>", "a [b][1]", "[a [b]](http://x)", "[^1]", "\\", "| a | b |",
    ],
)  # fmt: skip
def test_shows_as_typed_and_opens_nothing(text: str) -> None:
    assert render(inline(text)) == f"<p>{text}</p>"


def test_is_one_line() -> None:
    assert inline("a\n# b\n\n[1]: https://evil/") == "a # b \\[1\\]: https://evil/"


@given(st.text(alphabet="ab1 #*_`~[](){}<>!&|\\-+=.:$\n", max_size=40))
def test_any_text_renders_as_one_paragraph_of_itself(text: str) -> None:
    wanted = " ".join(text.split())
    shown = render(inline(text))
    assert shown == (f"<p>{wanted}</p>" if wanted else "") or "<code>" in shown


def render(markdown: str) -> str:
    shown = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").enable("table").render(markdown).strip()
    return html.unescape(re.sub(r"&quot;", '"', shown))


ALPHABET = "ab1 #*_`~[](){}<>!&|\\-+=.:;,$/\"'\n中。" + "\xa0é"
PIECES = [
    "\\", "`", "``", "*", "**", "_", "__", "~~", "<img src=x>", "<!--", "-->", "<https://a.b>", "](https://evil.example/)",
    "![", "[", "[a]", "[1]", "[^2]", "[ 3 ]", "[1; 2]", "&lt;", "# ", " #", "- ", "1. ", "> ", "---", "===", "| a |", "x", " ",
    "中",
]  # fmt: skip
TYPED = st.one_of(st.text(alphabet=ALPHABET, max_size=40), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
INERT = {"text", "text_special", "code_inline", "softbreak"}
PLACES = ["{}", "# {}", "- {}", "> {}", "[1] {}. 2020", "- {} [1]"]


@pytest.mark.parametrize("place", PLACES)
@example("Vacuum \\`<img src=x onerror=alert(1)> [official site](https://evil.example/)\\`")
@example("*`a`*")
@example("a \\")
@given(TYPED)
@settings(max_examples=400, deadline=None)
def test_nothing_typed_becomes_markup(place: str, text: str) -> None:
    wanted = " ".join(text.split())
    if not wanted:
        return
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["strikethrough", "table"]).parse(place.format(inline(text)))
    (line,) = [token for token in tokens if token.type == "inline"]
    spans = line.children or []
    assert {span.type for span in spans} <= INERT
    assert [t.type for t in tokens if t.type.endswith("_open") or t.type in ("html_block", "fence", "hr")] == _openings(place)
    shown = "".join(span.content for span in spans)
    assert _letters(shown) == _letters(place.strip("#->").strip().format(wanted))


@given(TYPED)
def test_nothing_typed_looks_like_a_citation(text: str) -> None:
    outside = re.sub(r"`[^`]+`", "", inline(text).replace("\\\\", "").replace("\\`", ""))
    assert not re.search(r"(?<!\\)\[\s*\^?\d+(?:\s*[,;]\s*\d+)*\s*\]", outside)


def _openings(place: str) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(place.format("x"))
    return [token.type for token in tokens if token.type.endswith("_open")]


def _letters(text: str) -> str:
    """A text without ticks and spaces, which code spans take away."""
    return re.sub(r"[`\s]", "", text)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("详见 https://example.com/docs（中文说明）了解更多。", ["https://example.com/docs"]),
        ("来源：https://example.com/a。下一句", ["https://example.com/a"]),
        ("（https://a.example/1）和【https://b.example/2】", ["https://a.example/1", "https://b.example/2"]),
        ("See (https://a.example/x_(y)), then.", ["https://a.example/x_(y)"]),
        ("`https://a.example/`", []),
        ("*https://a.example/*", ["https://a.example/"]),
        ("javascript:alert(1) www.a.example", []),
    ],
)
def test_an_address_ends_where_it_does(text: str, links: list[str]) -> None:
    tokens = MarkdownIt("commonmark").parse(inline(text, rich=True))
    spans = tokens[1].children or []
    assert [span.attrs["href"] for span in spans if span.type == "link_open"] == links
    assert _letters("".join(span.content for span in spans)) == _letters(text)


@pytest.mark.parametrize(
    ("text", "bold"),
    [
        ("**结论：**本报告认为 **“量子优势”**尚未实现。", ["结论", "量子优势"]),
        ("* **具体：**与其说", ["具体"]),
        ("**（备注）**文字", ["备注"]),
        ("an **important** word", ["important"]),
        ("2 ** 3 ** 4 and a**b", []),
        ("` **x** `", []),
    ],
)
def test_bold_is_bold_next_to_chinese_too(text: str, bold: list[str]) -> None:
    spans = MarkdownIt("commonmark").parse(inline(text, rich=True))[1].children or []
    opened = [at for at, span in enumerate(spans) if span.type == "strong_open"]
    assert [spans[at + 1].content for at in opened] == bold


def test_prices_and_tildes_show_as_typed() -> None:
    text = "售价 $20，上一代 $30；约 ~5 元/吨，另 ~8 元"
    assert render(inline(text, rich=True)) == f"<p>{text}</p>"


RICH = INERT | {"strong_open", "strong_close", "link_open", "link_close"}


@given(TYPED)
@settings(max_examples=400, deadline=None)
def test_whatever_is_typed_rich_text_stays_one_line_without_hidden_links(text: str) -> None:
    tokens = (
        MarkdownIt("commonmark", {"html": True}).enable(["strikethrough", "table"]).parse(f"- {inline(text, rich=True)} [1]")
    )
    lines = [token for token in tokens if token.type == "inline"]
    assert len(lines) == 1
    spans = lines[0].children or []
    assert {span.type for span in spans} <= RICH
    for at, span in enumerate(spans):
        if span.type == "link_open":
            assert span.markup == "autolink"
            assert spans[at + 1].content in text

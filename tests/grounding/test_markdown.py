import html
import re

import pytest
from hypothesis import given
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

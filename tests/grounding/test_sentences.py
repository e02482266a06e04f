from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.grounding.sentences import split


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["One is here.", "Two is there!", "Is three?", "Yes."],
        ["It costs 3.5 dollars, e.g. in Fig. 3 of Dr. Smith.", "Next one."],
        ["The U.S. Army said so.", "Python 3.11 is out."],
        ["He lives in the U.S.", "The other does not."],
        ["J. R. Smith wrote foo.c and setup.py.", "It works."],
        ["He said “Stop.”", "Then he left."],
        ["Rows are locked (see the notes. They are long) until commit.", "Good."],
        ["It is good...", "Really."],
        ["Wait … and see."],
        ["Use it with care.", "pg_dump writes a file."],
        ["1. The first item stays whole."],
        ["他说：“好。”", "然后走了！", "真的？"],
        ["版本 3.11 发布。", "见 foo.conf 文件。"],
        ["这是 e.g. 例子。"],
    ],
)
def test_splits_where_a_reader_would(sentences: list[str]) -> None:
    joint = "" if sentences[0][-1] in "。！？”" and not sentences[0].isascii() and "Stop" not in sentences[0] else " "
    assert cut(joint.join(sentences)) == sentences


def test_a_wrapped_line_is_white_space() -> None:
    assert cut("It goes on\nover two lines. And\nends.") == ["It goes on\nover two lines.", "And\nends."]


def test_blank_text_has_no_sentence() -> None:
    assert split(" \n ") == []


@given(st.text(alphabet="ab A.!?。()（） \n1\"'", max_size=80))
def test_sentences_are_in_order_and_lose_nothing_but_white_space(text: str) -> None:
    spans = split(text)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())

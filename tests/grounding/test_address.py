"""One page under many addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.grounding.address import address_key

SAME = [
    [
        "https://e.com/a", "https://e.com/a/", "http://e.com/a", "https://www.e.com/a?utm_source=x&fbclid=1", "https://e.com/a#s2",
        "HTTPS://E.com:443/a",
    ],
    [
        "https://arxiv.org/abs/2401.00001", "http://arxiv.org/pdf/2401.00001v2", "https://www.arxiv.org/pdf/2401.00001v3.pdf",
        "https://doi.org/10.48550/arXiv.2401.00001",
    ],
    ["https://doi.org/10.1000/AbC", "http://dx.doi.org/10.1000/abc"],
    ["https://e.com/%E9%87%8F", "https://e.com/量"],
]  # fmt: skip


@pytest.mark.parametrize("addresses", SAME)
def test_one_page(addresses: list[str]) -> None:
    assert len({address_key(address) for address in addresses}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://e.com/p?id=1", "https://e.com/p?id=2"), ("https://e.com/#/a", "https://e.com/#/b"),
        ("https://e.com/#!/a", "https://e.com/#!/b"), ("https://e.com/a", "https://f.com/a"),
        ("https://e.com/a", "https://e.com:8080/a"),
        ("https://e.com/A", "https://e.com/a"), ("https://e.com/p?x=1&utm=2&x=", "https://e.com/p?x=1&x="),
        ("https://arxiv.org/abs/2401.00001", "https://arxiv.org/abs/2401.00002"), ("docs/a.md", "docs/a.md/"),
    ],
)  # fmt: skip
def test_two_pages(one: str, other: str) -> None:
    assert address_key(one) != address_key(other)


@given(st.text(max_size=60))
def test_any_text_has_a_key(text: str) -> None:
    assert isinstance(address_key(f"http://{text}"), str)
    assert address_key(address_key(text)) == address_key(text) or text.lower().startswith("http")

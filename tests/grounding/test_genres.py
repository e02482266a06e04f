import pytest

from leadline.grounding.genres import find_genre


@pytest.mark.parametrize(
    ("address", "genre"),
    [
        ("https://arxiv.org/abs/2401.00001", "paper"),
        ("https://www.nist.gov/x", "official"),
        ("https://cs.uni.edu/x", "official"),
        ("https://stackoverflow.com/q/1", "forum"),
        ("https://forum.example.org/t/1", "forum"),
        ("https://www.reuters.com/x", "news"),
        ("https://blog.example.org/x", "blog"),
        ("https://zh.wikipedia.org/wiki/X", "reference"),
        ("https://docs.python.org/3/", "reference"),
        ("https://x.com/a/status/1", "social"),
        ("https://box.com/a", ""),
        ("https://example.org/a", ""),
        ("manual/vacuum.html", ""),
    ],
)
def test_the_genre_of_an_address(address: str, genre: str) -> None:
    assert find_genre(address) == genre

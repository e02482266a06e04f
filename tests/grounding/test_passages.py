from leadline.grounding.passages import split_page
from leadline.records import Page

TEXT = """# Head

Para one is
wrapped. Two here.

- item one. More
  continued
- two

```sh
ls -l

echo # not a heading
```
a | b
---|---
c | d

## Second
last"""


def split(text: str) -> list[tuple[str, str, str]]:
    return [(p.kind, p.heading, p.text) for p in split_page(Page(id="p", address="a", text=text), 3)]


def test_reads_the_structure_of_a_page() -> None:
    assert split(TEXT) == [
        ("heading", "Head", "Head"),
        ("prose", "Head", "Para one is\nwrapped."),
        ("prose", "Head", "Two here."),
        ("item", "Head", "item one."),
        ("item", "Head", "More\n  continued"),
        ("item", "Head", "two"),
        ("code", "Head", "ls -l\n\necho # not a heading"),
        ("table", "Head", "a | b"),
        ("table", "Head", "c | d"),
        ("heading", "Second", "Second"),
        ("prose", "Second", "last"),
    ]


def test_offsets_are_exact_and_labels_count() -> None:
    page = Page(id="p", address="a", text=TEXT)
    passages = split_page(page, 3)
    assert all(page.text[p.start : p.end] == p.text for p in passages)
    assert [p.label for p in passages] == [f"3.{n}" for n in range(1, len(passages) + 1)]


def test_a_fence_that_is_never_closed_is_code_to_the_end() -> None:
    assert split("```\ncode\n# still code") == [("code", "", "code\n# still code")]


def test_an_empty_page_has_no_passages() -> None:
    assert split("") == split(" \n\n ") == split("```\n```") == []

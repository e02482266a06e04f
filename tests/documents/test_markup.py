import pytest

from leadline.documents import read_document

MARKDOWN = """\
---
title: "A guide"
author: Ada Lovelace
date: 2022-10-12
tags: [x]
---

# Storage

Rows are **kept** in [pages](https://example.org/p "t") of `8 kB`,
see <https://example.org>.[^1] ![a chart](c.png)

- first
- second
  - nested

1. one

> quoted words

```sql
SELECT *;
```

| name | size |
|------|------|
| a    | **8** |

<p align="center">In <b>HTML</b> <span style="x">too</span>.</p><!-- secret -->

[1]: https://evil.example/
[^1]: A footnote.
"""


def test_markdown() -> None:
    document = read_document(MARKDOWN.encode(), "a.md")
    assert document.text == (
        "# Storage\n\nRows are kept in pages of 8 kB, see https://example.org.\n\n- first\n- second\n- nested\n- one\n\n"
        "quoted words\n\n"
        "```\nSELECT *;\n```\n\nname | size\na | 8\n\nIn HTML too.\n\nA footnote."
    )
    assert (document.title, document.authors, document.date) == ("A guide", ("Ada Lovelace",), "2022-10-12")


@pytest.mark.parametrize(
    ("field", "authors"),
    [
        ("author: Ada", ("Ada",)),
        ("authors: [Ada, 'Alan Turing']", ("Ada", "Alan Turing")),
        ("authors:\n  - Ada\n  - Alan Turing", ("Ada", "Alan Turing")),
        ("other: x", ()),
    ],
)
def test_authors_in_front_matter(field: str, authors: tuple[str, ...]) -> None:
    assert read_document(f"---\n{field}\n---\n# Title\n\nText.\n".encode(), "a.md").authors == authors


RESTRUCTURED = """\
:Author: Ada Lovelace
:Date: 2022-10-12

=======
Storage
=======

.. _pages:

Pages
-----

Rows are *kept* in **pages** of ``8 *kB*``, see :ref:`the map <map>`, :func:`~os.path.join`
and `the site <https://example.org>`_ [1]_. |name| is fast::

    SELECT 1;

.. note:: Mind the gap.

.. versionadded:: 3.2
   The argument.

.. toctree::

   other

.. function:: run(coro)

   Run the coroutine.

   :param coro: what to run

* first
  goes on
* second

term
    Its definition.

=====  ====
name   size
=====  ====
a      8
=====  ====

.. |name| replace:: PostgreSQL
.. a comment
   that goes on
"""


def test_restructured_text() -> None:
    document = read_document(RESTRUCTURED.encode(), "a.rst")
    assert document.text == (
        "# Storage\n\n## Pages\n\nRows are kept in pages of 8 *kB*, see the map, join and the site. PostgreSQL is fast:\n\n"
        "```\nSELECT 1;\n```\n\nMind the gap.\n\nNew in version 3.2: The argument.\n\n- run(coro): Run the coroutine.\n"
        "- param coro: what to run\n- first goes on\n- second\n- term: Its definition.\n\nname | size\na | 8"
    )
    assert (document.title, document.authors, document.date) == ("Storage", ("Ada Lovelace",), "2022-10-12")


def test_directives_tell_restructured_text_whatever_the_suffix() -> None:
    text = "Title\n=====\n\n.. note:: One.\n\n.. code-block:: sql\n\n   SELECT 1;\n"
    assert read_document(text.encode(), "a.txt").text == "# Title\n\nOne.\n\n```\nSELECT 1;\n```"


def test_nesting_without_end_is_read_without_recursion_error() -> None:
    text = "\n\n".join(" " * depth + "* x" for depth in range(0, 2400, 2))
    assert read_document(text.encode(), "a.rst").text


METADATA = """\
Metadata-Version: 2.1
Name: demo
Version: 1.2
Summary: Does things
Author-email: Ada Lovelace <ada@example.org>, x@example.org
Description-Content-Type: {kind}

# Demo

It does **things**.
"""


def test_package_metadata() -> None:
    document = read_document(METADATA.format(kind="text/markdown").encode(), "METADATA")
    assert document.title == "demo 1.2 — Does things"
    assert document.authors == ("Ada Lovelace",)
    assert document.text == "# demo 1.2\n\nDoes things\n\n# Demo\n\nIt does things."


def test_package_metadata_with_its_description_in_the_head() -> None:
    head = "Metadata-Version: 1.1\nName: old\nVersion: 1\nSummary: Old\nAuthor: Ada\n"
    text = f"{head}Description: Title\n        =====\n        \n        Text.\n"
    assert read_document(text.encode(), "PKG-INFO").text == "# old 1\n\nOld\n\n# Title\n\nText."


@pytest.mark.parametrize(
    ("data", "name", "text"),
    [
        (b"<!DOCTYPE html><p>By its bytes.", "a.txt", "By its bytes."),
        (b"<?xml version='1.0'?><html><body><p>XHTML</p></body></html>", "a", "XHTML"),
        (b"<p>A piece of a page.</p>", "a.html", "A piece of a page."),
        (b"No markup at all, 1 < 2.", "a.html", "No markup at all, 1 < 2."),
        (b"# not Markdown\n\nText.", "a.md", "# not Markdown\n\nText."),
    ],
)
def test_bytes_decide_and_suffixes_break_ties(data: bytes, name: str, text: str) -> None:
    assert read_document(data, name).text == text


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display:none'>secret</p>",
        "<div style='position:absolute;left:-9999px'>secret</div>",
        "Some <span style='display:none'>secret</span> words.",
        "Some <b hidden>secret</b> words.",
    ],
)
def test_what_html_within_markdown_hides_is_not_read(hidden: str) -> None:
    text = read_document(f"Before & after.\n\n{hidden}\n\nAfter.\n".encode(), "a.md").text
    assert "secret" not in text
    assert "Before & after." in text
    assert "words" in text or "words" not in hidden

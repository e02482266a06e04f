import pytest

from leadline.documents import read_document

WRAPPED = """\
The Title
=========

Introduction
------------

    PostgreSQL keeps dead rows until they are vacuumed, and so a table
    that is often updated grows. The file to look at is called "/etc/
    postgresql.conf", and the command to look at is called vacuumdb
    (1). Both are described in more detail in the chapters below, from
    where they are explained.

      * The first item is long enough that it has to be wrapped on to a
        second line.

      * The second is short.

          + It has an item of its own.

    $ vacuumdb --all
    vacuumdb: vacuuming database "postgres"

2.1. Numbered headings

    +------------------+
    | name   | what it |
    |        | does    |
    |--------+---------|
    |a | b   | 数据    |
    +------------------+

    1. Ordered.
    2. Items.
"""


def test_layout_becomes_light_markdown() -> None:
    assert read_document(WRAPPED.encode(), "a.txt").text == (
        "# The Title\n\n## Introduction\n\n"
        "PostgreSQL keeps dead rows until they are vacuumed, and so a table that is often updated grows. "
        'The file to look at is called "/etc/postgresql.conf", and the command to look at is called vacuumdb(1). '
        "Both are described in more detail in the chapters below, from where they are explained.\n\n"
        "- The first item is long enough that it has to be wrapped on to a second line.\n- The second is short.\n"
        "- It has an item of its own.\n\n"
        '```\n$ vacuumdb --all\nvacuumdb: vacuuming database "postgres"\n```\n\n'
        "## 2.1. Numbered headings\n\nname | what it does\na ¦ b | 数据\n\n- Ordered.\n- Items."
    )


def test_wrapped_chinese_is_joined_without_spaces() -> None:
    text = (
        "    Debian 系统是一个多任务的操作系统。后台任务让用户能够在一个 shell\n"
        "    中执行多个程序。后台进程的管理涉及内建命令，以及用户对进程的各种控\n"
        "    制方式，请阅读相关的章节来了解更多内容，这里不再一一说明它们的细节\n"
        "    和用法。\n"
    )
    assert read_document(text.encode(), "a.txt").text == (
        "Debian 系统是一个多任务的操作系统。后台任务让用户能够在一个 shell 中执行多个程序。"
        "后台进程的管理涉及内建命令，以及用户对进程的各种控制方式，请阅读相关的章节来了解更多内容，这里不再一一说明它们的细节和用法。"
    )


def test_unwrapped_lines_are_paragraphs() -> None:
    long = (
        "This line is a whole paragraph and goes on and on well past any width that text is wrapped at, as editors now do it."
    )
    assert read_document(f"{long}\n{long}\n".encode(), "a.txt").text == f"{long}\n\n{long}"


def test_a_table_of_contents_is_left_out() -> None:
    text = "Guide\n\nTable of Contents\n\n1. One\n    1.1. More\n2. Two\n\n1. One\n\n    The text is here.\n"
    assert read_document(text.encode(), "a.txt").text == "Guide\n\n# 1. One\n\nThe text is here."


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Debian Reference\n\nThe text begins here.\n", "Debian Reference"),
        ("Title: A report\nAuthor: Ada Lovelace\nDate: 2022-10-12\n\nThe text.\n", "A report"),
        ("A long first paragraph, " * 20, ""),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert read_document(text.encode(), "a.txt").title == title


def test_facts_at_the_top() -> None:
    document = read_document(b"Title: A report\nAuthor: Ada Lovelace; Alan Turing\nDate: 12 October 2022\n\nThe text.\n", "a")
    assert (document.authors, document.date) == (("Ada Lovelace", "Alan Turing"), "2022-10-12")


def test_a_table_of_contents_as_a_list_is_left_out() -> None:
    titles = "\n\n".join(f"* {number}. Title of a part" for number in ("1", "1.1", "1.2", "2", "2.1"))
    assert read_document(f"{titles}\n\nThe text is here.\n".encode(), "a.txt").text == "The text is here."


def test_stress_and_words_cut_at_their_hyphen() -> None:
    text = "A *control file* is read on a case-\nby-case basis, pre-\nand post-install, see /usr/*/x and *.deb.\n"
    assert read_document(text.encode(), "a.txt").text == (
        "A control file is read on a case-by-case basis, pre- and post-install, see /usr/*/x and *.deb."
    )


def test_marks_of_footnotes_are_left_out() -> None:
    text = "The words must and must not are strict. [2] See array[1] too.\n\n[2] Compare the standard.\n"
    assert read_document(text.encode(), "a.txt").text == (
        "The words must and must not are strict. See array[1] too.\n\nCompare the standard."
    )

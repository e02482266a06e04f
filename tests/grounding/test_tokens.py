import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
import Stemmer

from leadline.grounding.tokens import index_text, query_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The databases are running", ["databas", "run"]),
        ("E85 gives 1,025 hp, 12% more than 3.11", ["e85", "give", "1025", "hp", "12%", "3.11"]),
        ("软件包", ["软件", "件包"]),
        ("用", ["用"]),
        ("用apt安装", ["用", "apt", "安装"]),
        ("ＡＰＴ　２０２３", ["apt", "2023"]),
        ("max_connections", ["max", "connect"]),
        ("café naïve", ["café", "naïv"]),
        ("...", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_terms_repeat_as_often_as_they_stand_there() -> None:
    assert terms("row by row, rows") == ["row", "row", "row"]


def test_query_terms_come_once_and_without_stop_words() -> None:
    assert query_terms("What is the row of the row?") == ["row"]


def test_a_query_of_stop_words_keeps_them() -> None:
    assert query_terms("to be or not to be") == ["to", "be", "or", "not"]


@pytest.mark.parametrize(
    ("document", "query"),
    [
        ("Installing packages with 1,025 options", "install package"),
        ("使用软件包管理系统", "软件包"),
        ("It costs 1,025 dollars", "1,025"),
        ("版本 3.11 已发布", "3.11 发布"),
        ("한국어 문서", "문서"),
    ],
)
def test_indexed_text_is_found_by_its_query_terms(document: str, query: str) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(body, tokenize='porter unicode61')")
    database.execute("INSERT INTO texts VALUES (?)", (index_text(document),))
    wanted = " AND ".join(f'"{term}"' for term in query_terms(query))
    assert database.execute("SELECT count(*) FROM texts WHERE texts MATCH ?", (wanted,)).fetchone() == (1,)
    database.close()


def test_threads_do_not_disturb_each_other() -> None:
    stems = ["relat", "condit", "digit", "oper", "sensit", "commun", "nation", "hope", "formal", "electr"]
    endings = ["ional", "ation", "izer", "ators", "ivities", "edly", "fulness", "ousness", "ically", "iveness"]
    words = [f"{stem}{letter}{ending}" for letter in "abcdefghijklmnop" for stem in stems for ending in endings]
    with ThreadPoolExecutor(8) as pool:
        threaded = list(pool.map(terms, words, chunksize=1))
    fresh = Stemmer.Stemmer("english")
    assert threaded == [[fresh.stemWord(word)] for word in words]

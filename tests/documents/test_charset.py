import gzip

import pytest

from leadline.documents import read_document
from leadline.errors import DocumentError

SAMPLES = {
    "zh": "数据库管理系统支持并发事务，并且保证数据的一致性。调试器可以在程序运行时检查变量的值。",
    "zh-Hant": "資料庫管理系統支援並行交易，並且保證資料的一致性。這個程式可以在執行時檢查變數的值。",
    "ja": "データベース管理システムは同時実行トランザクションをサポートし、データの一貫性を保証します。",
    "ko": "데이터베이스 관리 시스템은 동시 트랜잭션을 지원하며 데이터의 일관성을 보장한다.",
    "fr": "Le système de gestion de bases de données garantit la cohérence. Où êtes-vous allé l’été dernier ?",
    "ru": "База данных хранит строки, а сборщик мусора возвращает место. Ключ помогает найти запись быстро.",
    "de": "Größe und Übermaß: die Straße führt über die Brücke.",
}
ENCODINGS = [
    ("zh", "gb18030"), ("zh", "gbk"), ("zh-Hant", "big5"), ("ja", "shift_jis"), ("ja", "euc_jp"), ("ja", "iso2022_jp"),
    ("ko", "euc_kr"), ("fr", "cp1252"), ("de", "latin-1"), ("ru", "cp1251"),
    ("ru", "koi8_r"), ("ru", "cp866"), ("zh", "utf-8"), ("fr", "utf-8-sig"),
    ("zh", "utf-16"), ("de", "utf-32"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "encoding"), ENCODINGS)
@pytest.mark.parametrize("repeated", [1, 200])
def test_text_without_a_label_is_decoded(language: str, encoding: str, repeated: int) -> None:
    text = "\n\n".join([SAMPLES[language]] * repeated)
    assert read_document(text.encode(encoding), "a.txt").text == text


@pytest.mark.parametrize(("language", "encoding"), [pair for pair in ENCODINGS if pair[1] not in ("utf-16", "utf-32")])
@pytest.mark.parametrize("length", [4, 8, 12, 20])
def test_a_few_characters_are_enough(language: str, encoding: str, length: int) -> None:
    text = SAMPLES[language][:length].strip()
    assert read_document(text.encode(encoding), "a").text == text


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("language", SAMPLES)
def test_utf16_without_a_mark_is_told_from_binary(order: str, language: str) -> None:
    text = f"PostgreSQL 15\n\n{SAMPLES[language]}"
    assert SAMPLES[language] in read_document(text.encode(order), "a.txt").text


@pytest.mark.parametrize("label", ["gb2312", "GBK", "gb18030"])
def test_a_page_labelled_gb2312_is_read_as_its_superset(label: str) -> None:
    page = f'<html><head><meta charset="{label}"><title>题</title></head><body><p>朱镕基说：喆堃㛃。</p></body></html>'
    assert "朱镕基说：喆堃㛃。" in read_document(page.encode("gb18030"), "a.html").text


def test_a_wrong_label_does_not_win_over_the_bytes() -> None:
    page = f"<html><head><meta charset=iso-8859-1></head><body><p>{SAMPLES['zh']}</p></body></html>"
    assert SAMPLES["zh"] in read_document(page.encode("gb18030"), "a.html").text
    assert SAMPLES["zh"] in read_document(page.encode("utf-8"), "a.html").text


@pytest.mark.parametrize("label", ["unicode_escape", "gb", "windows-9999"])
def test_an_unknown_label_is_passed_over(label: str) -> None:
    page = f"<html><head><meta charset={label}></head><body><p>{SAMPLES['fr']}</p></body></html>"
    assert SAMPLES["fr"] in read_document(page.encode("cp1252"), "a.html").text


def test_a_few_damaged_bytes_are_forgiven() -> None:
    text = SAMPLES["zh"] * 20
    damaged = text.encode() + b"\xff\xfe" + "结束。".encode()
    assert SAMPLES["zh"] in read_document(damaged, "a.txt").text


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b" \n\t\r\n ", "empty"),
        ("\ufeff\u200b".encode(), "empty"),
        (b"---\n***\n", "empty"),
        (bytes(range(256)) * 40, "binary"),
        (b"\x00" * 5000, "binary"),
        (b"%PDF-1.7\n1 0 obj", "unreadable"),
        (b"PK\x03\x04 and more", "binary"),
        (b"\x89PNG\r\n\x1a\n", "binary"),
        (b"x" * (20 * 1024 * 1024 + 1), "too large"),
        (gzip.compress(b"x" * (64 * 1024 * 1024), mtime=0), "too large"),
        (gzip.compress(b"words " * 1000, mtime=0)[:40], "unreadable"),
        (b"\x1f\x8b\x08\x00 no gzip at all", "unreadable"),
        (gzip.compress(b"\x00\x01" * 500, mtime=0), "binary"),
    ],
)
def test_what_is_no_text_says_why(data: bytes, kind: str) -> None:
    with pytest.raises(DocumentError) as failure:
        read_document(data, "a.txt")
    assert failure.value.kind == kind


def test_gzip_of_several_members_is_read_to_its_end() -> None:
    data = gzip.compress(b"The first part.\n\n", mtime=0) + gzip.compress(b"The second part.\n", mtime=0)
    assert read_document(data, "a.txt.gz").text == "The first part.\n\nThe second part."

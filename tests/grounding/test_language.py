import pytest

from leadline.grounding.language import count_cjk, detect, is_cjk


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("How does VACUUM work?", "en"),
        ("PostgreSQL MVCC", "en"),
        ("", "en"),
        ("如何安装软件包", "zh"),
        ("LVM 快照是什么", "zh"),
        ("如何安裝軟體套件", "zh-Hant"),
        ("ハードディスクの暗号化", "ja"),
        ("디스크 암호화 방법", "ko"),
        ("Как работает индекс", "ru"),
        ("Wie funktioniert der Index und was ist zu tun", "de"),
        ("Comment installer les paquets dans le système", "fr"),
        ("¿Cómo se instala el paquete para la red?", "es"),
    ],
)
def test_detects_the_language_of_a_question(text: str, tag: str) -> None:
    assert detect(text) == tag


def test_a_chinese_text_with_many_english_names_is_chinese() -> None:
    assert detect("在 Debian 系统中使用 apt-get 和 aptitude 管理软件包") == "zh"


@pytest.mark.parametrize(
    ("char", "answer"), [("中", True), ("カ", True), ("한", True), ("a", False), ("。", False), ("é", False)]
)
def test_knows_characters_without_spaces_between_words(char: str, answer: bool) -> None:
    assert is_cjk(char) is answer


def test_counts_cjk_characters() -> None:
    assert count_cjk("用 apt 安装") == 3
    assert count_cjk("plain") == 0


def test_names_in_a_chinese_question_do_not_make_it_english() -> None:
    assert detect("Debian 的 stable、testing 和 unstable 有什么区别?") == "zh"
    assert detect("What does 你好 mean in English?") == "en"


@pytest.mark.parametrize(
    "question",
    [
        "How do I encrypt a disk?",
        "Do I need to do it?",
        "Is it per user or not?",
        "When should I use asyncio?",
        "vacuum",
        "Who am I?",
    ],
)
def test_short_english_questions_are_english(question: str) -> None:
    assert detect(question) == "en"

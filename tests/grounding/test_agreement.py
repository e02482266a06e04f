import pytest

from leadline.grounding.agreement import conflict, same


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        ("Rows are locked.", "Rows are locked.", True),
        ("Rows are “locked”.", 'rows are "locked".', True),
        ("The engine has 1,025 hp on E85 fuel.", "The engine has 1025 hp on E85 fuel.", True),
        ("The engine has 1,025 hp on E85 fuel.", "The engine has 900 hp on E85 fuel.", False),
        ("The lock is held until commit.", "The lock is not held until commit.", False),
        ("VACUUM removes dead rows.", "VACUUM removes dead rows and truncates the table's last empty pages.", False),
        ("使用 apt 安装软件包。", "使用 apt 安装软件包", True),
        ("使用 apt 安装软件包。", "使用 dpkg 删除配置文件。", False),
    ],
)
def test_same(a: str, b: str, answer: bool) -> None:
    assert same(a, b) is answer
    assert same(b, a) is answer


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        ("The default trigger is 20 % of the table.", "The default trigger is 10 % of the table.", True),
        ("The company was founded in Berlin in 1983.", "The company was founded in Berlin in 1985.", True),
        ("Autovacuum is enabled by default on new clusters.", "Autovacuum is disabled by default on new clusters.", True),
        ("The table is locked while the index is built.", "The table is not locked while the index is built.", True),
        ("该公司 2023 年营收增长 12%。", "该公司 2023 年营收增长 15%。", True),
        ("Changed in version 3.8.1: the flag was added.", "Changed in version 3.9.1: the flag was added.", False),
        ("The default trigger is 20 % of the table.", "The default trigger is 20 % of the table.", False),
        ("The engine has 1,025 hp on E85 fuel.", "The other engine of the car has 900 hp on gasoline.", False),
        ("It was 5 MB.", "It was 6 MB.", False),
        ("The new bridge of Riga was finished in March 2019.", "The new bridge of Riga was finished in June 2021.", True),
    ],
)
def test_conflict(a: str, b: str, answer: bool) -> None:
    assert conflict(a, b) is answer
    assert conflict(b, a) is answer

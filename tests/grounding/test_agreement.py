import pytest

from leadline.grounding.agreement import same


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

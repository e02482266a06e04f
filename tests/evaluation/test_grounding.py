import json
from pathlib import Path

import pytest

from leadline.cli import run
from leadline.errors import SourceError
from leadline.evaluation.grounding import measure, read_floors
from leadline.evaluation.samples import read_samples

PAGES = {
    "vacuum.md": """# Vacuum

VACUUM reclaims the storage that is occupied by dead tuples. The autovacuum daemon is started every 60 seconds by default. A plain
vacuum does not return the space to the operating system. The table is locked while VACUUM FULL rewrites it to a new file. Larger
tables need more time than smaller tables because every page is read. The visibility map was added in October 2009 to skip pages.
""",
    "index.md": """# Index

A B-tree index can handle equality queries and range queries on sorted data. The planner will not use an index when the table is
small. Each index is updated before the transaction is committed to the log. A hash index needs 16 bytes for every entry of the
table. An index scan is faster than a sequential scan when few rows are selected. GiST indexes were used by PostGIS since 2001.
""",
    "wal.md": """# Log

The write-ahead log is written before any change reaches the data files. Each segment of the log has a size of 16 MB by default.
The server cannot start when a segment of the log is missing. A checkpoint is made after 5 minutes or when the log has grown. The
archiver copies every segment that has been completed to another place. Replication was shown by NTT in March 2008 for the first time.
""",
    "lock.zh.md": """# 锁

事务会一直持有锁，直到提交或者回滚为止。默认情况下死锁检测在等待 1 秒之后开始。普通的查询语句不会阻塞其他会话的写入操作。服务器可以同时处理 100 个客户端连接请求。
管理员应该在升级之前备份所有的数据文件。共享锁允许其他事务读取同一行的数据内容。
""",
    "backup.zh.md": """# 备份

完整备份应该每周在服务器空闲的时候执行一次。增量备份只会保存上次备份之后修改过的文件。恢复过程通常需要 30 分钟才能够完成全部操作。备份文件不能与数据库文件放在同一块磁盘上。
日志归档功能从 2005 年开始就可以使用了。压缩之后的备份比原始文件更小而且传输更快。
""",
}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_floors_hold_on_a_corpus_of_our_own(documents: Path) -> None:
    rates = measure(documents)
    assert {rate.sample for rate in rates} == {"by hand", "own en", "own zh"}
    assert {rate.name for rate in rates} >= set(read_floors()) - {"group"}
    assert [rate for rate in rates if not rate.holds] == []


def test_the_same_documents_give_the_same_sample(documents: Path) -> None:
    first, second = read_samples(documents), read_samples(documents)
    assert [s.text for one in first for s in one.statements] == [s.text for one in second for s in one.statements]


def test_a_folder_without_sentences_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Short.", encoding="utf-8")
    with pytest.raises(SourceError, match="no page with sentences"):
        read_samples(tmp_path)


def test_the_command_prints_each_rate_beside_its_floor(
    documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "figures.json"
    assert run(["eval", "grounding", "--data", str(documents), "-o", str(out)]) == 0
    assert "untouched" in capsys.readouterr().out
    assert {rate["name"] for rate in json.loads(out.read_text(encoding="utf-8"))} >= {"shuffled", "mutated"}

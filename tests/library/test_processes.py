"""Several processes open the same library at once."""

import subprocess
import sys
from pathlib import Path

CHILD = """
import asyncio, sys
from pathlib import Path
from leadline.library import Library
from leadline.records import Query

async def main():
    library = await Library.open([sys.argv[1]], Path(sys.argv[2]))
    print(len(library), [hit.address for hit in await library.search(Query(text="zebra 17", limit=1))])

asyncio.run(main())
"""


def test_processes_share_an_index(tmp_path: Path, home: Path) -> None:
    top = tmp_path / "docs"
    top.mkdir()
    for number in range(300):
        (top / f"{number}.txt").write_text(f"Zebra number {number} has stripes.\n" * 20, encoding="utf-8")
    command = [sys.executable, "-c", CHILD, str(top), str(home)]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert {child.communicate(timeout=120)[0] for child in children} == {"300 ['17.txt']\n"}

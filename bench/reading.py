"""Reading pages and documents: `LEADLINE_TEST_DOCS=… python -m bench.reading`. The pages are those of `bench.provider`, in a
process of its own.

`extract_ms`: a page of 50 KB to its text, the median over the pages, each page's fastest of some tries. `pdf_ms_per_page`:
Debian's reference (261 pages), of `debian-reference-en`, unpacked in LEADLINE_TEST_DOCS (`dpkg-deb -x`); not measured without.
`pages100_s`: 100 pages of 50 KB on 30 hosts that answer after 0.3 s, robots.txt included, fetched, read and saved with the
default limits. `pages100_again_s`: the same pages once more in the same process, when none has changed.
`rss_growth_2000_pages_mb`: memory after 2,000 pages more than after the first 100. `hostile_body_mb`: rise of the peak of
memory through an endless body and a gzip bomb.
"""

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from bench.figures import Figure, print_figures
from bench.provider import HOSTS, PAGES, address, make_page
from leadline.documents import read_document
from leadline.documents.web_page import prepare, read_web_page
from leadline.network import Gate, open_client
from leadline.reading import Fetcher, WebReader
from leadline.records import Hit, NotRead
from leadline.store import open_store

AT_ONCE = 25
"""Pages that a run of 5 todos reads at once."""

MB = 1024**2
REFERENCE = "usr/share/debian-reference/debian-reference.en.pdf"
TRIES = 3


def measure_extraction() -> float:
    """Return ms a page."""
    read_web_page(make_page(0), "https://example.org/")
    return statistics.median(min(_time_page(make_page(number)) for _ in range(TRIES)) for number in range(20))


def _time_page(page: bytes) -> float:
    start = time.perf_counter()
    read_web_page(page, "https://example.org/")
    return (time.perf_counter() - start) * 1000


def measure_pdf(path: Path) -> float:
    """Return ms a page, the fastest of some tries after the first, which starts the worker."""
    return min([_time_pdf(path) for _ in range(TRIES + 1)][1:])


def _time_pdf(path: Path) -> float:
    start = time.perf_counter()
    document = read_document(path.read_bytes(), path.name)
    return (time.perf_counter() - start) * 1000 / len(document.pages)


@contextmanager
def started_provider(*options: str) -> Iterator[int]:
    """Run the provider in a process of its own and yield its port."""
    command = [sys.executable, "-m", "bench.provider", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


@asynccontextmanager
async def opened_reader(port: int, home: Path) -> AsyncIterator[WebReader]:
    """Open a reader over a store of its own."""
    async with await open_store(home) as store, open_client(Gate([(host, port) for host in HOSTS])) as client:
        fetcher = Fetcher(client)
        yield WebReader(fetcher, store.snapshots("bench"))
        await fetcher.close()


async def read(reader: WebReader, addresses: Sequence[str], at_once: int) -> float:
    """Read pages and return the seconds."""
    turns = asyncio.Semaphore(at_once)

    async def read_one(url: str) -> None:
        async with turns:
            answer = await reader.read(Hit(backend="bench", address=url))
        if isinstance(answer, NotRead):
            raise SystemExit(f"{url} was not read: {answer.reason}")

    began = time.perf_counter()
    await asyncio.gather(*map(read_one, addresses))
    return time.perf_counter() - began


async def measure_pages(port: int, home: Path) -> tuple[float, float]:
    """Return the seconds for 100 pages, and for the same ones again."""
    prepare()  # a run does so while its search is on its way
    addresses = [address(number, port) for number in range(100)]
    async with opened_reader(port, home) as reader:
        return await read(reader, addresses, 100), await read(reader, addresses, 100)


async def measure_growth(port: int, home: Path) -> float:
    """Return the MB that memory grows by while 2,000 pages are read."""
    async with opened_reader(port, home) as reader:
        addresses = [f"{address(number % PAGES, port)}?n={number}" for number in range(2100)]
        await read(reader, addresses[:100], AT_ONCE)
        before = find_resident()
        await read(reader, addresses[100:], AT_ONCE)
        return find_resident() - before


async def measure_hostile(port: int, home: Path) -> float:
    """Return the MB that the peak of memory rises by through bodies without an end."""
    async with opened_reader(port, home) as reader:
        await read(reader, [address(number, port) for number in range(10)], AT_ONCE)
        before = find_peak()
        for target in ("endless", "bomb"):
            answer = await reader.read(Hit(backend="bench", address=f"http://{HOSTS[0]}:{port}/{target}"))
            if not isinstance(answer, NotRead):
                raise SystemExit(f"/{target} was read")
        return find_peak() - before


def find_resident() -> float:
    """Return the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MB


def find_peak() -> float:
    """Return the most memory that this process ever had, in MB; `ru_maxrss` would count what its parent had."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024


MEASURES = {"growth": measure_growth, "hostile": measure_hostile}


def measure_apart(name: str, port: int) -> float:
    """Measure memory in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.reading", name, str(port)], check=True, stdout=subprocess.PIPE, text=True
    )
    return float(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure and print; with a name and a port as arguments, be the process that is measured."""
    with tempfile.TemporaryDirectory() as home:
        if len(sys.argv) == 3:
            print(asyncio.run(MEASURES[sys.argv[1]](int(sys.argv[2]), Path(home))))
            return
        with started_provider() as port:
            first, again = asyncio.run(measure_pages(port, Path(home)))
        with started_provider("--page", "0") as port:
            growth, hostile = measure_apart("growth", port), measure_apart("hostile", port)
    figures = [
        Figure("pages100_s", first, 2.5),
        Figure("pages100_again_s", again, 1.0),
        Figure("extract_ms", measure_extraction(), 35.0),
        Figure("rss_growth_2000_pages_mb", growth, 30.0),
        Figure("hostile_body_mb", hostile, 20.0),
    ]
    if documents := os.environ.get("LEADLINE_TEST_DOCS"):
        figures.append(Figure("pdf_ms_per_page", measure_pdf(Path(documents) / REFERENCE), 5.0))
    print_figures(figures)


if __name__ == "__main__":
    main()

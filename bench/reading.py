"""Reading documents: `LEADLINE_TEST_DOCS=… python -m bench.reading`.

Web pages are of 50 KB, made here: articles with the navigation, asides and scripts that sites put around them. The PDF is
Debian's reference (261 pages), of `debian-reference-en`, unpacked in LEADLINE_TEST_DOCS (`dpkg-deb -x`); without it no PDF is
measured.
"""

import os
import random
import statistics
import time
from pathlib import Path

from bench.figures import Figure, print_figures
from leadline.documents import read_document
from leadline.documents.web_page import read_web_page

REFERENCE = "usr/share/debian-reference/debian-reference.en.pdf"
PAGES = 20
TRIES = 3
PAGE_BYTES = 50_000
WORDS = """
water pump basin turbine night price power grid store hill valley hour loss cycle plant wind river dam tunnel head
""".split()  # noqa: SIM905 - one word a line would be a page


def make_page(seed: int) -> bytes:
    """Return a page whose text is about half of its bytes."""
    rng = random.Random(seed)

    def say(words: int) -> str:
        return " ".join(rng.choices(WORDS, k=words)).capitalize() + "."

    links = "".join(f'<li class="menu-item"><a href="/{n}?from=menu" title="{say(3)}">{say(2)}</a></li>' for n in range(60))
    article: list[str] = []
    while sum(map(len, article)) < PAGE_BYTES * 0.6:
        text = " ".join(say(rng.randrange(8, 24)) for _ in range(rng.randrange(2, 6)))
        article.append(f'<p class="text block-{len(article)}">{text} <a href="/x">{say(2)}</a></p>')
        if len(article) % 6 == 0:
            article.append(f"<h2 id='s{len(article)}'>{say(4)}</h2>")
    script = f"<script>window.data = {{{', '.join(f'k{n}: {n}' for n in range(600))}}};</script>"
    head = f"<head><title>{say(5)}</title>{script}</head>"
    main = f"<main><article><h1>{say(5)}</h1>{''.join(article)}</article></main>"
    body = f"<body><nav><ul>{links}</ul></nav>{main}<aside><ul>{links}</ul></aside><footer>{say(9)}</footer></body>"
    return f"<!DOCTYPE html><html>{head}{body}</html>".encode()


def measure_pages() -> float:
    """Return the median over the pages, each page's fastest of some tries, in ms."""
    pages = [make_page(seed) for seed in range(PAGES)]
    read_web_page(pages[0], "https://example.org/")  # the first one imports
    return statistics.median(min(_time_page(page) for _ in range(TRIES)) for page in pages)


def _time_page(page: bytes) -> float:
    start = time.perf_counter()
    read_web_page(page, "https://example.org/")
    return (time.perf_counter() - start) * 1000


def measure_pdf(path: Path) -> float:
    """Return ms per page, the fastest of some tries, with the worker started before."""
    data = path.read_bytes()
    figures = []
    for _ in range(TRIES + 1):
        start = time.perf_counter()
        document = read_document(data, path.name)
        figures.append((time.perf_counter() - start) * 1000 / len(document.pages))
    return min(figures[1:])


def main() -> None:
    """Measure and print."""
    figures = [Figure("extract_ms", measure_pages(), 35.0)]
    documents = os.environ.get("LEADLINE_TEST_DOCS")
    if documents:
        figures.append(Figure("pdf_ms_per_page", measure_pdf(Path(documents) / REFERENCE), 5.0))
    print_figures(figures)


if __name__ == "__main__":
    main()

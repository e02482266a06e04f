"""Libraries of 1,000, 10,000 and 100,000 documents of 10 passages each: time to index, size, time to search, memory."""

import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SIZES = (1_000, 10_000, 100_000)
PASSAGES = 10
QUERIES = 200

_WORDS, _SENTENCE = 40_000, 22
"""Different words, and words of a passage."""

_SYLLABLES = [consonant + vowel for consonant in "bdklmnrst" for vowel in "aeiou"]


@dataclass(frozen=True, slots=True)
class Scaled:
    """A library: seconds to index it, megabytes on disk, milliseconds of a search, and megabytes of memory at most."""

    documents: float
    index_s: float
    size_mb: float
    p50_ms: float
    p95_ms: float
    peak_mb: float


class Speech:
    """Made-up words, as frequent as those of a language are (Zipf): the first stands in nearly every passage."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        names = random.Random(1)
        self._words = list(dict.fromkeys("".join(names.choices(_SYLLABLES, k=names.randint(2, 5))) for _ in range(_WORDS)))
        self._sums = []
        total = 0.0
        for rank in range(len(self._words)):
            total += 1 / (rank + 2)
            self._sums.append(total)

    def say(self, count: int) -> list[str]:
        """Return words as a text has them."""
        return self._chance.choices(self._words, cum_weights=self._sums, k=count)

    def ask(self) -> str:
        """Return a question: three words as a text has them, two that are seldom."""
        return " ".join([*self.say(3), *self._chance.choices(self._words[500:], k=2)])


def write_library(folder: Path, count: int) -> None:
    """Write documents of ten sections, a thousand a folder. The same count gives the same documents."""
    speech = Speech(seed=2)
    for number in range(count):
        if number % 1000 == 0:
            place = folder / f"{number // 1000:03}"
            place.mkdir(parents=True)
        words = speech.say(PASSAGES * _SENTENCE)
        parts = (words[start : start + _SENTENCE] for start in range(0, len(words), _SENTENCE))
        sections = (f"## {part[0].title()} {part[1]}\n\n{' '.join(part[2:]).capitalize()}.\n" for part in parts)
        (place / f"{number}.md").write_text(f"# Document {number}\n\n" + "\n".join(sections), encoding="utf-8")


async def measure_scale(folder: Path, home: Path) -> Scaled:
    """Index a folder and search in it. In a process of its own, so that memory is that of this alone."""
    import resource

    from leadline.library import Library
    from leadline.records import Query

    start = time.perf_counter()
    library = await Library.open([str(folder)], home)
    index = time.perf_counter() - start
    speech = Speech(seed=3)
    times = []
    for _ in range(QUERIES):
        query = Query(text=speech.ask(), limit=100)
        start = time.perf_counter()
        hits = await library.search(query)
        times.append(1000 * (time.perf_counter() - start))
        if not hits:
            raise SystemExit(f"Nothing was found for {query.text!r}.")
    size = sum(path.stat().st_size for path in home.rglob("*") if path.is_file()) / 1024**2
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Scaled(len(library), index, size, statistics.median(times), statistics.quantiles(times, n=20)[-1], peak)


def name_growth(scales: Sequence[Scaled], name: str) -> str:
    """Return how a figure grows with the number of documents: the slope of its logarithm from the first to the last."""
    first, last = scales[0], scales[-1]
    power = math.log(getattr(last, name) / getattr(first, name)) / math.log(last.documents / first.documents)
    kind = (
        "hardly"
        if power < 0.25
        else "slower than the documents"
        if power < 0.9
        else "with the documents"
        if power < 1.1
        else "faster"
    )
    return f"n^{power:.2f}, {kind}"


def write_plot(scales: Sequence[Scaled]) -> str:
    """Return an SVG of index time, size and search time by documents, both axes logarithmic."""
    lines = []
    for row, (name, label) in enumerate((("index_s", "index, s"), ("size_mb", "size, MB"), ("p95_ms", "search p95, ms"))):
        points = [(90 + 130 * (math.log10(s.documents) - 3), 250 - 55 * math.log10(max(1.0, getattr(s, name)))) for s in scales]
        path = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
        dash = ("", "6 3", "2 3")[row]
        lines.append(f'<polyline points="{path}" fill="none" stroke="currentColor" stroke-dasharray="{dash}"/>')
        y = 40 + 18 * row
        lines.append(f'<path d="M370,{y - 4} h30" stroke="currentColor" stroke-dasharray="{dash}"/>')
        lines.append(f'<text x="408" y="{y}">{label}: {name_growth(scales, name)}</text>')
    lines += [
        f'<text x="{90 + 130 * (math.log10(s.documents) - 3):.0f}" y="270" text-anchor="middle">{s.documents:,.0f}</text>'
        for s in scales
    ]
    lines += [f'<text x="70" y="{254 - 55 * power}" text-anchor="end">{10**power:,}</text>' for power in range(5)]
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 290" {style}>\n' + "\n".join(lines) + "\n</svg>\n"

"""A thousand points checked against a hundred pages of 50 KB: `python -m bench.grounding`.

Every second point is a sentence of its page; the others have another number, fewer words or another order of them, or are of
another page. The pages are made up from a closed list of words, the same every time.
"""

import random
import time

from bench.figures import Figure, print_figures
from leadline.grounding.passages import split_page
from leadline.grounding.verdict import judge
from leadline.records import Page, Passage

PAGES, POINTS, SIZE = 100, 1000, 50_000
_WORDS = [
    f"{one}{two}"
    for one in ("ser", "ta", "ind", "que", "pla", "cac", "dis", "loc")
    for two in ("ver", "ble", "ex", "ry", "ner")
]
_VERBS = ["reads", "writes", "holds", "keeps", "removes", "updates", "creates", "returns", "checks", "sends", "waits", "needs"]


def make_pages(chance: random.Random) -> list[Page]:
    """Return pages of paragraphs of five sentences."""
    pages = []
    for number in range(PAGES):
        words = [*chance.sample(_WORDS, 30), *[f"term{number}x{i}" for i in range(40)]]
        paragraphs: list[str] = []
        while sum(map(len, paragraphs)) < SIZE:
            paragraphs.append(" ".join(_make_sentence(words, chance) for _ in range(5)))
        pages.append(Page(id=str(number), address=f"{number}.md", text="\n\n".join(paragraphs)))
    return pages


def _make_sentence(words: list[str], chance: random.Random) -> str:
    subject, *rest = chance.choices(words, k=chance.randint(8, 18))
    return f"The {subject} {chance.choice(_VERBS)} {chance.randint(2, 999)} {' '.join(rest)}."


def make_points(pages: list[Page], chance: random.Random) -> list[tuple[str, Page, Passage]]:
    """Return points with what they cite."""
    passages = {page.id: split_page(page, 1) for page in pages}
    points = []
    for number in range(POINTS):
        page = pages[number % PAGES]
        passage = chance.choice(passages[page.id])
        words = passage.text.split()
        changed = [
            passage.text,
            passage.text.replace(words[3], "1234", 1),
            passage.text,
            " ".join([*words[:4], *words[6:]]),
            passage.text,
            " ".join([*words[6:], *words[:6]]),
            passage.text,
            chance.choice(passages[pages[(number + 1) % PAGES].id]).text,
        ]
        points.append((changed[number % len(changed)], page, passage))
    return points


def main() -> None:
    """Measure once, with nothing cached, and print. Checks wait for nothing: seconds are those of the processor."""
    chance = random.Random(0)
    pages = make_pages(chance)
    points = make_points(pages, chance)
    start = time.process_time()
    verdicts = [judge(text, page, passage).verdict for text, page, passage in points]
    seconds = time.process_time() - start
    print(", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in sorted(set(verdicts))))
    print_figures([Figure("points1000_s", seconds, 2.0)])


if __name__ == "__main__":
    main()

"""Many documents without headings, as of news: the topic is what all of them are about."""

from pathlib import Path

import leadline

THEMES = {
    "sugar kelp": [
        "The farm in Skarvoy dries sugar kelp with waste heat.",
        "Ropes before the harbour of Skarvoy carry sugar kelp.",
    ],
    "ferry timetable": [
        "The ferry timetable of Skarvoy has a boat every 40 minutes.",
        "A new ferry timetable was printed for the harbour of Skarvoy.",
    ],
    "granite blocks": [
        "Storms at Skarvoy cannot move granite blocks of 12 tonnes.",
        "The breakwater of the harbour was built of granite blocks in Skarvoy.",
    ],
    "rye bread": [
        "The bakery sells rye bread to sailors of Skarvoy at dawn.",
        "Flour replaces salt in the rye bread that Skarvoy and its harbour eat.",
    ],
}
REST = ["There is a harbour at Skarvoy, and it is old.", "The harbour of Skarvoy lies in the north of it."]


def write_news(folder: Path) -> Path:
    folder.mkdir()
    themes = list(THEMES.values())
    for number in range(24):
        opening = f"Reporter {number} writes from the harbour of Skarvoy on Monday."
        said = [opening, REST[number % 2], themes[number % 4][number // 4 % 2], themes[(number + 1) % 4][number // 8 % 2]]
        (folder / f"{number}.txt").write_text(" ".join(said), encoding="utf-8")
    return folder


async def test_todos_lead_to_different_things_and_find_them_without_the_topics_words(tmp_path: Path) -> None:
    run = await leadline.research(
        "What happens in the harbour of Skarvoy?",
        sources=[write_news(tmp_path / "news")],
        todos=4,
        keep=False,
        home=tmp_path / "home",
    )
    assert run.report
    parts = run.report.sections[1:]
    titles = [part.todo.title.casefold() for part in parts]
    themes = {theme for theme, said in THEMES.items() for title in titles if title in " ".join(said).casefold()}
    assert len(themes) >= 2, titles
    assert all(": " in part.todo.intent and ", " in part.todo.intent for part in parts), "an intent tells what the part holds"
    assert "empty" not in {part.status for part in parts}, "what was planned from the sources is found in them"

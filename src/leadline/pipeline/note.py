"""The body of a todo's note: what was found, with a list of sources of its own."""

from leadline.grounding.markdown import inline
from leadline.pipeline.phrases import phrases
from leadline.pipeline.reference import cite_point, describe, group_copies, mark_kind, number_pages
from leadline.records import Todo, TodoResult


def note_body(todo: Todo, language: str, result: TodoResult) -> str:
    """Return the Markdown of a note: `## title`, the cited points, and `## Sources`, numbered within the note."""
    words = phrases(language)
    copies = group_copies(result.sources)
    numbers = number_pages(copies[evidence.page] for point in result.points for evidence in point.evidence)
    sources = {source.page: source for source in result.sources}
    every = {page: numbers[first] for page, first in copies.items() if first in numbers}
    points = [f"- {cite_point(point, every, words)}" for point in result.points]
    listed = [f"[{number}] {describe(sources[page])}{mark_kind(sources[page], words)}" for page, number in numbers.items()]
    heading = words.say("note_sources")
    return "\n".join([f"## {inline(todo.title)}", "", *points, "", f"## {heading}", "", *_spaced(listed)]) + "\n"


def _spaced(lines: list[str]) -> list[str]:
    """Markdown joins neighbouring lines; a blank one between keeps each reference to itself."""
    return [part for line in lines for part in (line, "")][:-1]

"""What prompts show of passages, sources and sections, within a budget of tokens."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from leadline.analysts.model.asking import count_tokens
from leadline.analysts.model.choosing import LABEL_TOKENS
from leadline.analysts.model.prompting import neutralise
from leadline.records import Outline, Passage, Section, Survey

_SURVEYED = 500
"""Tokens of titles and headings in the prompt of a plan."""


def show_survey(survey: Survey) -> str:
    """Return what the sources are called and speak of, for the plan; "" where nobody has looked."""
    names = dict.fromkeys([*survey.titles, *(passage.heading for passage in survey.passages)])
    lines = list(_fit([f"- {neutralise(name)[:120]}" for name in names if name.strip()], _SURVEYED))
    if not lines:
        return ""
    head = "These are titles and headings of the sources that will be searched. Plan for what they can answer."
    return "\n".join([head, "<source>", *lines, "</source>", ""])


def show_passages(passages: Sequence[Passage], budget: int) -> str:
    """Return single passages under their labels, each source fenced, as many as there is room for."""
    lines = {passage.label: f"[{passage.label}] {neutralise(passage.text)[:1500]}" for passage in passages}
    kept = set(_fit(list(lines.values()), budget))
    shown = [passage for passage in passages if lines[passage.label] in kept]
    return "\n\n".join(
        "\n".join([f'<source id="{source}">', *(lines[passage.label] for passage in group), "</source>"])
        for source, group in groupby(shown, key=lambda passage: passage.label.split(".")[0])
    )


def number_points(outline: Outline) -> Mapping[str, str]:
    """Return label → id of every point: point 3 of section 2 is 2.3."""
    return {f"{s}.{p}": point.id for s, section in enumerate(outline.sections, 1) for p, point in enumerate(section.points, 1)}


def show_sections(outline: Outline, budget: int) -> str:
    """Return the sections with their points. Where not all fit, each section keeps its first ones."""
    lines = [list(_point_lines(number, section)) for number, section in enumerate(outline.sections, 1)]
    heads = [f"# {number}. {neutralise(section.todo.title)}" for number, section in enumerate(outline.sections, 1)]
    left = budget - sum(count_tokens(head) for head in heads)
    in_turn = [line for rank in zip_longest(*lines) for line in rank if line]
    kept = set(_fit(in_turn, left))
    return "\n\n".join(
        "\n".join([head, *(line for line in section if line in kept)]) for head, section in zip(heads, lines, strict=True)
    )


def _point_lines(number: int, section: Section) -> Iterator[str]:
    for place, point in enumerate(section.points, 1):
        yield f"[{number}.{place}] {neutralise(point.text)}"
    if not section.points:
        yield f"(nothing: {section.status})"


def _fit(lines: Sequence[str], budget: int) -> Iterator[str]:
    """Yield lines while they fit."""
    for line in lines:
        budget -= count_tokens(line) + LABEL_TOKENS
        if budget < 0:
            return
        yield line

"""From the results of the todos to the report: merge, limit, number, count. The analyst only words overview and summary."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence, Set
from dataclasses import dataclass

from leadline.grounding.agreement import same
from leadline.pipeline.crew import Origin
from leadline.pipeline.following import find_conflicts, follow
from leadline.pipeline.phrases import Phrases, phrases
from leadline.pipeline.reference import group_copies, number_pages
from leadline.ports import Analyst
from leadline.records import (
    HOLDING,
    Dropped,
    Evidence,
    Outline,
    Plan,
    Point,
    Report,
    Section,
    Sentence,
    Source,
    Tally,
    TaskStatus,
    TodoResult,
    Topic,
)

Sentences = tuple[Sentence, ...]

_SHARED = 0.02  # of the documents: below it a language is there by accident (a stray file, a wrong guess)
_NAMED = 0.1  # of the documents: a language with less is not what they "are in"


@dataclass(frozen=True, slots=True)
class Material:
    """All that a report is made of. The same material gives the same report."""

    topic: Topic
    plan: Plan
    results: Mapping[str, TodoResult]
    origin: Origin
    analyst: str
    max_points: int | None = None
    ending: str = ""
    """A sentence on why the run ended before it was done."""


async def write_report(material: Material, analyst: Analyst | None) -> Report:
    """Return the report of a run.

    Args:
        material: all that the report is made of.
        analyst: words overview and summary from the points; without one, or when no todo was done, they stay empty.
    """
    words = phrases(material.topic.language)
    outline = make_outline(material)
    sections, left_out = _limit(outline.sections, material.max_points, words)
    known = {point.id: point for section in sections for point in section.points}
    outline = outline.model_copy(update={"sections": tuple(sections), "conflicts": find_conflicts(sections)})
    said, unfounded = await _word(analyst, outline, known, words) if analyst and _has_answers(sections) else (((), ()), ())
    dropped = [d for todo in material.plan.todos for d in _result(material, todo.key).dropped]
    return Report(
        title=material.topic.text,
        language=material.topic.language,
        date=material.topic.today,
        analyst=material.analyst,
        origin=material.origin.name,
        overview=said[0],
        sections=tuple(sections),
        summary=said[1],
        conflicts=outline.conflicts,
        references=_list_references(said, sections, known, material.results),
        dropped=(*dropped, *left_out, *unfounded),
        skipped=tuple(material.origin.skipped),
        notices=_notices(material, words),
        tally=_count(sections, len(dropped) + len(left_out) + len(unfounded), material),
    )


def make_outline(material: Material) -> Outline:
    """Return what was found, each thing once."""
    words = phrases(material.topic.language)
    read = {page for todo in material.plan.todos for page in _result(material, todo.key).read}
    sections = _merge_alike(_make_sections(material, words), words)
    return Outline(topic=material.topic, sections=tuple(sections), read=len(read))


def _has_answers(sections: Sequence[Section]) -> bool:
    """Whether anything was found out, were it that there is nothing: where all was skipped there is nothing to sum up."""
    return any(section.points or section.status in ("completed", "empty") for section in sections)


def _result(material: Material, key: str) -> TodoResult:
    return material.results.get(key) or TodoResult(key=key, status="cancelled")


def _make_sections(material: Material, words: Phrases) -> list[Section]:
    sections = []
    for todo in material.plan.todos:
        result = _result(material, todo.key)
        status = "skipped" if todo.skip else result.status
        reason = (
            "" if status == "completed" else words.say(_name_reason(status, result), query=todo.query, reason=result.reason)
        )
        points = () if todo.skip else result.points
        warning = words.say("ordering", addresses=words.list(result.ordering)) if result.ordering else ""
        section = Section(todo=todo, status=status, points=points, reason=reason, warning=warning, not_read=result.not_read)
        sections.append(section)
    return sections


def _name_reason(status: TaskStatus, result: TodoResult) -> str:
    """A search without results is not the same as pages without an answer."""
    return "no_results" if status == "empty" and not (result.read or result.not_read) else status


def _merge_alike(sections: Sequence[Section], words: Phrases) -> list[Section]:
    """Let points that say the same be one point, where the first of them stands, with the sources of all."""
    kept: list[Point] = []
    home: list[int] = []
    merged = []
    for number, section in enumerate(sections):
        twins = [_find_twin(point, kept) for point in section.points]
        for point, twin in zip(section.points, twins, strict=True):
            if twin is None:
                kept.append(point)
                home.append(number)
            else:
                kept[twin] = _join(kept[twin], point)
        elsewhere = [home[twin] + 1 for twin in twins if twin is not None]
        gone = bool(twins) and None not in twins
        merged.append(section.model_copy(update={"reason": words.say("merged", number=min(elsewhere))} if gone else {}))
    own = [[point for point, at in zip(kept, home, strict=True) if at == number] for number in range(len(sections))]
    return [section.model_copy(update={"points": tuple(points)}) for section, points in zip(merged, own, strict=True)]


def _find_twin(point: Point, others: Sequence[Point]) -> int | None:
    return next((i for i, other in enumerate(others) if same(other.text, point.text)), None)


def _join(first: Point, second: Point) -> Point:
    pages = {evidence.page for evidence in first.evidence}
    more: list[Evidence] = [evidence for evidence in second.evidence if evidence.page not in pages]
    return first.model_copy(update={"evidence": (*first.evidence, *more), "score": max(first.score, second.score)})


def _limit(sections: Sequence[Section], most: int | None, words: Phrases) -> tuple[list[Section], list[Dropped]]:
    """Keep the strongest points of the whole report."""
    points = [point for section in sections for point in section.points]
    if most is None or len(points) <= most:
        return list(sections), []
    strongest = {p.id for p in sorted(points, key=lambda p: -p.score)[:most]}
    reason = words.count("over_limit", most)
    left_out = [Dropped(text=p.text, reason=reason, evidence=p.evidence) for p in points if p.id not in strongest]
    silenced = words.count("silenced", most)
    return [_keep_strongest(section, strongest, silenced) for section in sections], left_out


def _keep_strongest(section: Section, strongest: Set[str], reason: str) -> Section:
    points = tuple(point for point in section.points if point.id in strongest)
    silenced = section.points and not points
    return section.model_copy(update={"points": points, "reason": reason if silenced else section.reason})


async def _word(
    analyst: Analyst, outline: Outline, known: Mapping[str, Point], words: Phrases
) -> tuple[tuple[Sentences, Sentences], tuple[Dropped, ...]]:
    """Overview and summary, worded at once, and the sentences that do not follow from the points."""
    parts = await asyncio.gather(*(_collect(part) for part in analyst.write(outline)))
    read = [[(sentence, follow(sentence, known)) for sentence in part] for part in parts]
    overview, summary = (tuple(kept for _, kept in part if kept) for part in read)
    overview += _count_single(overview, known, words)
    reason = words.say("verdict_unfounded")
    return (overview, summary), tuple(Dropped(text=s.text, reason=reason) for part in read for s, kept in part if not kept)


async def _collect(sentences: AsyncIterator[Sentence]) -> Sentences:
    return tuple([sentence async for sentence in sentences])


def _count_single(overview: Sentences, known: Mapping[str, Point], words: Phrases) -> Sentences:
    """A sentence on how many points rest on one source, where these are too many to mark and nobody has counted them."""
    single = sum(point.firm == 1 for point in known.values())
    if 2 * single <= len(known) or len(known) < 2 or any(sentence.counted for sentence in overview):
        return ()
    return (Sentence(text=words.say("single_count", count=single, total=len(known)), counted=True),)


def _list_references(
    said: tuple[Sentences, Sentences],
    sections: Sequence[Section],
    known: Mapping[str, Point],
    results: Mapping[str, TodoResult],
) -> tuple[Source, ...]:
    """Number the cited pages in reading order: what is cited is listed, and nothing else."""
    overview, summary = ([known[p] for sentence in part for p in sentence.points] for part in said)
    body = [point for section in sections for point in section.points]
    sources = {source.page: source for result in results.values() for source in result.sources}
    copies = group_copies(sources.values())
    evidence = [e for point in (*overview, *body, *summary) for e in point.evidence]
    cited = dict.fromkeys(e.page for e in evidence)
    numbers = number_pages(copies[page] for page in cited)
    return tuple(
        sources[page].model_copy(
            update={
                "number": number,
                "also": tuple(other for other in cited if copies[other] == page and other != page),
                "page_numbers": tuple(sorted({e.page_number for e in evidence if e.page == page} - {0})),
            }
        )
        for page, number in numbers.items()
    )


def _notices(material: Material, words: Phrases) -> tuple[str, ...]:
    notices = [material.ending] if material.ending else []
    mine = material.topic.language.split("-")[0]
    shares: dict[str, float] = {}
    for tag, share in material.origin.languages.items():
        main = tag.split("-")[0]
        shares[main] = shares.get(main, 0.0) + share
    if shares and shares.get(mine, 0.0) < _SHARED:
        ranked = sorted(shares, key=lambda tag: (-shares[tag], tag))
        theirs = [tag for tag in ranked if shares[tag] >= _NAMED] or ranked[:1]
        names = words.list([words.name_language(tag) for tag in theirs])
        notices.append(words.say("languages_differ", topic=words.name_language(mine), documents=names))
    return tuple(notices)


def _count(sections: Sequence[Section], dropped: int, material: Material) -> Tally:
    verdicts = Counter(point.verdict for section in sections for point in section.points)
    read = {page for todo in material.plan.todos for page in _result(material, todo.key).read}
    snippets = {page for todo in material.plan.todos for page in _result(material, todo.key).snippets}
    return Tally(
        verbatim=verdicts["verbatim"],
        supported=verdicts["supported"],
        partial=verdicts["partial"],
        marked=sum(verdicts[verdict] for verdict in verdicts.keys() - HOLDING),
        dropped=dropped,
        read=len(read - snippets),
        snippets=len(snippets),
    )

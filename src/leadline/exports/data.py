"""A run as JSON: report.json."""

import json

from leadline.records import Evidence, Report, Run, Section, Source

VERSION = 1
"""Of the shape of report.json."""


def report_json(run: Run) -> str:
    """Return report.json: the whole run as data, without what names this machine."""
    report = run.report
    data: dict[str, object] = {
        "version": VERSION,
        "run": run.id,
        "status": run.status,
        "topic": run.topic.model_dump(mode="json"),
        "plan": run.plan.model_dump(mode="json") if run.plan else None,
        "usage": run.usage.model_dump(mode="json"),
        **(_report_data(report) if report else {"reason": run.reason}),
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _report_data(report: Report) -> dict[str, object]:
    sources = {source.page: source for source in report.references}
    return {
        "title": report.title,
        "analyst": report.analyst,
        "sources": report.origin,
        "notices": list(report.notices),
        "overview": [sentence.model_dump(mode="json") for sentence in report.overview],
        "sections": [_section_data(number, section) for number, section in enumerate(report.sections, 1)],
        "points": [
            {
                "id": point.id,
                "section": number,
                "text": point.text,
                "verdict": point.verdict,
                "score": round(point.score, 6),
                "evidence": [_evidence_data(evidence, sources) for evidence in point.evidence],
            }
            for number, section in enumerate(report.sections, 1)
            for point in section.points
        ],
        "conflicts": [list(conflict.points) for conflict in report.conflicts],
        "summary": [sentence.model_dump(mode="json") for sentence in report.summary],
        "references": [source.model_dump(mode="json") for source in report.references],
        "dropped": [dropped.model_dump(mode="json") for dropped in report.dropped],
        "skipped": [skipped.model_dump(mode="json") for skipped in report.skipped],
        "tally": report.tally.model_dump(mode="json"),
    }


def _section_data(number: int, section: Section) -> dict[str, object]:
    return {
        "number": number,
        "todo": section.todo.id,
        "title": section.todo.title,
        "status": section.status,
        "reason": section.reason,
        "warning": section.warning,
        "points": [point.id for point in section.points],
    }


def _evidence_data(evidence: Evidence, sources: dict[str, Source]) -> dict[str, object]:
    source = sources[evidence.page]
    return {"reference": source.number, "address": source.address, **evidence.model_dump(mode="json")}

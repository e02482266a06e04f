"""A bundle of evidence against itself: without a network, and years later."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from leadline.exports.bundle import MANIFEST, REPORT, Bundle, read_bundle
from leadline.grounding.folding import fold
from leadline.grounding.markdown import inline
from leadline.grounding.verdict import judge, judge_quote
from leadline.pipeline.check import rank
from leadline.pipeline.rendering import to_markdown
from leadline.records import Evidence, Page, Passage, Point, Report
from leadline.verification.claims import read_claims
from leadline.verification.results import Finding, Verification


def verify_bundle(path: Path) -> Verification:
    """Check that every file has its hash, every quote stands at its place, every verdict is found again, and that the report
    says what its points say. Takes a second or more: call it in a thread.

    Raises:
        UsageError: the file is no bundle, or has no report.
    """
    bundle = read_bundle(path)
    report = bundle.report
    return Verification(findings=(*_check_files(bundle), *_check_points(bundle, report), *_check_report(bundle, report)))


def _check_files(bundle: Bundle) -> Iterator[Finding]:
    for name in sorted({*bundle.hashes, *bundle.files} - {MANIFEST}):
        content = bundle.files.get(name)
        reason = ""
        if content is None:
            reason = "it is in the manifest, but not here"
        elif name not in bundle.hashes:
            reason = "it is here, but not in the manifest"
        elif hashlib.sha256(content).hexdigest() != bundle.hashes[name]:
            reason = "its hash is not that of the manifest"
        yield Finding(kind="file", subject=name, holds=not reason, reason=reason)


def _check_points(bundle: Bundle, report: Report) -> Iterator[Finding]:
    addresses = {page: source.address for source in report.references for page in (source.page, *source.also)}
    for point in (point for section in report.sections for point in section.points):
        for evidence in point.evidence:
            address, page = addresses.get(evidence.page, ""), bundle.pages.get(evidence.page)
            reason = _find_fault(evidence, page)
            yield Finding(
                kind="quote", subject=point.text, address=address, holds=not reason, quote=evidence.quote, reason=reason
            )
            if page is not None and not reason:
                yield _judge_again(point, evidence, page, address)


def _find_fault(evidence: Evidence, page: Page | None) -> str:
    if page is None:
        return "the page is not in the bundle"
    if page.text[evidence.start : evidence.end] != evidence.quote:
        return f"the page has something else at characters {evidence.start:,}–{evidence.end:,}"
    return ""


def _judge_again(point: Point, evidence: Evidence, page: Page, address: str) -> Finding:
    """Compare a point with its quote once more; a better verdict than the one recorded is no fault."""
    place = Passage(label="", page=page.id, start=evidence.start, end=evidence.end, text=evidence.quote, kind="table")
    again = judge_quote(point.text, evidence.quote, page, place) if evidence.method == "quote" else None
    found = again or judge(point.text, page, place)
    holds = rank(found)[0] <= rank(evidence)[0]
    return Finding(
        kind="verdict",
        subject=point.text,
        address=address,
        holds=holds,
        verdict=found.verdict,
        quote=evidence.quote,
        reason="" if holds else f"recorded is {evidence.verdict}, found is {found.verdict}",
    )


def _check_report(bundle: Bundle, report: Report) -> Iterator[Finding]:
    """Check that each cited sentence of the Markdown is one of the record, so that nobody has only changed what is read."""
    known = {_key(text) for text in _texts(report)}
    for claim in read_claims(bundle.files[REPORT].decode("utf-8", "replace")):
        if claim.cites:
            holds = _key(claim.text) in known
            reason = "" if holds else "no point of the record says this"
            yield Finding(kind="report", subject=claim.text, line=claim.line, holds=holds, reason=reason)


def _texts(report: Report) -> Sequence[str]:
    """Every sentence that the report may cite for, as reading its Markdown gives it: with the words around it of this release,
    and without any.
    """
    points = [point.text for section in report.sections for point in section.points]
    said = [*points, *(sentence.text for sentence in (*report.overview, *report.summary))]
    written = [to_markdown(report), *(inline(text, rich=True) for text in said)]
    return [claim.text for text in written for claim in read_claims(text)]


def _key(text: str) -> str:
    return fold(text).strip(" .。!！?？;；").casefold()

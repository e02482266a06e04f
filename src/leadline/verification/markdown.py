"""A Markdown report, whoever wrote it, against the pages that it cites."""

import asyncio
from collections.abc import Mapping, Sequence

from leadline.grounding.passages import split_page
from leadline.grounding.roles import agrees
from leadline.grounding.tokens import terms
from leadline.grounding.verdict import judge
from leadline.ports import Reader
from leadline.records import FIRM, HOLDING, Evidence, Hit, NotRead, Page, Passage
from leadline.verification.claims import Claim, read_claims
from leadline.verification.results import Finding, Verification

AT_ONCE = 8
"""Pages that are read at the same time."""

_CANDIDATES = 5
"""Passages of a page that a sentence is compared with: those that share most words with it."""


async def verify_markdown(text: str, reader: Reader) -> Verification:
    """Read every page that a text cites, and compare each cited sentence with it.

    Args:
        text: Markdown with links, numbers in brackets with a list of references, or footnotes.
        reader: gets the pages, by the addresses that the text gives.
    """
    claims = read_claims(text)
    cited = [claim for claim in claims if claim.cites]
    pages = await _read_all(list(dict.fromkeys(a for claim in cited for a in claim.cites if a)), reader)
    findings = await asyncio.to_thread(_check_all, cited, pages)
    return Verification(findings=tuple(findings), uncited=len(claims) - len(cited))


async def _read_all(addresses: Sequence[str], reader: Reader) -> Mapping[str, Page | NotRead]:
    turns = asyncio.Semaphore(AT_ONCE)

    async def read(address: str) -> Page | NotRead:
        async with turns:
            return await reader.read(Hit(backend="verify", address=address))

    return dict(zip(addresses, await asyncio.gather(*map(read, addresses)), strict=True))


def _check_all(claims: Sequence[Claim], pages: Mapping[str, Page | NotRead]) -> list[Finding]:
    return [
        _check(claim, mark, address, pages.get(address))
        for claim in claims
        for mark, address in zip(claim.marks, claim.cites, strict=True)
    ]


def _check(claim: Claim, mark: str, address: str, page: Page | NotRead | None) -> Finding:
    if page is None:
        return _report(claim, address, reason=f"{mark} is in no list of references")
    if isinstance(page, NotRead):
        return _report(claim, address, reason=page.reason)
    evidence = find_evidence(claim.text, page)
    if evidence is None:
        return _report(claim, address, reason="the page holds no text")
    differs = evidence.verdict == "partial" and mark not in claim.aside and not agrees(claim.text, evidence.quote)
    return _report(claim, address, evidence, "a number, a name, or who does what differs" if differs else "")


def _report(claim: Claim, address: str, evidence: Evidence | None = None, reason: str = "") -> Finding:
    verdict = evidence.verdict if evidence else "unreachable"
    return Finding(
        kind="citation",
        subject=claim.text,
        line=claim.line,
        address=address,
        holds=verdict in HOLDING and not reason,
        verdict=verdict,
        quote=evidence.quote if evidence else "",
        reason=reason,
    )


def find_evidence(text: str, page: Page) -> Evidence | None:
    """Return the best evidence that a whole page has for a sentence, or what comes nearest; None where the page has no passage.

    What the page contradicts in one place is not held by another that has fewer of its words.
    """
    wanted = set(terms(text))
    passages = split_page(page, 1)

    def shared(passage: Passage) -> tuple[float, int]:
        words = set(terms(passage.text))
        return len(wanted & words) / (len(wanted) or 1), -len(words)

    nearest = sorted(passages, key=shared, reverse=True)[:_CANDIDATES]
    judged = [judge(text, page, passage) for passage in nearest]
    decided = [evidence for evidence in judged if evidence.verdict in HOLDING or evidence.verdict == "contradicted"]
    return max(decided or judged, key=lambda one: (one.verdict == "verbatim", one.verdict in FIRM, one.score), default=None)

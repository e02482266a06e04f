"""What a check has found."""

from collections import Counter
from typing import Literal

from leadline.records import FIRM, HOLDING, Record, Verdict

FindingKind = Literal["citation", "file", "quote", "verdict", "report"]


class Finding(Record):
    """One thing that was checked.

    `citation`: a cited sentence against the page that it cites; `line` counts from 1. Of a bundle: a `file` against its hash, a
    `quote` against its place in the page, a `verdict` against the one that is found now, a sentence of the `report` against its
    points. `holds` says whether all is well; `reason` says what is not, `quote` is the place of the page that comes nearest.
    """

    kind: FindingKind
    subject: str
    holds: bool
    line: int = 0
    address: str = ""
    verdict: Verdict | None = None
    quote: str = ""
    reason: str = ""


class Verification(Record):
    """All that was checked. `uncited` counts the sentences of a Markdown file that cite nothing: nothing is said of them."""

    findings: tuple[Finding, ...]
    uncited: int = 0

    @property
    def failures(self) -> tuple[Finding, ...]:
        """What does not hold."""
        return tuple(finding for finding in self.findings if not finding.holds)

    @property
    def verdicts(self) -> Counter[Verdict]:
        """How many citations have which verdict."""
        return Counter(finding.verdict for finding in self.findings if finding.verdict)

    @property
    def score(self) -> float | None:
        """0 to 1: the mean over all citations, where one that holds counts 1, a partial one that holds 1/2; None without."""
        judged = [finding for finding in self.findings if finding.verdict]
        worth = [1 if f.verdict in FIRM else 0.5 if f.holds and f.verdict in HOLDING else 0 for f in judged]
        return sum(worth) / len(judged) if judged else None

"""`leadline verify`: a finished report against what it cites."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from leadline.cli.attending import STATUS
from leadline.cli.closing import count
from leadline.cli.streams import put, say
from leadline.errors import UsageError
from leadline.library import Library
from leadline.ports import Reader
from leadline.records import Verdict
from leadline.settings import load_settings
from leadline.store import open_store
from leadline.verification import Finding, Verification, verify_bundle, verify_markdown
from leadline.verification.reading import ChosenReader, FileReader
from leadline.web import open_reader

LARGEST = 20 * 1024 * 1024
"""Bytes of a Markdown file above which it is no report."""

_EXCERPT = 300


async def verify(file: Path, sources: tuple[str, ...], offline: bool, in_json: bool) -> int:
    """Check a bundle or a Markdown file, print what was found, and return the exit status."""
    verification = await _verify(file, sources, offline)
    if in_json:
        put(_as_json(file, verification))
    else:
        _put_all(verification)
    return STATUS["incomplete"] if verification.failures else 0


async def _verify(file: Path, sources: Sequence[str], offline: bool) -> Verification:
    if file.suffix.lower() == ".zip":
        if sources:
            raise UsageError(f"A bundle has its sources inside: --in {sources[0]!r} is for Markdown files.")
        return await asyncio.to_thread(verify_bundle, file)
    text = await asyncio.to_thread(_read, file)
    settings = load_settings()
    others: list[Reader] = [await Library.open(sources, settings.home)] if sources else []
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(await open_store(None))
        web = open_reader(settings, offline, store.snapshots("verify"), None, stack)
        verification = await verify_markdown(text, ChosenReader(web, [*others, FileReader(file.parent)]))
    if not verification.findings:
        raise UsageError(f"{str(file)!r} cites nothing (no link, no number with a list of references): nothing can be checked.")
    return verification


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise UsageError(f"{str(file)!r} is larger than {LARGEST >> 20} MiB: no report is.")
        return content.decode("utf-8")
    except OSError as error:
        raise UsageError(f"{str(file)!r} cannot be read ({error.strerror}). Name a .zip bundle or a Markdown file.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{str(file)!r} is no text in UTF-8. Name a .zip bundle or a Markdown file.") from error


def _put_all(verification: Verification) -> None:
    failures = verification.failures
    for finding in failures:
        if finding.verdict != "unreachable":
            put("\n".join(_describe(finding)))
    missing = [finding for finding in failures if finding.verdict == "unreachable"]
    for address, reason in dict.fromkeys((finding.address, finding.reason) for finding in missing):
        lines = sorted({finding.line for finding in missing if (finding.address, finding.reason) == (address, reason)})
        put(f"✗ unreachable: {address or 'no address'}\n    lines:  {', '.join(map(str, lines))}\n    why:    {reason}")
    put(_sum_up(verification))
    if verification.uncited:
        say(f"{count(verification.uncited, 'sentence')} without a citation: not checked")


def _describe(finding: Finding) -> list[str]:
    place = f"line {finding.line}: " if finding.line else ""
    lines = [f"✗ {place}{finding.verdict or finding.kind}: {_cut(finding.subject)}"]
    if finding.address:
        lines.append(f"    source: {finding.address}")
    if finding.quote:
        lines.append(f"    page:   {_cut(finding.quote)}")
    if finding.reason:
        lines.append(f"    why:    {finding.reason}")
    return lines


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT else f"{line[:_EXCERPT]}…"


_ORDER: tuple[Verdict, ...] = (
    "verbatim",
    "supported",
    "partial",
    "unsupported",
    "contradicted",
    "unreachable",
    "unchecked",
)


def _sum_up(verification: Verification) -> str:
    verdicts = verification.verdicts
    said = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in _ORDER if verdicts[verdict])
    others = [finding for finding in verification.findings if finding.kind in ("file", "quote", "report")]
    intact = (
        f"{sum(finding.holds for finding in others)} of {len(others)} files, quotes and sentences intact; " if others else ""
    )
    score = "" if verification.score is None else f" · score {verification.score:.2f}"
    return f"{intact}{count(verdicts.total(), 'citation')}: {said or 'none'}{score}"


def _as_json(file: Path, verification: Verification) -> str:
    data = {
        "file": str(file),
        "holds": not verification.failures,
        "score": verification.score,
        "verdicts": dict(verification.verdicts),
        "uncited": verification.uncited,
        "findings": [finding.model_dump(mode="json") for finding in verification.findings],
    }
    return json.dumps(data, ensure_ascii=False)

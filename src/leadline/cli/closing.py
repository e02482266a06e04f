"""The last words about a run."""

from collections.abc import Sequence
from pathlib import Path

from leadline.library import summarise_skipped
from leadline.models import Spend, Usage
from leadline.records import Report, Run, Skipped


def closing_lines(run: Run, files: Sequence[Path], seconds: float, verbose: bool) -> list[str]:
    """Return what was skipped and dropped, the run's id and figures, its files or where else its notes are, how to go on."""
    lines = _lines_on_report(run.report, verbose) if run.report else []
    lines.append(f"run {run.id} · {run.status} · {count(len(run.points), 'point')} · {seconds:.1f} s")
    lines += usage_lines(run.usage, verbose)
    if files:
        lines += [f"  {file}" for file in gather(files)]
    elif run.points:
        lines.append(f"  notes: leadline notes list --run {run.id}")
    if run.status == "cancelled":
        lines.append(f"  to go on: leadline runs resume {run.id}")
    return lines


def usage_lines(usage: Usage, verbose: bool) -> list[str]:
    """Return what models have used; when asked for more, for each todo and stage."""
    if not usage.model_calls:
        return []
    parts = sorted(usage.spent, key=lambda spend: (spend.todo, spend.stage)) if verbose else []
    more = [f"    {f'todo {s.todo}' if s.todo else 'run':<8} {s.stage:<10} {_spent(s)} · {s.seconds:.1f} s" for s in parts]
    return [f"  model: {_spent(usage)}", *more]


def _spent(spent: Usage | Spend) -> str:
    calls = spent.model_calls if isinstance(spent, Usage) else spent.calls
    cost = f" · ${spent.cost:.4f}" if spent.cost else ""
    return f"{count(calls, 'call')} · {spent.prompt_tokens:,} tokens in, {spent.completion_tokens:,} out{cost}"


def gather(files: Sequence[Path]) -> list[str]:
    """Return the files in words, those of the notes as one."""
    notes = [file for file in files if file.parent.name == "notes"]
    rest = [str(file) for file in files if file not in notes]
    return [*rest, f"{notes[0].parent}/ ({count(len(notes), 'file')})"] if notes else rest


def _lines_on_report(report: Report, verbose: bool) -> list[str]:
    dropped = [f"dropped: {d.text} ({d.reason})" for d in report.dropped] if verbose else []
    return [*skipped_lines(report.skipped, verbose), *dropped]


def skipped_lines(skipped: Sequence[Skipped], verbose: bool) -> list[str]:
    """Return how many files were skipped, by kind; when asked for more, each of them."""
    if not skipped:
        return []
    if verbose:
        return [summarise_skipped(skipped), *(f"  {s.address} ({s.kind})" for s in skipped)]
    return [f"{summarise_skipped(skipped)}; -v lists them"]


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"

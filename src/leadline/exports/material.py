"""What an export is made of, taken from the store."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from leadline.errors import NotFound, UsageError
from leadline.events import Envelope
from leadline.records import Note, Page, Report, Run
from leadline.rendering import ReportView, view_report
from leadline.store import Store


@dataclass(frozen=True)
class Material:
    """A run with its notes, its events and the saved pages that its points cite, as far as they are still there."""

    run: Run
    report: Report
    notes: Sequence[Note]
    events: Sequence[Envelope]
    pages: Mapping[str, Page]

    @cached_property
    def view(self) -> ReportView:
        """The report as a page shows it; evidence whose saved page is gone says so."""
        view = view_report(self.run, self.pages)
        gone = view.words.say("copy_gone")
        exhibits = [
            one if one.evidence.page in self.pages else replace(one, how=f"{one.how} · {gone}") for one in view.exhibits
        ]
        return replace(view, exhibits=tuple(exhibits))


async def collect(store: Store, run: Run) -> Material:
    """Return what the store has of a run.

    Raises:
        UsageError: the run has no report yet.
    """
    if run.report is None:
        raise UsageError(f"Run {run.id} has no report yet ({run.status}); its events can be had: runs export {run.id} -o DIR")
    snapshots = store.snapshots(run.id)
    cited = [page for source in run.report.references for page in (source.page, *source.also)]
    pages: dict[str, Page] = {}
    for page in cited:
        with suppress(NotFound):  # taken away since, by retention for example: its quotes are in the report
            pages[page] = await snapshots.load(page)
    notes, events = await store.notes.list(run.id), await store.runs.events(run.id)
    return Material(run, run.report, notes, events, pages)

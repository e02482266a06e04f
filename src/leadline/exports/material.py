"""What an export is made of, taken from the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from leadline.errors import UsageError
from leadline.events import Envelope
from leadline.records import Note, Page, Report, Run
from leadline.rendering import ReportView, view_report
from leadline.store import Store


@dataclass(frozen=True)
class Material:
    """A run with its notes, its events and the saved pages that its points cite."""

    run: Run
    report: Report
    notes: Sequence[Note]
    events: Sequence[Envelope]
    pages: Mapping[str, Page]

    @cached_property
    def view(self) -> ReportView:
        """The report as a page shows it."""
        return view_report(self.run, self.pages)


async def collect(store: Store, run: Run) -> Material:
    """Return what the store has of a run.

    Raises:
        UsageError: the run has no report yet.
        NotFound: a page that it cites is not there any more.
    """
    if run.report is None:
        raise UsageError(f"Run {run.id} has no report yet ({run.status}); its events can be had: runs export {run.id} -o DIR")
    snapshots = store.snapshots(run.id)
    cited = [page for source in run.report.references for page in (source.page, *source.also)]
    pages = {page: await snapshots.load(page) for page in cited}
    notes, events = await store.notes.list(run.id), await store.runs.events(run.id)
    return Material(run, run.report, notes, events, pages)

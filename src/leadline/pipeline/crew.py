"""Those who do the work of one run, behind their seams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.ports import Analyst, Clock, Journal, Notes, Reader, SearchBackend, Snapshots
from leadline.records import Skipped


@dataclass(frozen=True, slots=True)
class Origin:
    """The sources of a run, in words and figures for its readers.

    `name` is how the report's head names them, without absolute paths; `languages` is the share of documents per BCP 47
    tag, empty where that cannot be known (the web).
    """

    name: str
    languages: Mapping[str, float]
    skipped: Sequence[Skipped] = ()


@dataclass(frozen=True, slots=True)
class Crew:
    """The ports of one run. Passed as a whole only between the steps of research; a step takes from it what it needs."""

    analyst: Analyst
    search: SearchBackend
    reader: Reader
    journal: Journal
    notes: Notes
    snapshots: Snapshots
    clock: Clock
    origin: Origin

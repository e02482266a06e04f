"""Those who do the work of one run, behind their seams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.pipeline.allowance import Allowance
from leadline.ports import Analyst, Clock, Journal, Notes, Reader, SearchBackend, Snapshots
from leadline.records import Scope, Skipped


@dataclass(frozen=True, slots=True)
class Origin:
    """The sources of a run, in words and figures for its readers.

    `name` is how the report's head names them, without absolute paths; `languages` is the share of documents per BCP 47
    tag, empty where that cannot be known (the web). `hosts` are all that will be asked before pages are read, and `models`
    those that have models.
    """

    name: str
    languages: Mapping[str, float]
    skipped: Sequence[Skipped] = ()
    hosts: Sequence[str] = ()
    models: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Reach:
    """How many pages a run looks at. The defaults are those of libraries, which answer in milliseconds: what recurs in many
    documents is what matters there, and forty are enough to see what a library talks about in under a second.

    Attributes:
        pages: read per todo.
        hits: asked for per todo: more than are read, so that others can stand in for those that cannot be.
        surveyed: looked at for the plan; with 0 nobody looks around first.
        scope: what of the web may be used.
    """

    pages: int = 100
    hits: int = 100
    surveyed: int = 40
    scope: Scope = field(default_factory=Scope)


@dataclass(frozen=True, slots=True)
class Crew:
    """The ports of one run. Passed as a whole only between the steps of research; a step takes from it what it needs.

    `account` is what models and searches are asked on; None for one made of the run's limits.
    """

    analyst: Analyst
    search: SearchBackend
    reader: Reader
    journal: Journal
    notes: Notes
    snapshots: Snapshots
    clock: Clock
    origin: Origin
    reach: Reach = field(default_factory=Reach)
    account: Allowance | None = None

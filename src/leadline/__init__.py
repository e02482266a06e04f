"""Turns one question into a plan of to-dos, researches each, and writes a report of checked, cited sentences.

    run = await leadline.research("How are dead rows reclaimed?", sources=["docs"])
    print(leadline.to_markdown(run.report))

Names load when they are first used, so `import leadline` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.api import make_plan, research, research_sync, stream
    from leadline.errors import (
        LeadlineError,
        ModelFailed,
        NotFound,
        OutputError,
        PlanError,
        RunFailed,
        SearchFailed,
        SourceError,
        StoreError,
        TopicError,
        UsageError,
    )
    from leadline.events import Envelope, Event
    from leadline.models import Manner, ModelChoice
    from leadline.pipeline.rendering import to_markdown
    from leadline.records import Evidence, Note, Plan, Point, Report, Run, Source, Todo

_HOMES = {
    "leadline.api": ("make_plan", "research", "research_sync", "stream"),
    "leadline.errors": (
        "LeadlineError",
        "ModelFailed",
        "NotFound",
        "OutputError",
        "PlanError",
        "RunFailed",
        "SearchFailed",
        "SourceError",
        "StoreError",
        "TopicError",
        "UsageError",
    ),
    "leadline.events": ("Envelope", "Event"),
    "leadline.models": ("Manner", "ModelChoice"),
    "leadline.records": ("Evidence", "Note", "Plan", "Point", "Report", "Run", "Source", "Todo"),
    "leadline.pipeline.rendering": ("to_markdown",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Envelope",
    "Event",
    "Evidence",
    "LeadlineError",
    "Manner",
    "ModelChoice",
    "ModelFailed",
    "NotFound",
    "Note",
    "OutputError",
    "Plan",
    "PlanError",
    "Point",
    "Report",
    "Run",
    "RunFailed",
    "SearchFailed",
    "Source",
    "SourceError",
    "StoreError",
    "Todo",
    "TopicError",
    "UsageError",
    "make_plan",
    "research",
    "research_sync",
    "stream",
    "to_markdown",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'leadline' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return __all__

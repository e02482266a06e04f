"""Everything Leadline raises on purpose.

    LeadlineError
    ├── UsageError          you called it wrong: name the value, what is allowed, what to do      (exit status 2)
    │   ├── TopicError      an empty, over-long or unprintable topic
    │   ├── SourceError     a missing folder, an unknown library, nothing readable in it
    │   ├── PlanError       a plan file of a wrong shape
    │   ├── OutputError     an output folder that cannot be written
    │   ├── NotFound        no such run, note, library
    │   ├── NoWorker        no live worker can reach what the run needs
    │   └── RunElsewhere    the run is at work in another process, or belongs to another release
    ├── RunFailed           the run could not be finished; its reason                            (exit status 1)
    │   └── StoreError      the data folder or database cannot be used
    ├── LimitReached        the run has used what its own limits allow; it ends with what it has
    ├── ModelFailed         a model gave no answer; `kind` says how. A todo shows it and the run goes on
    ├── SearchFailed        one search failed; `kind` says how. A todo shows it and the run goes on
    ├── FetchFailed         one page was not fetched; `kind` says why. A hit without a page shows it
    └── DocumentError       bytes that hold no readable text; `kind` says why. The file is skipped and counted

The first line of a message is one sentence that a person can act on. A third-party exception is translated once, in the
adapter that called the third party, `from` its cause.
"""

from typing import Literal

SearchFailure = Literal["rate limited", "refused", "timed out", "unresponsive", "misconfigured"]
ModelFailure = Literal[
    "rate limited", "no quota", "no key", "missing", "refused", "adapted", "timed out", "unreachable", "unavailable", "unusable"
]
FetchFailure = Literal[
    "address not allowed",
    "type not read",
    "blocked",
    "not allowed by robots.txt",
    "refused",
    "not found",
    "too large",
    "too many redirects",
    "timed out",
    "unreachable",
    "unreadable",
]
DocumentFailure = Literal["empty", "binary", "unreadable", "too large"]


class LeadlineError(Exception):
    """The root: `except LeadlineError` catches all that Leadline raises on purpose."""


class UsageError(LeadlineError):
    """The caller can mend it: the message names the value, what is allowed and the way out."""


class TopicError(UsageError):
    """The topic is empty, too long or holds characters that no text has."""


class SourceError(UsageError):
    """A source cannot be used: missing, unknown, or without a readable document."""


class PlanError(UsageError):
    """A plan that was handed in is not a plan."""


class OutputError(UsageError):
    """An export cannot be written where it was asked for."""


class NotFound(UsageError):
    """No run, note or library goes by that name."""


class NoWorker(UsageError):
    """No live worker holds the local libraries that a run needs."""


class RunElsewhere(UsageError):
    """A run cannot be carried out here: another process has it, or another release began it."""


class RunFailed(LeadlineError):
    """The run as a whole could not be finished."""


class StoreError(RunFailed):
    """The store cannot be opened, read or written."""


class LimitReached(LeadlineError):
    """A run has used up what it was allowed. What it has found by then is reported."""


class SearchFailed(LeadlineError):
    """One search failed.

    Args:
        kind: how it failed; a closed set, so that every surface uses the same words.
        message: one sentence for the reader of the report, without keys or HTML.
        wait: seconds after which the backend said that it may be asked again; None when it said nothing.
        transient: whether asking again at once, or after that time, may help.
    """

    def __init__(self, kind: SearchFailure, message: str, *, wait: float | None = None, transient: bool = False) -> None:
        super().__init__(message)
        self.kind: SearchFailure = kind
        self.wait = wait
        self.transient = transient


class FetchFailed(LeadlineError):
    """One page was not fetched.

    Args:
        kind: why; a closed set that decides whether the search's own excerpt may stand in.
        message: a clause for the reader of the report, without the address.
    """

    def __init__(self, kind: FetchFailure, message: str) -> None:
        super().__init__(message)
        self.kind: FetchFailure = kind


class ModelFailed(LeadlineError):
    """A model gave no answer, or none that can be read.

    Args:
        kind: how it failed; a closed set, so that every surface uses the same words. `adapted` alone is never shown:
            the request was refused for a parameter that will be left out from now on.
        model: its name.
        detail: what is known, without keys.
        wait: seconds after which the provider wants to be asked again, if it says so.
    """

    def __init__(self, kind: ModelFailure, model: str, detail: str, wait: float | None = None) -> None:
        super().__init__(f"{model}: {detail}")
        self.kind: ModelFailure = kind
        self.model = model
        self.detail = detail
        self.wait = wait


class DocumentError(LeadlineError):
    """Bytes that hold no readable text.

    Args:
        kind: why; a closed set that the library counts skipped files by.
        message: one sentence, without the path (the caller knows it).
    """

    def __init__(self, kind: DocumentFailure, message: str) -> None:
        super().__init__(message)
        self.kind: DocumentFailure = kind

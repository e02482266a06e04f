"""Nouns of what a run may use and has used: its limits, the web, language models, how they should write, what they cost."""

import datetime as dt
from typing import Literal

from pydantic import Field

from leadline.record import Record

Stage = Literal["plan", "summarise", "locate", "repair", "review", "write"]


class Limits(Record):
    """What a run may use, over all its restarts: None is no limit.

    `calls` counts searches and model calls, `tokens` those of prompts and answers, `cost` is in US dollars; `seconds` runs from
    when the run first began, whoever works on it, or from when somebody approved of its plan.
    """

    calls: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, gt=0)
    seconds: float | None = Field(default=None, gt=0)


class Scope(Record):
    """What of the web a run may use: `since` and `until` are days, both included; `per_todo` counts pages."""

    since: dt.date | None = None
    until: dt.date | None = None
    sites: tuple[str, ...] = ()
    not_sites: tuple[str, ...] = ()
    per_todo: int = Field(default=5, ge=1, le=50)


class ModelChoice(Record):
    """The models of a run, each as `PROVIDER:NAME`. Keys are no part of it: whoever carries the run out has them.

    What is empty is taken from the settings; the name `none` is no model at all.

    `fast` writes the summaries; `fallback` is asked when another fails; `context` is the window in tokens where the server is
    not to be believed; `parallel` is the number of requests at once that a server on this machine can take.
    """

    name: str = ""
    url: str = ""
    fast: str = ""
    fallback: str = ""
    context: int | None = Field(default=None, ge=1024)
    parallel: int | None = Field(default=None, ge=1)


class Manner(Record):
    """How a model should write: `audience` and `instructions` are a person's own words."""

    length: Literal["short", "normal", "long"] = "normal"
    audience: str = ""
    instructions: str = ""


class Spend(Record):
    """What calls of a model have used, for one stage and one todo (0: for the run as a whole).

    `cost` is in US dollars by list price, None where no price is known; `seconds` is the time from question to end of answer.
    """

    stage: Stage
    todo: int = 0
    calls: int = 1
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0


class Usage(Record):
    """What a run has used so far, over all its restarts."""

    searches: int = 0
    pages: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    spent: tuple[Spend, ...] = ()

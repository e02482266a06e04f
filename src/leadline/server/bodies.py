"""What is sent to the API. A library goes by its name; nothing here can be a path."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, field_validator

from leadline.models import ModelChoice
from leadline.pipeline.topic import LANGUAGE, LONGEST, find_control
from leadline.records import Plan, Request, Todo

MOST_TODOS = 12
NAME = r"^[a-z0-9][a-z0-9._-]{0,63}$"
"""Of a library."""


_WRONG = r"\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff"
"""Controls, marks that turn writing, noncharacters, as a description can say it; `find_control` knows some more."""


Text = Annotated[str, Field(pattern=f"^[^{_WRONG}]*$")]
Line = Annotated[str, Field(pattern=rf"^[^{_WRONG}]*[^\s{_WRONG}][^{_WRONG}]*$")]
"""Text that is not blank."""


def _check_text(text: str) -> str:
    if wrong := find_control(text):
        raise ValueError(f"holds {wrong}, which no text has")
    return text


def _check_optional(text: str | None) -> str | None:
    return None if text is None else _check_text(text)


def _check_number(value: object) -> object:
    if isinstance(value, str | bool):
        raise ValueError("is not a number")
    return value


Number = Annotated[int, Field(ge=1, le=1_000_000), BeforeValidator(_check_number)]
Count = Annotated[int, Field(ge=1, le=MOST_TODOS), BeforeValidator(_check_number)]
Tokens = Annotated[int, Field(ge=1, le=10**12), BeforeValidator(_check_number)]
Rounds = Annotated[int, Field(ge=1, le=5), BeforeValidator(_check_number)]
Pages = Annotated[int, Field(ge=1, le=50), BeforeValidator(_check_number)]
Amount = Annotated[float, Field(gt=0, le=1_000_000), BeforeValidator(_check_number)]

RunName = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,100}$")]
LibraryName = Annotated[str, Field(pattern=NAME, description="The name of a library.", examples=["manual"])]


class Body(BaseModel):
    """Base of all bodies: an unknown field is a mistake."""

    model_config = ConfigDict(extra="forbid")


class NewTodo(Body):
    """A todo as a person writes it. One with the `id` of a todo that there is takes its place; one without is added."""

    id: Number | None = None
    title: Line = Field(min_length=1, max_length=500)
    intent: Text = Field(default="", max_length=2000)
    query: Text = Field(default="", max_length=1000, description="What is searched for; the title when left out.")
    skip: StrictBool = False

    _no_controls = field_validator("title", "intent", "query")(_check_text)


class NewLimits(Body):
    """What a run may use: see `leadline.records.Limits`."""

    calls: Number | None = None
    tokens: Tokens | None = None
    cost: Amount | None = Field(default=None, description="In US dollars.")
    seconds: Amount | None = None


def _check_day(value: object) -> object:
    if not isinstance(value, str) or len(value) != len("2026-05-04"):
        raise ValueError("is not a day; give one like 2026-05-04")
    return value


Day = Annotated[dt.date, BeforeValidator(_check_day)]
Site = Annotated[str, Field(pattern=r"^[A-Za-z0-9.-]{1,253}$", examples=["postgresql.org"])]
BackendName = Annotated[str, Field(pattern=NAME, description="The name of a search backend.", examples=["wikipedia"])]


class NewScope(Body):
    """What of the web a run may use: days, both included; host names with their subdomains; pages for each todo."""

    since: Day | None = None
    until: Day | None = None
    sites: list[Site] = Field(default=[], max_length=50)
    not_sites: list[Site] = Field(default=[], max_length=50)
    per_todo: Pages = 5


class NewManner(Body):
    """How a model is to write; `audience` and `instructions` in the asker's own words."""

    length: Literal["short", "normal", "long"] = "normal"
    audience: Text = Field(default="", max_length=500)
    instructions: Text = Field(default="", max_length=2000)

    _no_controls = field_validator("audience", "instructions")(_check_text)


class NewRun(Body):
    """A question, and how it is to be researched."""

    topic: Line = Field(min_length=1, max_length=LONGEST, examples=["How are dead rows reclaimed?"])
    sources: list[LibraryName] = Field(default=[], max_length=20, description="Names of libraries.")
    follows: RunName | None = Field(
        default=None, description="A run whose sources, backends and scope this one keeps, when it names none."
    )
    search: list[BackendName] = Field(
        default=[], max_length=20, description="Search backends; the web's when neither they nor sources are named."
    )
    fallback: list[BackendName] = Field(default=[], max_length=20, description="Asked in turn when those cannot answer.")
    scope: NewScope = NewScope()
    offline: StrictBool = Field(default=False, description="Ask nobody beyond the server's machine.")
    todos: Count | None = Field(default=None, description="How many; at most 5, as the sources ask for, when left out.")
    language: str | None = Field(default=None, pattern=f"^{LANGUAGE.pattern}$", max_length=35, examples=["en", "zh"])
    max_points: Number | None = None
    limits: NewLimits = NewLimits()
    model: Text | None = Field(
        default=None, max_length=200, description="One of those in /config; `none` for none; the configured one when left out."
    )
    manner: NewManner = NewManner()
    depth: Rounds = Field(default=1, description="Rounds of research, with a look over what was found in between.")
    unsupported: Literal["drop", "mark"] = Field(default="drop", description="What becomes of a point that no page holds.")
    plan: list[NewTodo] = Field(default=[], max_length=MOST_TODOS, description="Run these todos instead of planning.")
    review_plan: StrictBool = Field(default=False, description="Wait for approval of the plan before anything is searched for.")

    _no_controls = field_validator("topic", "model")(_check_optional)


class NewPlan(Body):
    """A whole new list of todos. Only what changed is done again."""

    todos: list[NewTodo] = Field(min_length=1, max_length=MOST_TODOS)
    revision: Number | None = Field(default=None, description="The revision that was edited; an old one is refused.")


class Again(Body):
    """Todos to do again, by id; those that failed or found nothing when none is named."""

    todos: list[Number] = Field(default=[], max_length=MOST_TODOS)


class NewDocument(Body):
    """A file. Its name is shown and cited; it cannot lead out of its library."""

    name: str = Field(min_length=1, max_length=200)
    content: str = Field(
        description="The bytes in base64.", pattern=r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
    )


class NewLibrary(Body):
    """Documents that become a library, or are added to one that was made so."""

    name: LibraryName
    documents: list[NewDocument] = Field(min_length=1, max_length=1000)


class NewSession(Body):
    """The token of the server, to be exchanged for a cookie."""

    token: str = Field(min_length=1, max_length=500)


_KEPT = {"sources", "search", "fallback", "scope", "offline"}
"""Of the request of a run that is followed."""


def make_request(body: NewRun, followed: Request | None) -> Request:
    """Return what was asked for as a record.

    Args:
        body: as it was sent.
        followed: what was asked for in the run that this one follows.
    """
    asked = body.model_dump(exclude={"follows", "review_plan"})
    asked["sources"] = [f"@{name}" for name in body.sources]
    if followed and not (body.sources or body.search):
        asked |= followed.model_dump(include=_KEPT)
    asked["plan"] = Plan(todos=number(body.plan, ())) if body.plan else None
    asked["model"] = ModelChoice(name=body.model) if body.model else None
    return Request.model_validate({**asked, "review": body.review_plan})


def number(todos: list[NewTodo], known: tuple[Todo, ...]) -> tuple[Todo, ...]:
    """Return todos as records. Those that were known keep their attempts; new ones get numbers that nobody has had."""
    attempts = {todo.id: todo.attempt for todo in known}
    last = max([*attempts, *(todo.id or 0 for todo in todos)], default=0)
    made = []
    for todo in todos:
        last += todo.id is None
        made.append(
            Todo(
                id=todo.id or last,
                title=todo.title,
                intent=todo.intent,
                query=todo.query or todo.title,
                skip=todo.skip,
                attempt=attempts.get(todo.id or last, 1),
            )
        )
    return tuple(made)

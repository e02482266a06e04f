"""What is sent to the API. A library goes by its name; nothing here can be a path."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from leadline.pipeline.topic import LANGUAGE, LONGEST, find_control
from leadline.records import Limits, Plan, Request, Todo

MOST_TODOS = 12
NAME = r"^[a-z0-9][a-z0-9._-]{0,63}$"
"""Of a library."""


def _check_text(text: str) -> str:
    if wrong := find_control(text):
        raise ValueError(f"holds {wrong}, which no text has")
    return text


Text = Annotated[str, AfterValidator(_check_text)]

LibraryName = Annotated[str, Field(pattern=NAME, description="The name of a library.", examples=["manual"])]


class Body(BaseModel):
    """Base of all bodies: an unknown field is a mistake."""

    model_config = ConfigDict(extra="forbid")


class NewTodo(Body):
    """A todo as a person writes it. One with the `id` of a todo that there is takes its place; one without is added."""

    id: int | None = Field(default=None, ge=1, le=1_000_000)
    title: Text = Field(min_length=1, max_length=500)
    intent: Text = Field(default="", max_length=2000)
    query: Text = Field(default="", max_length=1000, description="What is searched for; the title when left out.")
    skip: bool = False


class NewRun(Body):
    """A question, and how it is to be researched."""

    topic: str = Field(min_length=1, max_length=LONGEST, examples=["How are dead rows reclaimed?"])
    sources: list[LibraryName] = Field(default=[], max_length=20, description="Names of libraries.")
    todos: int | None = Field(default=None, ge=1, le=MOST_TODOS, description="How many; 3 to 5 when left out.")
    language: str | None = Field(default=None, pattern=f"^{LANGUAGE.pattern}$", max_length=35, examples=["en", "zh"])
    max_points: int | None = Field(default=None, ge=1, le=10_000)
    limits: Limits = Limits()
    plan: list[NewTodo] = Field(default=[], max_length=MOST_TODOS, description="Run these todos instead of planning.")
    review_plan: bool = Field(default=False, description="Wait for approval of the plan before anything is searched for.")


class NewPlan(Body):
    """A whole new list of todos. Only what changed is done again."""

    todos: list[NewTodo] = Field(min_length=1, max_length=MOST_TODOS)
    revision: int | None = Field(default=None, ge=1, description="The revision that was edited; refused if it is an old one.")


class Again(Body):
    """Todos to do again, by id; those that failed or found nothing when none is named."""

    todos: list[int] = Field(default=[], max_length=MOST_TODOS)


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


def make_request(body: NewRun) -> Request:
    """Return what was asked for as a record."""
    return Request(
        topic=body.topic,
        sources=tuple(f"@{name}" for name in body.sources),
        todos=body.todos,
        language=body.language,
        max_points=body.max_points,
        limits=body.limits,
        plan=Plan(todos=number(body.plan, ())) if body.plan else None,
        review=body.review_plan,
    )


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

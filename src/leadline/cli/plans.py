"""A plan as a person edits it: JSON, read with care and printed as it is read."""

import json
import sys
from pathlib import Path

from pydantic import JsonValue, ValidationError

from leadline.errors import PlanError
from leadline.records import Plan

SHAPE = '{"todos": [{"title": "What a dead row is", "intent": "the basics", "query": "dead row definition"}]}'
LARGEST = 1_000_000
"""Bytes. A plan of twelve todos has a few thousand."""


def print_plan(plan: Plan) -> str:
    """Return the plan as JSON that `read_plan` accepts."""
    return json.dumps(plan.model_dump(mode="json"), ensure_ascii=False, indent=2)


def read_plan(name: str) -> Plan:
    """Read a plan from a file, or from stdin when the name is `-`. Todos without an `id` are numbered in order.

    Raises:
        PlanError: there is no such file, or what it holds has not the shape of a plan; the message names the place.
    """
    place = "stdin" if name == "-" else repr(name)
    try:
        data = sys.stdin.buffer.read(LARGEST + 1) if name == "-" else _read_bytes(Path(name))
        if len(data) > LARGEST:
            raise PlanError(f"The plan in {place} is larger than {LARGEST:,} bytes. {_advice()}")
        content = json.loads(data)
    except OSError as error:
        raise PlanError(f"The plan {place} cannot be read: {error.strerror}. {_advice()}") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise PlanError(f"The plan in {place} is not JSON at {where}: {error.msg}. {_advice()}") from error
    except (ValueError, RecursionError) as error:
        raise PlanError(f"The plan in {place} is not JSON. {_advice()}") from error
    return _as_plan(content, place)


def _read_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def _as_plan(content: JsonValue, place: str) -> Plan:
    try:
        return Plan.model_validate(_numbered(content))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the top"
        found = repr(first["input"])
        found = found if len(found) <= 60 else f"{found[:60]}…"
        raise PlanError(f"The plan in {place} is wrong at {where}: {first['msg']}, found {found}. {_advice()}") from error


def _numbered(content: JsonValue) -> JsonValue:
    """Fill in the ids that a person left out."""
    todos = content.get("todos") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(todos, list):
        return content
    return {**content, "todos": [{"id": n, **t} if isinstance(t, dict) else t for n, t in enumerate(todos, 1)]}


def _advice() -> str:
    return f"The right shape: {SHAPE}; leadline research TOPIC --in PATH --plan-only prints one to edit."

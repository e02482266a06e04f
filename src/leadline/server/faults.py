"""What goes wrong, in one shape: `{"error": {"code", "message", "fields"}}`, whatever the address."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from leadline.errors import (
    LeadlineError,
    NotFound,
    NoWorker,
    RunFailed,
    StoreError,
    UsageError,
)
from leadline.server.access import route_path

_STATUS: tuple[tuple[type[LeadlineError], int], ...] = ((NotFound, 404), (NoWorker, 503), (StoreError, 503), (RunFailed, 504))
"""Every other UsageError is 409: the request is what the description asks for, and cannot be met as things stand. One that is
not what the description asks for is 422, and never gets as far as an error of ours."""


Code = Literal[
    "sign_in",
    "unreadable",
    "unauthorized",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "conflict",
    "too_large",
    "unsupported_media_type",
    "wrong_host",
    "not_allowed",
    "too_many_requests",
    "mistake",
    "unavailable",
    "timed_out",
]

_CODES: dict[int, Code] = {
    303: "sign_in",
    400: "unreadable",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    415: "unsupported_media_type",
    421: "wrong_host",
    422: "not_allowed",
    429: "too_many_requests",
    500: "mistake",
    503: "unavailable",
    504: "timed_out",
}


class Field(BaseModel):
    """A part of the request that is not allowed. `name` is where it is: `body.todos.0.query`."""

    name: str
    message: str


class Fault(BaseModel):
    """What went wrong: `code` for programs, `message` for people."""

    code: Code
    message: str
    fields: list[Field] = []


class Failure(BaseModel):
    """The body of every answer that is not what was asked for."""

    error: Fault


def answer(status: int, message: str, fields: list[Field] | None = None, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer for something that went wrong."""
    failure = Failure(error=Fault(code=_CODES[status], message=message, fields=fields or []))
    text = json.dumps(failure.model_dump(), ensure_ascii=False)  # what was found wrong may be half a character
    return Response(text.encode("utf-8", "replace"), status, headers, "application/json")


def find_status(error: LeadlineError) -> int:
    """Return the HTTP status of an error."""
    for kind, status in _STATUS:
        if isinstance(error, kind):
            return status
    return 409 if isinstance(error, UsageError) else 500


def install(app: FastAPI) -> None:
    """Let an app answer in this shape."""
    app.add_exception_handler(LeadlineError, _answer_leadline)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(Exception, _answer_bug)


async def _answer_leadline(request: Request, error: Exception) -> Response:
    assert isinstance(error, LeadlineError)
    return answer(find_status(error), str(error))


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        message = f"There is nothing at {request.url.path!r}; /api/v1/openapi.json lists what there is."
    elif error.status_code == 405:
        allowed = ", ".join(_find_methods(request)) or (error.headers or {}).get("allow", "")
        message = f"{request.method} is not possible at {request.url.path!r}; allowed: {allowed}."
        return answer(405, message, headers={"allow": allowed})
    elif error.status_code == 400:
        message = "The body cannot be read as JSON in UTF-8."
    else:
        message = str(error.detail)
    return answer(error.status_code, message, headers=error.headers)


def _find_methods(request: Request) -> list[str]:
    """Return the methods that are described of an address; Starlette knows those of one route only."""
    path, described = route_path(request.scope), request.app.openapi()["paths"]
    return sorted(method.upper() for each in described if compile_path(each)[0].match(path) for method in described[each])


async def _answer_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    fields = [Field(name=".".join(map(str, each["loc"])), message=_explain(each)) for each in error.errors()]
    told = "; ".join(f"{field.name}: {field.message}" for field in fields[:3])
    return answer(422, f"The request is not as it should be: {told}.", fields)


def _explain(error: Mapping[str, Any]) -> str:
    given = error.get("input")
    if error["type"] in ("missing", "json_invalid") or given is None:
        return str(error["msg"])
    shown = json.dumps(given, ensure_ascii=False, default=str)
    return f"{error['msg']}, found {shown if len(shown) <= 60 else shown[:60] + '…'}"


async def _answer_bug(request: Request, error: Exception) -> Response:
    return answer(500, f"This is a mistake in Leadline ({type(error).__name__}). Please report it with what you did.")


FAILURES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Failure, "description": "The request cannot be met; the message says why and what to do."},
    "5XX": {"model": Failure, "description": "The server cannot do it for the moment."},
}
"""For OpenAPI: the answers that any address may give."""

"""What this server is and will use, whether it lives, and coming in with its token."""

import asyncio
from http import HTTPStatus
from importlib.metadata import version
from typing import get_args

from fastapi import APIRouter, Request, Response

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.errors import SourceError
from leadline.library import Registry
from leadline.search.registry import Entry, list_entries
from leadline.server.access import COOKIE
from leadline.server.answers import Backend, Configuration, Health, Missing
from leadline.server.bodies import NewSession
from leadline.server.guard import Refused
from leadline.server.place import Here, User
from leadline.server.runs import Suffix
from leadline.settings import Settings
from leadline.web import Choice, check_backends

router = APIRouter(tags=["server"])
health = APIRouter(tags=["server"])


@health.get("/healthz")
async def tell_health(here: Here) -> Health:
    """Say that the server answers."""
    return Health(working=here.working)


@router.get("/config")
async def show_configuration(here: Here, user: User) -> Configuration:
    """Say what a run will use, what is missing, and the way out."""
    libraries = [library.name for library in await asyncio.to_thread(Registry(here.desk.settings.home).list)]
    missing = [] if libraries else [Missing(what="no library", fix="Send documents, or: leadline library add NAME PATH")]
    backends = await asyncio.to_thread(_list_backends, here.desk.settings)
    return Configuration(
        version=version("leadline"),
        analyst=ExtractiveAnalyst.name,
        libraries=libraries,
        search=backends,
        missing=missing,
        formats=list(get_args(Suffix)),
        user=user,
        token=here.access.token is not None,
    )


def _list_backends(settings: Settings) -> list[Backend]:
    return [_describe(entry, settings) for entry in list_entries()]


def _describe(entry: Entry, settings: Settings) -> Backend:
    if entry.provider is None:
        return Backend(name=entry.name, ready=False, fix=entry.fault)
    try:
        check_backends(Choice((entry.name,), ()), settings, offline=False)
    except SourceError as error:
        return Backend(name=entry.name, ready=False, fix=str(error))
    return Backend(name=entry.name, ready=True, fix="")


@router.post("/session", status_code=204)
async def sign_in(here: Here, request: Request, body: NewSession) -> Response:
    """Exchange the token for a cookie that scripts cannot read and other sites cannot use."""
    access = here.access
    if not access.is_token(body.token):
        raise Refused(HTTPStatus.UNAUTHORIZED, "That is not this server's token.", www_authenticate="Bearer")
    response = Response(status_code=204)
    response.set_cookie(
        COOKIE,
        access.cookie,
        max_age=30 * 86_400,
        path=access.root_path or "/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response


@router.delete("/session", status_code=204)
async def sign_out(here: Here) -> Response:
    """Take the cookie away."""
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path=here.access.root_path or "/", httponly=True, samesite="strict")
    return response

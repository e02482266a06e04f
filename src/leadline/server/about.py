"""What this server is and will use, whether it lives, and coming in with its token."""

import asyncio
from http import HTTPStatus
from importlib import import_module
from importlib.metadata import version

from fastapi import APIRouter, Request, Response

from leadline.library import Registry
from leadline.server.access import COOKIE
from leadline.server.answers import Configuration, Health, Missing, list_models
from leadline.server.bodies import NewSession
from leadline.server.guard import Refused
from leadline.server.place import Here, User
from leadline.server.runs import FORMATS

router = APIRouter(tags=["server"])
health = APIRouter(tags=["server"])


_NO_LIBRARY = Missing(what="no library", fix="Send documents, or: leadline library add NAME PATH")
_NO_MODEL = Missing(
    what="no model",
    fix="Set LEADLINE_MODEL=PROVIDER:NAME, for example ollama:qwen3:8b; without one sentences are taken from the sources.",
)


@health.get("/healthz")
async def tell_health(here: Here) -> Health:
    """Say that the server answers."""
    return Health(working=here.shift is not None)


@router.get("/config")
async def show_configuration(here: Here, user: User) -> Configuration:
    """Say what a run will use, what is missing, and the way out."""
    libraries = [library.name for library in await asyncio.to_thread(Registry(here.desk.settings.home).list)]
    models = list_models(here.desk.settings)
    missing = [_NO_LIBRARY] if not libraries else []
    missing += [_NO_MODEL] if models == ["none"] else []
    backends = await asyncio.to_thread(import_module, "leadline.server.backends")  # loads what asks the web
    return Configuration(
        version=version("leadline"),
        models=models,
        libraries=libraries,
        web=backends.WEB,
        search=await asyncio.to_thread(backends.list_backends, here.desk.settings),
        missing=missing,
        formats=list(FORMATS),
        user=user,
        token=here.access.token is not None,
    )


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

"""The application: routers behind the guard, over one desk."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI

from leadline.desk import Desk
from leadline.server import about, changes, faults, libraries, page, runs
from leadline.server.access import Access
from leadline.server.feeds import Feeds
from leadline.server.guard import Guard
from leadline.server.place import House
from leadline.server.tools import open_tools

API = "/api/v1"


@asynccontextmanager
async def open_app(desk: Desk, access: Access) -> AsyncIterator[FastAPI]:
    """Return the application of a server; its feeds end with the block."""
    app = FastAPI(
        title="Leadline",
        version=version("leadline"),
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # its page would load scripts from another host
        redoc_url=None,
        responses=faults.FAILURES,
    )
    feeds = Feeds(desk.store.runs.watch)
    app.state.house = House(desk, access, feeds)
    app.add_middleware(Guard, access=access)
    faults.install(app)
    app.include_router(about.health)
    app.include_router(page.router)
    for router in (runs.router, changes.router, libraries.router, about.router):
        app.include_router(router, prefix=API)
    async with open_tools(desk) as route:
        app.router.routes.append(route)
        try:
            yield app
        finally:
            feeds.close()

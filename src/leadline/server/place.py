"""What the handlers of requests have at hand."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Request

from leadline.desk import Desk, Shift
from leadline.records import Run
from leadline.server.access import Access
from leadline.server.feeds import Feeds


@dataclass(slots=True)
class House:
    """One server: its desk, its rules, its feeds, and the shift in which it carries runs out, once that has begun."""

    desk: Desk
    access: Access
    feeds: Feeds
    shift: Shift | None = None


def find_house(request: Request) -> House:
    """Return the server that a request has come to."""
    house: House = request.app.state.house
    return house


Here = Annotated[House, Depends(find_house)]


def find_user(request: Request) -> str:
    """Return whom a trusted proxy has named, "" for nobody in particular."""
    return str(request.state.user)


User = Annotated[str, Depends(find_user)]


async def find_run(here: Here, run: Annotated[str, Path(max_length=100, description="Its id, or the start of it.")]) -> Run:
    """Return the run that an address names. Raises NotFound."""
    return await here.desk.store.runs.load(run)


AskedRun = Annotated[Run, Depends(find_run)]

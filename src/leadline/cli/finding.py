"""The run that a person means."""

from leadline.desk import Desk
from leadline.errors import NotFound
from leadline.records import Run


async def find_run(desk: Desk, name: str | None) -> Run:
    """Return the run whose id begins with `name`, or the latest one.

    Raises:
        NotFound: there is none, or more than one.
    """
    if name is not None:
        return await desk.store.runs.load(name)
    latest = await desk.store.runs.list(1)
    if not latest:
        raise NotFound('There are no runs yet. Begin one: leadline research "…" --in FOLDER')
    return await desk.store.runs.load(latest[0].id)

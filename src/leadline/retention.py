"""Deleting runs that have been over for long."""

import datetime as dt
from collections.abc import Sequence

from leadline.desk import Desk
from leadline.records import Run

_PAGE = 100


async def delete_old(desk: Desk, days: int, now: dt.datetime) -> Sequence[Run]:
    """Delete the runs that ended more than `days` days before `now`, and return them.

    Raises:
        StoreError: the store cannot be used.
    """
    limit = now - dt.timedelta(days=days)
    deleted: list[Run] = []
    before = limit  # what ended before then was created before then
    while page := await desk.store.runs.list(_PAGE, before):
        for run in page:
            if run.ended is not None and run.ended < limit:
                await desk.delete(run)
                deleted.append(run)
        before = page[-1].created
    return deleted

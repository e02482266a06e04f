"""The report of a run as a file. What writes documents takes half a second to load: import this in a thread."""

import asyncio

from starlette.responses import Response

from leadline import exports
from leadline.exports.formats import find_format
from leadline.exports.material import collect
from leadline.records import Run
from leadline.server.naming import attachment
from leadline.store import Store


async def send_report(store: Store, run: Run, suffix: str) -> Response:
    """Return the report of a run as a file to be saved.

    Args:
        store: where the run is kept.
        run: one that has a report.
        suffix: of a known format, without its dot.

    Raises:
        UsageError: the run has no report yet, or this format cannot be written here.
    """
    material = await collect(store, run)
    name = f"{exports.slug(material.report.title)}.{suffix}"
    chosen = find_format(name)
    made = await asyncio.to_thread(chosen.make, material)
    return Response(made, media_type=chosen.media_type, headers={"content-disposition": attachment(name)})

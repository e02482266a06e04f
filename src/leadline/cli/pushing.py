"""`leadline library push`: a library into an engine that many machines ask."""

from contextlib import AsyncExitStack

from leadline import web
from leadline.cli.closing import count
from leadline.cli.streams import put
from leadline.errors import SourceError
from leadline.library import Library
from leadline.search.opensearch import OpenSearch
from leadline.settings import load_settings


async def push_library(name: str) -> None:
    """Write the documents into the index that the settings of `opensearch` name."""
    settings, choice = load_settings(), web.Choice(("opensearch",), ())
    web.check_backends(choice, settings, offline=False)
    library = await Library.open([f"@{name.removeprefix('@')}"], settings.home)
    async with AsyncExitStack() as stack:
        engine = web.open_backends(choice, settings, False, stack)["opensearch"]
        if not isinstance(engine, OpenSearch):
            raise SourceError(f"The search backend 'opensearch' is a {type(engine).__name__} of another package; remove that.")
        pushed = await engine.push(library.list_pages())
    put(f"@{name.removeprefix('@')}: {count(pushed, 'document')} in the index. Ask it with --search opensearch")

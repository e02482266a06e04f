"""Who reads what a report cites: the documents that somebody names, the files beside the report, the web."""

import asyncio
import hashlib
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urlsplit

from leadline.documents import read_document
from leadline.documents.opening import LARGEST
from leadline.errors import DocumentError
from leadline.ports import Reader
from leadline.records import Hit, NotRead, Page


class FileReader:
    """Reads files below one folder, by their paths from there.

    Args:
        folder: that of the report; an address that leads out of it is not followed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return the page of a file."""
        return await asyncio.to_thread(self._read, hit.address)

    def _read(self, address: str) -> Page | NotRead:
        try:
            path = (self._folder / unquote(address.split("#")[0])).resolve()
            if not path.is_relative_to(self._folder) or not path.is_file():
                return NotRead(address=address, reason="it is no file beside the report; name where it is: --in FOLDER")
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)  # what is larger, `read_document` refuses
            document = read_document(content, path.name)
        except (OSError, ValueError, DocumentError) as error:
            return NotRead(address=address, reason=f"the file cannot be read ({error})")
        return Page(id=hashlib.sha256(content).hexdigest(), address=address, text=document.text, title=document.title)


class ChosenReader:
    """Reads addresses of the web from the web, and all others from whoever has them first.

    Args:
        web: reads `http` and `https`.
        others: asked one after the other.
    """

    def __init__(self, web: Reader, others: Sequence[Reader]) -> None:
        self._web = web
        self._others = others

    async def read(self, hit: Hit) -> Page | NotRead:
        """Return the page, or the last reason why there is none.

        A document of a folder has the folder's name before its path where a run had several sources: it is asked for with the
        name and without.
        """
        if urlsplit(hit.address).scheme.lower() in ("http", "https"):
            return await self._web.read(hit)
        found: Page | NotRead = NotRead(address=hit.address, reason="nobody has it")
        addresses = dict.fromkeys((hit.address, hit.address.partition("/")[2] or hit.address))
        for reader, address in product(self._others, addresses):
            found = await reader.read(hit.model_copy(update={"address": address}))
            if isinstance(found, Page):
                return found
        return found

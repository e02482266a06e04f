"""From the bytes of a web page to a document: the one place where reading calls the readers of documents."""

import asyncio
from urllib.parse import unquote, urlsplit

from leadline.documents import Document, read_document
from leadline.errors import DocumentError, FetchFailed


async def extract(data: bytes, url: str, content_type: str) -> Document:
    """Return what a page says.

    Args:
        data: its bytes.
        url: where they came from, after redirects.
        content_type: as the server gave it.

    Raises:
        FetchFailed: there is no readable text.
    """
    try:
        return await asyncio.to_thread(_read, data, url, content_type)
    except DocumentError as error:
        raise FetchFailed("unreadable", f"it holds no readable text ({error.kind})") from error


def _read(data: bytes, url: str, content_type: str) -> Document:
    name = unquote(urlsplit(url).path).rpartition("/")[2] or "page.html"
    return read_document(data, name)

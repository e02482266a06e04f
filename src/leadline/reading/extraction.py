"""What the bytes of a page are: a document, or something that stands in the way of one."""

import asyncio
from collections.abc import Mapping
from typing import assert_never

from leadline.documents import Document
from leadline.documents.obstacles import Obstacle, find_obstacle
from leadline.documents.web_page import decode_page, read_web_page
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
        return await asyncio.to_thread(read_web_page, data, url, content_type)
    except DocumentError as error:
        raise _unreadable(error) from error


async def find_way_on(data: bytes, url: str, headers: Mapping[str, str]) -> str | None:
    """Return the URL that a page sends its reader on to at once; None for a page that stays.

    Raises:
        FetchFailed: something stands in the way: a challenge, a log-in, a paywall, a request for consent, a page of scripts.
    """
    try:
        obstacle = await asyncio.to_thread(_find_obstacle, data, url, headers)
    except DocumentError as error:
        raise _unreadable(error) from error
    if obstacle is None:
        return None
    match obstacle.kind:
        case "refresh":
            return obstacle.target
        case "challenge":
            raise FetchFailed("blocked", "the site blocked the reader as a robot")
        case "consent":
            raise FetchFailed("unreadable", "the site shows a request for consent instead of the page")
        case "login":
            raise FetchFailed("unreadable", "the site asks for a log-in")
        case "paywall":
            raise FetchFailed("unreadable", "the page is behind a paywall")
        case "script":
            raise FetchFailed("unreadable", "the page has no text without its scripts")
        case _:
            assert_never(obstacle.kind)


def _find_obstacle(data: bytes, url: str, headers: Mapping[str, str]) -> Obstacle | None:
    markup = decode_page(data, headers.get("content-type", ""))
    return None if markup is None else find_obstacle(markup, url, headers)


def _unreadable(error: DocumentError) -> FetchFailed:
    return FetchFailed("unreadable", f"it holds no readable text ({error.kind})")

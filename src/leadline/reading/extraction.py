"""What the bytes of a page are: a document, or something that stands in the way of one."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar, assert_never

from leadline.documents import Document
from leadline.documents.obstacles import Obstacle, find_obstacle
from leadline.documents.web_page import decode_page, read_web_page
from leadline.errors import DocumentError, FetchFailed

T = TypeVar("T")

_KEPT = 256
"""Answers about the last pages: 8 ms of work each, some 40 KB. Runs of one process read the same pages."""

_LARGEST_KEPT = 500_000
"""Bytes of a page above which nothing is kept of it."""

_threads = ThreadPoolExecutor(2, thread_name_prefix="extraction")  # 1,169 pages take 3.7 s in many, 3.1 in one
_answers: OrderedDict[tuple[object, ...], Future[Any]] = OrderedDict()


async def extract(data: bytes, url: str, content_type: str) -> Document:
    """Return what a page says.

    Args:
        data: its bytes.
        url: where they came from, after redirects.
        content_type: as the server gave it.

    Raises:
        FetchFailed: there is no readable text.
    """
    return await _ask_once(read_web_page, data, url, content_type)


async def find_way_on(data: bytes, url: str, headers: Mapping[str, str]) -> str | None:
    """Return the URL that a page sends its reader on to at once; None for a page that stays.

    Raises:
        FetchFailed: something stands in the way: a challenge, a log-in, a paywall, a request for consent, a page of scripts.
    """
    told = tuple((name, headers[name]) for name in ("content-type", "cf-mitigated") if name in headers)
    obstacle = await _ask_once(_find_obstacle, data, url, told)
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


def _find_obstacle(data: bytes, url: str, told: tuple[tuple[str, str], ...]) -> Obstacle | None:
    headers = dict(told)
    markup = decode_page(data, headers.get("content-type", ""))
    return None if markup is None else find_obstacle(markup, url, headers)


async def _ask_once(work: Callable[..., T], data: bytes, *more: object) -> T:
    """Do some work on the bytes of a page in a thread, unless it was done for the same bytes a moment ago, or is being done.

    Raises:
        FetchFailed: the page cannot be read.
    """
    key = (work, hashlib.sha256(data).digest(), *more)
    answer = _answers.pop(key, None) or _threads.submit(_try, work, data, *more)
    if len(data) <= _LARGEST_KEPT:
        _answers[key] = answer
        if len(_answers) > _KEPT:
            _answers.popitem(last=False)
    found: T | DocumentError = await asyncio.shield(asyncio.wrap_future(answer))
    if isinstance(found, DocumentError):
        raise FetchFailed("unreadable", f"it holds no readable text ({found.kind})")
    return found


def _try(work: Callable[..., T], *arguments: object) -> T | DocumentError:
    """Return what work gives, or its failure without the frames that it comes from: they hold trees that only their own thread
    may drop."""
    try:
        return work(*arguments)
    except DocumentError as error:
        return DocumentError(error.kind, str(error))

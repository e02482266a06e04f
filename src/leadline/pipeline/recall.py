"""Typed access to the journal's memo."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import JsonValue, TypeAdapter

from leadline.ports import Journal

T = TypeVar("T")


async def recall(journal: Journal, key: str, kind: str, form: TypeAdapter[T], call: Callable[[], Awaitable[T]]) -> T:
    """Return what `call` answered under `key` in this run, calling it only if that has not been recorded.

    Args:
        journal: the run's memory.
        key: identity of the request within the run.
        kind: what sort of call it is, for accounts.
        form: how the answer is written as JSON and read back.
        call: makes the answer.
    """

    async def as_json() -> JsonValue:
        answer: JsonValue = form.dump_python(await call(), mode="json")
        return answer

    return form.validate_python(await journal.once(key, kind, as_json), strict=False)

"""What goes over the wire, as each server will have it: what it refused is left out, plain answers become streams."""

import json
from dataclasses import dataclass, field
from typing import Any

import httpx2

from leadline.analysts.model.wire import open_client

_SIGNS: dict[str, tuple[str, ...]] = {
    "stream_options": ("stream_options", "include_usage"),
    "enable_thinking": ("enable_thinking",),
    "response_format": ("response_format", "json_schema", "json_object", "json mode", "word json", "word 'json'"),
    "max_tokens": ("max_tokens", "max_completion_tokens", "maximum context", "max tokens", "output tokens"),
    "temperature": ("temperature",),
}
"""Parameter → words by which servers name it when they refuse a request."""


@dataclass(slots=True)
class Dialect:
    """What a server would not have, for the rest of the run."""

    refused: set[str] = field(default_factory=set)

    def adapt(self, refusal: str) -> bool:
        """Learn from the text of a 400; say whether anything new was learnt, so that it is worth asking again."""
        words = refusal.lower()
        named = next((name for name, signs in _SIGNS.items() if any(sign in words for sign in signs)), "")
        if not named or named in self.refused:
            return False
        self.refused.add(named)
        return True

    def translate(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a request without what was refused."""
        kept = {name: value for name, value in body.items() if name not in self.refused}
        if "max_tokens" in self.refused and "max_tokens" in body:
            kept["max_completion_tokens"] = body["max_tokens"]
        if "enable_thinking" in self.refused:
            kept["enable_thinking"] = False
        return kept


class Transport(httpx2.AsyncBaseTransport):
    """A transport that speaks a server's dialect."""

    def __init__(self, dialect: Dialect, is_local: bool) -> None:
        self._dialect = dialect
        self._client = open_client(is_local)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request without what the server refuses; return an answer that is a stream of events."""
        if request.method != "POST":
            return await self._client.send(request, stream=True)
        body = self._dialect.translate(json.loads(await request.aread()))
        response = await self._client.send(_rewrite(request, body), stream=True)
        if response.status_code == 200 and "event-stream" not in response.headers.get("content-type", ""):
            return _as_events(await response.aread(), request)
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _rewrite(request: httpx2.Request, body: dict[str, Any]) -> httpx2.Request:
    headers = [
        (name, value) for name, value in request.headers.raw if name.lower() not in (b"content-length", b"transfer-encoding")
    ]
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return httpx2.Request(request.method, request.url, headers=headers, content=content, extensions=request.extensions)


def _as_events(content: bytes, request: httpx2.Request) -> httpx2.Response:
    """Return a whole answer as the one event of a stream; one that begins like a stream already is one."""
    text = content.decode("utf-8", "replace")
    if not text.lstrip().startswith("data:"):
        text = f"data: {json.dumps(_as_chunk(text), ensure_ascii=False)}\n\ndata: [DONE]\n\n"
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=text.encode(), request=request)


def _as_chunk(text: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except ValueError:
        return {"error": {"message": f"no JSON but {text[:80]!r}", "code": 502}}
    if not isinstance(answer, dict) or answer.get("error") or not isinstance(answer.get("choices"), list):
        error = answer.get("error") if isinstance(answer, dict) else answer
        return {"error": error if isinstance(error, dict) else {"message": str(error or text)[:200]}}
    choices = [{**choice, "delta": choice.get("message") or {}} for choice in answer["choices"] if isinstance(choice, dict)]
    return {**answer, "object": "chat.completion.chunk", "choices": choices}

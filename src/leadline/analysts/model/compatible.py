"""The wire to every OpenAI-compatible server, through `pydantic_ai.direct`; the SDK's own retries are off."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import openai
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    UserPromptPart,
)
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from leadline.analysts.model.asking import SMALLEST, Piece, Prompt
from leadline.analysts.model.failures import judge_status
from leadline.analysts.model.prices import find_published_window
from leadline.analysts.model.providers import Endpoint
from leadline.analysts.model.transport import Dialect, Transport
from leadline.analysts.model.wire import Wire
from leadline.errors import ModelFailed

_PROFILE = OpenAIModelProfile(thinking_tags=("\0", "\0"), openai_chat_supports_max_completion_tokens=False)
"""pydantic-ai takes a think tag only where it is a chunk of its own, and then all that follows; tags are left to our filter."""

_WINDOWS = ("loaded_context_length", "max_model_len", "context_length", "context_window", "max_context_length")
"""Fields by which vLLM, LM Studio, OpenRouter, Groq and Mistral tell the window in their lists of models."""


class CompatibleModel(Wire):
    """A model behind an OpenAI-compatible interface. See `Wire`."""

    def __init__(self, endpoint: Endpoint, silence: float, context: int | None = None) -> None:
        self._dialect = Dialect()
        http = httpx2.AsyncClient(transport=Transport(self._dialect, endpoint.is_local), timeout=None)
        super().__init__(endpoint, silence, context, http)
        client = openai.AsyncOpenAI(
            base_url=endpoint.url, api_key=endpoint.key or "-", max_retries=0, timeout=None, http_client=http
        )
        self._model = OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client), profile=_PROFILE)

    async def _find_window(self) -> int:
        """What is published of it, else what the server says, else 4,096."""
        return find_published_window(self._endpoint) or await self._ask_window() or SMALLEST

    async def _ask_window(self) -> int | None:
        headers = {"authorization": f"Bearer {self._endpoint.key}"} if self._endpoint.key else {}
        try:
            answer = await self._http.get(f"{self._endpoint.url}/models", headers=headers, timeout=self._silence)
            listed = answer.json()["data"]
            mine = [row for row in listed if row.get("id") == self._endpoint.model]
            return next((int(row[name]) for row in mine for name in _WINDOWS if row.get(name)), None)
        except (httpx2.HTTPError, ValueError, KeyError, TypeError, AttributeError):
            return None

    async def _stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        request = ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(prompt.user)])
        settings = ModelSettings(
            max_tokens=prompt.reply, temperature=0.1, extra_body={"response_format": {"type": "json_object"}}
        )
        try:
            async with model_request_stream(self._model, [request], model_settings=settings) as answer:
                async for event in answer:
                    yield Piece(_read_text(event))
                yield Piece("", answer.usage.input_tokens, answer.usage.output_tokens)
        except ModelHTTPError as error:
            raise self._explain(error) from error
        except UnexpectedModelBehavior:
            return  # an empty answer: no choice, no content, or reasoning alone
        except AgentRunError as error:
            cause: Any = error.__cause__ or error
            raise httpx2.TransportError(str(cause.__cause__ or cause)) from error

    def _explain(self, error: ModelHTTPError) -> ModelFailed:
        cause: Any = error.__cause__
        headers = getattr(getattr(cause, "response", None), "headers", {})
        body = error.body if isinstance(error.body, str) else _read_message(error.body)
        failed = judge_status(self._endpoint, error.status_code, body, headers)
        if error.status_code in (400, 422) and failed.kind == "refused" and self._dialect.adapt(body):
            return ModelFailed("adapted", self.name, failed.detail)
        return failed


def _read_message(body: object) -> str:
    """Return what an error says of itself, with its code."""
    if not isinstance(body, dict):
        return str(body)
    inner = body.get("error", body)
    return (
        " ".join(str(inner[name]) for name in ("message", "code", "type") if inner.get(name))
        if isinstance(inner, dict)
        else str(inner)
    )


def _read_text(event: ModelResponseStreamEvent) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
        case _:
            return ""

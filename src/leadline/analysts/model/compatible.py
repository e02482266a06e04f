"""The wire to every OpenAI-compatible server, through `pydantic_ai.direct`; the SDK's own retries are off."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
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

from leadline.analysts.model.asking import GREETING, SMALLEST, Piece, Prompt
from leadline.analysts.model.failures import hide_keys, judge_status, silent_for
from leadline.analysts.model.prices import find_published_window
from leadline.analysts.model.providers import Endpoint
from leadline.analysts.model.transport import Dialect, Transport
from leadline.errors import ModelFailed

_PROFILE = OpenAIModelProfile(thinking_tags=("\0", "\0"), openai_chat_supports_max_completion_tokens=False)
"""pydantic-ai takes a think tag only where it is a chunk of its own, and then all that follows; tags are left to our filter."""

_WINDOWS = ("loaded_context_length", "max_model_len", "context_length", "context_window", "max_context_length")
"""Fields by which vLLM, LM Studio, OpenRouter, Groq and Mistral tell the window in their lists of models."""


class CompatibleModel:
    """A model behind an OpenAI-compatible interface.

    Args:
        endpoint: where it is.
        silence: seconds without a sign of life after which it counts as dead.
        context: its window in tokens, where the server is not to be asked.
    """

    def __init__(self, endpoint: Endpoint, silence: float, context: int | None = None) -> None:
        self.name = endpoint.name
        self._endpoint, self._silence, self._window = endpoint, silence, context
        self._dialect = Dialect()
        self._http = httpx2.AsyncClient(transport=Transport(self._dialect, endpoint.is_local), timeout=None)
        client = openai.AsyncOpenAI(
            base_url=endpoint.url, api_key=endpoint.key or "-", max_retries=0, timeout=None, http_client=self._http
        )
        self._model = OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client), profile=_PROFILE)

    async def greet(self) -> None:
        """See whether it answers at all. Raises ModelFailed."""
        for _ in range(3):
            try:
                async for _ in self.ask(GREETING):
                    pass
                return
            except ModelFailed as error:
                if error.kind != "adapted":
                    raise

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def window(self) -> int:
        """Return its window: what is published of it, else what the server says, else 4,096."""
        if self._window is None:
            self._window = find_published_window(self._endpoint) or await self._ask_window() or SMALLEST
        return self._window

    async def _ask_window(self) -> int | None:
        headers = {"authorization": f"Bearer {self._endpoint.key}"} if self._endpoint.key else {}
        try:
            answer = await self._http.get(f"{self._endpoint.url}/models", headers=headers, timeout=self._silence)
            listed = answer.json()["data"]
            mine = [row for row in listed if row.get("id") == self._endpoint.model]
            return next((int(row[name]) for row in mine for name in _WINDOWS if row.get(name)), None)
        except (httpx2.HTTPError, ValueError, KeyError, TypeError, AttributeError):
            return None

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """Yield the answer as it comes.

        Raises:
            ModelFailed: there is none.
        """
        request = ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(prompt.user)])
        settings = ModelSettings(
            max_tokens=prompt.reply, temperature=0.1, extra_body={"response_format": {"type": "json_object"}}
        )
        begun = False
        with self._translated():
            async with (
                silent_for(self._silence, self.name) as heard,
                model_request_stream(self._model, [request], model_settings=settings) as answer,
            ):
                try:
                    async for event in answer:
                        heard()
                        if text := _read_text(event):
                            begun = True
                            yield Piece(text)
                except (AgentRunError, httpx2.HTTPError):
                    if not begun:  # what has come before a connection broke is an answer that was cut
                        raise
                usage = answer.usage
                yield Piece("", usage.input_tokens, usage.output_tokens, answer.finish_reason == "length")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        endpoint = self._endpoint
        try:
            yield
        except ModelHTTPError as error:
            raise self._explain(error) from error
        except UnexpectedModelBehavior:
            return  # an empty answer: no choice, no content, or reasoning alone
        except (AgentRunError, httpx2.HTTPError) as error:
            cause: Any = error.__cause__ or error
            detail = hide_keys(f"{endpoint.url} cannot be reached: {cause.__cause__ or cause}", endpoint.key)
            raise ModelFailed("unreachable", self.name, detail) from error

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

"""The wire to Ollama in its own protocol: only there the window can be set; without it prompts lose their front."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from leadline.analysts.model.asking import GREETING, SMALLEST, Piece, Prompt
from leadline.analysts.model.failures import hide_keys, judge_status, silent_for
from leadline.analysts.model.providers import Endpoint
from leadline.analysts.model.transport import open_client
from leadline.errors import ModelFailed

_ENOUGH = 8192
"""Tokens that no prompt of ours needs more of; a window costs memory, whether it is filled or not."""


class OllamaModel:
    """A model of an Ollama server.

    Args:
        endpoint: where it is.
        silence: seconds without a sign of life after which it counts as dead.
        context: its window in tokens, where the server is not to be asked.
    """

    def __init__(self, endpoint: Endpoint, silence: float, context: int | None = None) -> None:
        self.name = endpoint.name
        self._endpoint, self._silence, self._window = endpoint, silence, context
        headers = {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._http = open_client(endpoint.is_local, base_url=endpoint.url, headers=headers)

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
        """Return the window that is asked for: as large as the model allows and prompts need."""
        if self._window is None:
            self._window = min(await self._ask_window() or SMALLEST, _ENOUGH)
        return self._window

    async def _ask_window(self) -> int | None:
        try:
            answer = await self._http.post("/api/show", json={"model": self._endpoint.model}, timeout=self._silence)
            facts = answer.json().get("model_info", {})
            return next((int(value) for name, value in facts.items() if name.endswith(".context_length")), None)
        except (httpx2.HTTPError, ValueError, TypeError, AttributeError):
            return None

    async def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """Yield the answer as it comes.

        Raises:
            ModelFailed: there is none.
        """
        body = {
            "model": self._endpoint.model,
            "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
            "stream": True,
            "format": "json",
            "options": {"num_ctx": await self.window(), "num_predict": prompt.reply, "temperature": 0.1},
        }
        begun = False
        try:
            async with (
                silent_for(self._silence, self.name) as heard,
                self._http.stream("POST", "/api/chat", json=body) as answer,
            ):
                if answer.status_code != 200:
                    raise self._explain(answer.status_code, (await answer.aread()).decode("utf-8", "replace"))
                async for line in answer.aiter_lines():
                    heard()
                    piece = self._read(line)
                    begun = begun or bool(piece.text)
                    yield piece
        except httpx2.HTTPError as error:
            if not begun:
                detail = hide_keys(f"{self._endpoint.url} cannot be reached: {error}", self._endpoint.key)
                raise ModelFailed("unreachable", self.name, detail) from error

    def _read(self, line: str) -> Piece:
        try:
            said: dict[str, Any] = json.loads(line)
        except ValueError:
            return Piece()
        if said.get("error"):
            raise self._explain(500, str(said["error"]))
        text = (said.get("message") or {}).get("content")
        return Piece(
            text if isinstance(text, str) else "",
            said.get("prompt_eval_count") or 0,
            said.get("eval_count") or 0,
            said.get("done_reason") == "length",
        )

    def _explain(self, status: int, text: str) -> ModelFailed:
        if status == 404 and "not found" in text:
            return ModelFailed("missing", self.name, f"ollama pull {self._endpoint.model}")
        return judge_status(self._endpoint, status, text, {})

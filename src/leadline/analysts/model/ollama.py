"""The wire to Ollama in its own protocol: only there the window can be set; without it prompts lose their front."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from leadline.analysts.model.asking import SMALLEST, Piece, Prompt
from leadline.analysts.model.failures import judge_status
from leadline.analysts.model.providers import Endpoint
from leadline.analysts.model.wire import Wire, open_client, read_lines
from leadline.errors import ModelFailed

_ENOUGH = 8192
"""Tokens that no prompt of ours needs more of; a window costs memory, whether it is filled or not."""


class OllamaModel(Wire):
    """A model of an Ollama server. See `Wire`."""

    def __init__(self, endpoint: Endpoint, silence: float, context: int | None = None) -> None:
        headers = {"authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        super().__init__(endpoint, silence, context, open_client(endpoint.is_local, base_url=endpoint.url, headers=headers))

    async def _find_window(self) -> int:
        """As large as the model allows and prompts need."""
        try:
            answer = await self._http.post("/api/show", json={"model": self._endpoint.model}, timeout=self._silence)
            facts = answer.json().get("model_info", {})
            told = next((int(value) for name, value in facts.items() if name.endswith(".context_length")), SMALLEST)
        except (httpx2.HTTPError, ValueError, TypeError, AttributeError):
            told = SMALLEST
        return min(told, _ENOUGH)

    async def _stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        body = {
            "model": self._endpoint.model,
            "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
            "stream": True,
            "format": "json",
            "options": {"num_ctx": await self.window(), "num_predict": prompt.reply, "temperature": 0.1},
        }
        async with self._http.stream("POST", "/api/chat", json=body) as answer:
            if answer.status_code != 200:
                raise self._explain(answer.status_code, (await answer.aread()).decode("utf-8", "replace"))
            async for line in read_lines(answer):
                yield self._read(line)

    def _read(self, line: str) -> Piece:
        try:
            said: dict[str, Any] = json.loads(line)
        except ValueError:
            return Piece()
        if said.get("error"):
            raise self._explain(500, str(said["error"]))
        text = (said.get("message") or {}).get("content")
        return Piece(text if isinstance(text, str) else "", said.get("prompt_eval_count") or 0, said.get("eval_count") or 0)

    def _explain(self, status: int, text: str) -> ModelFailed:
        if status == 404 and "not found" in text:
            return ModelFailed("missing", self.name, f"ollama pull {self._endpoint.model}")
        return judge_status(self._endpoint, status, text, {})

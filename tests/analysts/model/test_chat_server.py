"""The model server of the benchmarks, asked by OpenAI's own client: whole answers, streams, tools, formats."""

import json
from collections.abc import AsyncIterator
from typing import Any

import openai
import pytest
from bench.chat import ChatServer, Reply

MESSAGES: Any = [{"role": "system", "content": "You answer."}, {"role": "user", "content": "How? Say it as JSON."}]
SCHEMA: Any = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}
FIND: Any = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}


@pytest.fixture
async def server() -> AsyncIterator[ChatServer]:
    async with ChatServer(
        lambda asked: Reply('{"answer": "so"}', tools=(("find", {"q": "rows"}),) if "tools" in asked.body else ())
    ) as opened:
        yield opened


async def _ask(server: ChatServer, **more: Any) -> Any:
    async with openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key="x", max_retries=0) as client:
        answer = await client.chat.completions.create(model="good", messages=more.pop("messages", MESSAGES), **more)
        return [event async for event in answer] if more.get("stream") else answer


async def test_a_whole_answer(server: ChatServer) -> None:
    answer = await _ask(server)
    (choice,) = answer.choices
    assert (choice.message.content, choice.finish_reason) == ('{"answer": "so"}', "stop")
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens > 0


async def test_a_stream_says_the_same(server: ChatServer) -> None:
    events = await _ask(server, stream=True, stream_options={"include_usage": True})
    assert "".join(event.choices[0].delta.content or "" for event in events) == '{"answer": "so"}'
    assert events[-1].usage.completion_tokens == 4


@pytest.mark.parametrize("stream", [False, True])
async def test_tools_are_called(server: ChatServer, stream: bool) -> None:
    answer = await _ask(server, tools=[FIND], stream=stream)
    choices = [event.choices[0] for event in answer] if stream else answer.choices
    parts = [choice.delta if stream else choice.message for choice in choices]
    (call,) = (call for part in parts for call in part.tool_calls or ())
    assert (call.function.name, json.loads(call.function.arguments)) == ("find", {"q": "rows"})
    assert choices[-1].finish_reason == "tool_calls"


@pytest.mark.parametrize("form", [SCHEMA, {"type": "json_object"}])
async def test_formats_are_taken_or_refused(server: ChatServer, form: Any) -> None:
    answer = await _ask(server, response_format=form)
    assert json.loads(answer.choices[0].message.content)
    server.formats = ("text",)
    with pytest.raises(openai.BadRequestError, match="is not available"):
        await _ask(server, response_format=form)


async def test_a_json_object_needs_the_word(server: ChatServer) -> None:
    with pytest.raises(openai.BadRequestError, match="must contain the word 'json'"):
        await _ask(server, messages=[{"role": "user", "content": "How?"}], response_format={"type": "json_object"})

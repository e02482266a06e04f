"""A model server of this machine, as slow as real ones: OpenAI's and Ollama's protocols, a model that answers as it is told.

`python -m bench.chat` serves a good model until it is stopped and prints its port. Tests give it other answers.
"""

import argparse
import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

_PASSAGE = re.compile(r"^\[(\d+\.\d+)\] (.+)$", re.MULTILINE)
_ASPECTS = ("vacuum dead rows", "index heap pages", "checkpoint log segments", "planner statistics", "lock processes")
TOKEN = 4
"""Characters a token."""


@dataclass(frozen=True)
class Asked:
    """A request to the model: its body, what system and user said, and the headers."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def system(self) -> str:
        """The system message."""
        return str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        """The user's message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def stage(self) -> str:
        """What the prompt is for, by its first sentence."""
        return next((stage for words, stage in _STAGES.items() if self.system.startswith(words)), "?")


_STAGES = {
    "You plan": "plan",
    "You summarise": "summarise",
    "You find": "locate",
    "You correct": "repair",
    "You review": "review",
    "You write the overview": "overview",
    "You write the summary": "summary",
}


@dataclass(frozen=True)
class Reply:
    """An answer. `raw` is sent as it is, with `status` and `headers`, in the place of what the protocol wants.

    `chunks` are sent one by one where they are given; `thinking` goes before the text in a field of its own. `pause` seconds
    are waited before the last chunk. `tools` are calls of tools after the text, by name and arguments.
    """

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    chunks: tuple[str, ...] = ()
    thinking: str = ""
    cut: bool = False
    pause: float = 0.0
    prompt_tokens: int | None = None
    tools: tuple[tuple[str, Mapping[str, Any]], ...] = ()


Model = Callable[[Asked], Reply]


def good_model(asked: Asked) -> Reply:
    """Plan four todos, repeat what the passages say, sum up: 200 tokens for a plan, 600 for points, 100 for a text."""
    match asked.stage:
        case "plan":
            todos = [{"title": a.capitalize(), "intent": f"What is known of {a}." + " More." * 16} for a in _ASPECTS[:4]]
            return Reply(json.dumps({"queries": _ASPECTS[:4], "todos": todos}))
        case "summarise":
            return _as_json("points", list(_repeat(asked.user, 600 * TOKEN)), 600 * TOKEN)
        case "overview" | "summary":
            return _as_json("sentences", list(_repeat(asked.user, 100 * TOKEN)), 100 * TOKEN)
        case "locate":
            label, text = _PASSAGE.findall(asked.user)[0]
            return _as_json("quotes", [{"draft": 1, "cite": label, "text": text}])
        case "repair":
            return Reply('{"text": "", "quote": ""}')
        case _:
            return Reply('{"todos": []}')


def loose_model(asked: Asked) -> Reply:
    """Do as a good model, but add words of its own to the first point."""
    reply = good_model(asked)
    if asked.stage != "summarise":
        return reply
    points = json.loads(reply.text)["points"]
    points[0]["text"] = f"Under ordinary circumstances, {points[0]['text']}"
    return _as_json("points", points)


def _as_json(name: str, items: list[dict[str, Any]], size: int = 0) -> Reply:
    return Reply(json.dumps({name: items}, ensure_ascii=False).ljust(size))


def _repeat(prompt: str, size: int) -> Iterator[dict[str, Any]]:
    """Yield passages of a prompt as points that cite them, some hundred characters each, as many as fit, but one at least."""
    first = True
    for label, text in _PASSAGE.findall(prompt):
        if label == "0.1":
            continue
        said = " ".join(re.split(r"(?<=[.。])\s?", text)[:2]).strip()
        size -= len(said) + 40
        if size < 0 and not first:
            return
        yield {"text": said, "cites": [label]}
        first = False


class ChatServer(AbstractAsyncContextManager["ChatServer"]):
    """The server. `asked` are the requests for answers that it got, `busy` the most that it worked on at once.

    Args:
        model: answers.
        first: seconds before the first token.
        rate: tokens a second; None for all at once.
        chunk: tokens a chunk.
        window: that the server reports.
        formats: types of response_format that the server knows; another is answered with 400.
    """

    def __init__(
        self,
        model: Model = good_model,
        first: float = 0.0,
        rate: float | None = None,
        chunk: int = 20,
        window: int | None = 32768,
        formats: Sequence[str] = ("text", "json_object", "json_schema"),
    ) -> None:
        self.model, self.first, self.rate, self.chunk, self.window = model, first, rate, chunk, window
        self.formats = formats
        self.asked: list[Asked] = []
        self.busy = self._at_work = 0

    async def __aenter__(self) -> Self:
        await self.open(0)
        return self

    async def open(self, port: int) -> int:
        """Listen, and return the port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return int(self.port)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._at_work += 1
        self.busy = max(self.busy, self._at_work)
        try:
            await self._talk(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._at_work -= 1
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        path = head[0].split(" ")[1]
        if path.endswith("/models"):
            self.busy = max(0, self.busy - 1)
            _send(writer, 200, {}, json.dumps({"data": [{"id": "good", "max_model_len": self.window}]}).encode())
        elif path == "/api/show":
            self.busy = max(0, self.busy - 1)
            _send(writer, 200, {}, json.dumps({"model_info": {"test.context_length": self.window}}).encode())
        else:
            asked = Asked(path, json.loads(content), headers)
            self.asked.append(asked)
            await self._answer(asked, self.model(asked), writer)
        await writer.drain()

    async def _answer(self, asked: Asked, reply: Reply, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(self.first)
        if reply.raw is not None or reply.status != 200:
            _send(writer, reply.status, reply.headers, reply.raw or b"")
            return
        if "/chat" not in asked.path:
            _send(writer, 404, {}, b'{"error": {"message": "no such path"}}')
            return
        if refusal := find_refusal(asked.body, self.formats):
            _send(writer, 400, {}, json.dumps({"error": {"message": refusal}}).encode())
            return
        native = asked.path == "/api/chat"
        if not native and not asked.body.get("stream"):
            await asyncio.sleep(len(reply.text) / TOKEN / self.rate if self.rate else 0)
            _send(writer, 200, {}, _openai_answer(asked, reply))
            return
        kind = "application/x-ndjson" if native else "text/event-stream"
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n".encode())
        size = self.chunk * TOKEN
        chunks = reply.chunks or [reply.text[start : start + size] for start in range(0, len(reply.text), size)]
        make = _ollama_line if native else _openai_event
        if reply.thinking:
            writer.write(make(thinking=reply.thinking))
        for place, chunk in enumerate(chunks):
            if self.rate:
                await asyncio.sleep(len(chunk) / TOKEN / self.rate)
            if reply.pause and place == len(chunks) - 1:
                await writer.drain()
                await asyncio.sleep(reply.pause)
            writer.write(make(text=chunk))
            await writer.drain()
        if reply.tools:
            writer.write(_openai_event(tools=reply.tools))
        tokens = _count(asked, reply, sum(map(len, chunks)))
        writer.write(make(end=_find_end(reply), tokens=tokens))
        writer.write(b"" if native else b"data: [DONE]\n\n")


def find_refusal(body: Mapping[str, Any], formats: Sequence[str]) -> str:
    """Return why a server does not take a request with this response_format, "" when it does."""
    kind = (body.get("response_format") or {}).get("type", "text")
    if kind not in formats:
        return f"response_format of type {kind!r} is not available"
    if kind == "json_object" and "json" not in json.dumps(body["messages"]).lower():
        return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
    return ""


def _find_end(reply: Reply) -> str:
    return "length" if reply.cut else "tool_calls" if reply.tools else "stop"


def _count(asked: Asked, reply: Reply, size: int) -> tuple[int, int]:
    return reply.prompt_tokens or (len(asked.system) + len(asked.user)) // TOKEN, size // TOKEN


def _list_calls(tools: Sequence[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    return [
        {"index": n, "id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for n, (name, arguments) in enumerate(tools)
    ]


def _openai_answer(asked: Asked, reply: Reply) -> bytes:
    text = "".join(reply.chunks) or reply.text
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    message |= {"reasoning_content": reply.thinking} if reply.thinking else {}
    message |= {"tool_calls": _list_calls(reply.tools)} if reply.tools else {}
    answer: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 1, "model": "good"}
    answer["choices"] = [{"index": 0, "message": message, "finish_reason": _find_end(reply)}]
    answer["usage"] = _as_usage(_count(asked, reply, len(text)))
    return json.dumps(answer).encode()


def _as_usage(tokens: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}


def _send(writer: asyncio.StreamWriter, status: int, headers: Mapping[str, str], body: bytes) -> None:
    usual = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in (usual | dict(headers)).items())]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)


def _openai_event(
    text: str = "",
    thinking: str = "",
    end: str = "",
    tokens: tuple[int, int] = (0, 0),
    tools: Sequence[tuple[str, Mapping[str, Any]]] = (),
) -> bytes:
    delta: dict[str, Any] = {"content": text} | ({"reasoning_content": thinking} if thinking else {})
    delta |= {"tool_calls": _list_calls(tools)} if tools else {}
    event: dict[str, Any] = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "good"}
    event["choices"] = [{"index": 0, "delta": {} if end else delta, "finish_reason": end or None}]
    if end:
        event["usage"] = _as_usage(tokens)
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def _ollama_line(text: str = "", thinking: str = "", end: str = "", tokens: tuple[int, int] = (0, 0)) -> bytes:
    line: dict[str, Any] = {"message": {"role": "assistant", "content": text, "thinking": thinking}, "done": bool(end)}
    if end:
        line |= {"done_reason": end, "prompt_eval_count": tokens[0], "eval_count": tokens[1]}
    return json.dumps(line).encode() + b"\n"


async def main() -> None:
    """Serve, and print the port as the first line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--first", type=float, default=0.5, help="seconds before the first token")
    parser.add_argument("--rate", type=float, default=100.0, help="tokens a second")
    parser.add_argument("--loose", action="store_true", help="words each first point anew, so that it has to be asked about")
    options = parser.parse_args()
    server = ChatServer(loose_model if options.loose else good_model, first=options.first, rate=options.rate)
    print(await server.open(options.port), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())

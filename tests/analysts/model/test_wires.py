"""One request, as servers of all kinds answer it."""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from bench.chat import Asked, ChatServer, Model, Reply
from bench.misbehaviour import NoAccount

from leadline.analysts.model.asking import Prompt
from leadline.analysts.model.failures import hide_keys
from leadline.analysts.model.hiring import Staff, find_endpoint, find_endpoints
from leadline.analysts.model.providers import PROVIDERS, find_url
from leadline.errors import ModelFailed, UsageError
from leadline.models import ModelChoice
from leadline.records import Request
from leadline.settings import Settings
from leadline.store import open_store
from leadline.wiring import check_model

PROMPT = Prompt("You answer with JSON.", "Say hello.", "plan", 100)
NATIVE = "ollama:good"
COMPATIBLE = "compatible:good"


@dataclass
class Clock:
    """A clock that does not wait. `slept` are the seconds that it was asked to."""

    slept: list[float] = field(default_factory=list)

    def now(self) -> dt.datetime:
        return dt.datetime.now(dt.UTC)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def no_key(name: str, variables: Sequence[str]) -> str:
    return ""


@dataclass
class Line:
    """A line to a server: all wrappers, a wire, and what was told."""

    staff: Staff
    account: NoAccount
    clock: Clock
    names: tuple[str, ...]
    url: str

    async def say(self, prompt: Prompt = PROMPT) -> str:
        endpoints = [find_endpoint(name, self.url, no_key) for name in self.names]
        return "".join([piece.text async for piece in self.staff.hire(*endpoints).ask(prompt)])


@asynccontextmanager
async def line(
    server: ChatServer,
    *names: str,
    url: str = "",
    silence: float = 5.0,
    parallel: int | None = None,
    per_minute: int | None = None,
) -> AsyncIterator[Line]:
    account, clock = NoAccount(), Clock()
    async with await open_store(None) as store:
        staff = Staff(account, store.journal("run1"), clock, silence, ModelChoice(parallel=parallel), per_minute)
        yield Line(staff, account, clock, names or (COMPATIBLE,), url or server.url)
        await staff.close()


def replies(*made: Reply) -> Model:
    left = list(made)
    return lambda asked: left.pop(0) if len(left) > 1 else left[0]


def failing(status: int, message: str, code: str = "", **headers: str) -> Reply:
    raw = json.dumps({"error": {"message": message, "code": code}}).encode()
    return Reply(raw=raw, status=status, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize("name", [COMPATIBLE, NATIVE])
async def test_an_answer_comes_over_the_wire(name: str) -> None:
    async with ChatServer(replies(Reply('{"a": "好的"}', thinking="hm"))) as server, line(server, name) as to:
        assert await to.say() == '{"a": "好的"}'


@pytest.mark.parametrize(
    "path",
    ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/chat/completions/", "/api/chat", "/api", "/api/generate"],
)
async def test_urls_work_as_people_copy_them(path: str) -> None:
    name = NATIVE if path.startswith("/api") else COMPATIBLE
    async with ChatServer(replies(Reply("{}"))) as server, line(server, name, url=f' "{server.url}{path}" ') as to:
        assert await to.say() == "{}"
        assert server.asked[0].path == ("/api/chat" if name == NATIVE else "/v1/chat/completions")


async def test_a_url_without_scheme_works_and_one_that_is_wrong_is_named() -> None:
    async with ChatServer(replies(Reply("{}"))) as server:
        async with line(server, url=f"127.0.0.1:{server.port}") as to:
            assert await to.say() == "{}"
        async with line(server, url=f"{server.url}/other/place") as to:
            server.model = replies(failing(404, "no such page"))
            with pytest.raises(ModelFailed, match=f"{server.url}/other/place answered 404") as caught:
                await to.say()
    assert caught.value.kind == "missing"


@pytest.mark.parametrize(
    ("refusal", "gone", "now"),
    [
        ("response_format of type json_schema is not available", "response_format", {}),
        ("'json_object' is not supported by this model", "response_format", {}),
        ("the prompt must contain the word json", "response_format", {}),
        ("enable_thinking must be set to false for non-streaming calls", "", {"enable_thinking": False}),
        ("max_tokens is above the limit of this model", "max_tokens", {"max_completion_tokens": 100}),
        ("unknown parameter: stream_options", "stream_options", {}),
        ("temperature does not support 0.1 with this model", "temperature", {}),
    ],
)
async def test_a_parameter_that_is_refused_is_left_out_for_the_rest_of_the_run(
    refusal: str, gone: str, now: dict[str, object]
) -> None:
    async with ChatServer(replies(failing(400, refusal), Reply("{}"))) as server, line(server) as to:
        assert await to.say() == "{}"
        assert await to.say(Prompt("You answer with JSON.", "Again.", "plan", 100)) == "{}"
    assert len(server.asked) == 3
    for asked in server.asked[1:]:
        assert not gone or gone not in asked.body
        assert now.items() <= dict(asked.body).items()


async def test_no_more_than_two_parameters_are_given_up_for_one_request_and_any_other_400_is_shown() -> None:
    names = ("temperature", "stream_options", "response_format", "max_tokens")
    async with ChatServer(replies(*(failing(400, f"{name} not allowed") for name in names))) as server, line(server) as to:
        with pytest.raises(ModelFailed, match="not allowed") as caught:
            await to.say()
        assert (caught.value.kind, len(server.asked)) == ("refused", 3)
    async with ChatServer(replies(failing(400, "the moon is wrong"))) as server, line(server) as to:
        with pytest.raises(ModelFailed, match="the moon is wrong"):
            await to.say()
        assert len(server.asked) == 1


async def test_a_model_that_refuses_everything_does_not_pass_for_one_that_answers(home: Path) -> None:
    names = ("temperature", "stream_options", "response_format", "max_tokens")
    async with ChatServer(replies(*(failing(400, f"{name} not allowed") for name in names))) as server:
        asked = Request(topic="x", model=ModelChoice(name="lmstudio:m", url=server.url))
        with pytest.raises(ModelFailed, match="not allowed"):
            await check_model(asked, Settings(home=home))


async def test_it_waits_as_long_as_it_is_told_in_seconds_and_as_a_date() -> None:
    date = (dt.datetime.now(dt.UTC) + dt.timedelta(seconds=30)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    slow = [failing(429, "slow down", Retry_After="2"), failing(429, "slow down", Retry_After=date), Reply("{}")]
    async with ChatServer(replies(*slow)) as server, line(server) as to:
        assert await to.say() == "{}"
    assert to.clock.slept[0] == 2
    assert 25 < to.clock.slept[1] <= 30


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (failing(429, "come back tomorrow", Retry_After="86400"), "rate limited"),
        (failing(429, "You exceeded your current quota", "insufficient_quota"), "no quota"),
        (failing(402, "Payment Required"), "no quota"),
        (failing(400, "账户余额不足"), "no quota"),
        (failing(401, "Incorrect API key provided: sk-test-ABCDEFGH"), "no key"),
        (failing(403, "not for you"), "no key"),
    ],
)
async def test_what_waiting_does_not_help_fails_at_once(reply: Reply, kind: str) -> None:
    async with ChatServer(replies(reply)) as server, line(server) as to:
        with pytest.raises(ModelFailed) as caught:
            await to.say()
    assert (caught.value.kind, len(server.asked), to.clock.slept) == (kind, 1, [])
    assert "ABCDEFGH" not in str(caught.value)


@pytest.mark.parametrize("name", [COMPATIBLE, NATIVE])
async def test_an_overloaded_server_is_asked_up_to_four_times(name: str) -> None:
    async with ChatServer(replies(failing(503, "overloaded"))) as server, line(server, name) as to:
        with pytest.raises(ModelFailed, match="overloaded") as caught:
            await to.say()
    assert (caught.value.kind, len(server.asked), to.clock.slept) == ("unavailable", 4, [1.0, 3.0, 9.0])


ODD = {
    "no choice": b'data: {"choices": []}\n\ndata: [DONE]\n\n',
    "choices that are null": b'data: {"choices": null}\n\ndata: [DONE]\n\n',
    "content that is null": b'data: {"choices": [{"index": 0, "delta": {"content": null}}]}\n\ndata: [DONE]\n\n',
    "reasoning alone": b'data: {"choices": [{"index": 0, "delta": {"reasoning_content": "HIDDEN"}}]}\n\ndata: [DONE]\n\n',
    "nothing": b"",
}


@pytest.mark.parametrize("kind", ODD)
async def test_an_answer_without_text_is_empty_and_no_crash(kind: str) -> None:
    reply = Reply(raw=ODD[kind], headers={"Content-Type": "text/event-stream"})
    async with ChatServer(replies(reply)) as server, line(server) as to:
        assert await to.say() == ""


WHOLE = {
    "a plain answer": ({"choices": [{"index": 0, "message": {"role": "assistant", "content": "{}"}}]}, "{}"),
    "content as a list": ({"choices": [{"index": 0, "message": {"content": [{"type": "text", "text": "{}"}]}}]}, "{}"),
    "a plain answer without text": ({"choices": [{"index": 0, "message": {"content": None}}]}, ""),
    "a plain answer without a choice": ({"choices": []}, ""),
}


@pytest.mark.parametrize("kind", WHOLE)
async def test_a_server_that_does_not_stream_is_understood(kind: str) -> None:
    body, text = WHOLE[kind]
    async with ChatServer(replies(Reply(raw=json.dumps(body).encode()))) as server, line(server) as to:
        assert await to.say() == text


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"error": {"message": "out of memory"}}', "out of memory"),
        (b'{"error": "model crashed"}', "model crashed"),
        (b'{"detail": "who are you"}', "who are you"),
        (b"<html>please log in</html>", "please log in"),
    ],
)
async def test_an_error_with_status_200_is_an_error(raw: bytes, said: str) -> None:
    async with ChatServer(replies(Reply(raw=raw))) as server, line(server) as to:
        with pytest.raises(ModelFailed, match=said):
            await to.say()


async def test_an_error_in_the_middle_of_ollamas_stream_is_an_error() -> None:
    async with ChatServer(replies(Reply(raw=b'{"error": "unexpected EOF"}\n'))) as server, line(server, NATIVE) as to:
        with pytest.raises(ModelFailed, match="unexpected EOF"):
            await to.say()


async def test_a_model_that_ollama_lacks_says_how_to_get_it() -> None:
    missing = Reply(raw=b'{"error": "model \'qwen3:8b\' not found"}', status=404)
    async with ChatServer(replies(missing)) as server, line(server, "ollama:qwen3:8b") as to:
        with pytest.raises(ModelFailed, match="ollama pull qwen3:8b"):
            await to.say()
    assert server.asked[0].body["model"] == "qwen3:8b"


@pytest.mark.parametrize("name", [COMPATIBLE, NATIVE])
async def test_silence_is_counted_not_the_length_of_an_answer_nor_of_the_queue(name: str) -> None:
    async with ChatServer(replies(Reply("x" * 80, pause=0.6)), first=0.0) as server, line(server, name, silence=0.3) as to:
        with pytest.raises(ModelFailed, match=f"{name}: 0.3 s") as caught:
            await to.say()
    assert caught.value.kind == "timed out"
    async with ChatServer(replies(Reply("x" * 80)), rate=200, chunk=2) as server, line(server, name, silence=0.3) as to:
        prompts = [Prompt("JSON", str(n), "plan", 100) for n in range(5)]
        assert await asyncio.gather(*map(to.say, prompts)) == ["x" * 80] * 5


async def test_all_runs_keep_together_to_the_pace_that_is_set() -> None:
    async with (
        ChatServer(replies(Reply("{}"))) as server,
        line(server, per_minute=2) as to,
        line(server, per_minute=2) as other,
    ):
        for number, run in enumerate((to, other, to)):
            await run.say(Prompt("You answer with JSON.", f"Say {number}.", "plan", 100))
        assert other.clock.slept == []
        (waited,) = to.clock.slept
        assert 0 < waited <= 60


@pytest.mark.parametrize(("parallel", "most"), [(None, 1), (3, 3)])
async def test_a_server_on_this_machine_gets_one_request_at_a_time_unless_told(parallel: int | None, most: int) -> None:
    async with ChatServer(replies(Reply("{}")), first=0.05) as server, line(server, parallel=parallel) as to:
        await asyncio.gather(*(to.say(Prompt("JSON", str(n), "plan", 100)) for n in range(6)))
    assert server.busy == most


async def test_no_proxy_is_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    for model in (COMPATIBLE, NATIVE):
        async with ChatServer(replies(Reply("{}"))) as server, line(server, model) as to:
            assert await to.say() == "{}"


async def test_another_model_is_asked_when_one_fails_and_that_is_told() -> None:
    def answer(asked: Asked) -> Reply:
        return failing(401, "no key") if asked.body["model"] == "first" else Reply("{}")

    async with ChatServer(answer) as server, line(server, "compatible:first", "compatible:second") as to:
        assert await to.say() == "{}"
    assert "compatible:second" in to.account.remarks[0]


async def test_what_was_answered_is_never_asked_again() -> None:
    async with ChatServer(replies(Reply('{"n": 1}'), Reply('{"n": 2}'))) as server, line(server) as to:
        assert [await to.say(), await to.say()] == ['{"n": 1}', '{"n": 1}']
        other = Prompt(PROMPT.system, PROMPT.user, "plan", 100, key="retried")
        assert await to.say(other) == '{"n": 2}'


@pytest.mark.parametrize("name", [COMPATIBLE, NATIVE])
async def test_only_a_line_feed_ends_a_line_of_a_stream(name: str) -> None:
    said = '{"a": "第一行\u2028尾\u0085完\x0c"}'
    event = {"choices": [{"index": 0, "delta": {"content": said}}], "message": {"content": said}}
    raw = (b"data: " if name == COMPATIBLE else b"") + json.dumps(event, ensure_ascii=False).encode() + b"\r\n\r\n"
    reply = Reply(raw=raw, headers={"Content-Type": "text/event-stream"})
    async with ChatServer(replies(reply)) as server, line(server, name) as to:
        assert await to.say() == said


@pytest.mark.parametrize("name", [COMPATIBLE, NATIVE])
@pytest.mark.parametrize("end", [b"", b'{"error": "out of memory"}'])
async def test_an_answer_that_breaks_off_leaves_what_has_come(name: str, end: bytes) -> None:
    said = '{"half": ["a"'
    raw = {
        COMPATIBLE: b"data: %s\n\n" % json.dumps({"choices": [{"index": 0, "delta": {"content": said}}]}).encode(),
        NATIVE: json.dumps({"message": {"content": said}}).encode() + b"\n",
    }[name] + (b"data: %s\n\n" % end if end and name == COMPATIBLE else end)
    headers = {"Content-Type": "text/event-stream", "Content-Length": "99999"}
    async with ChatServer(replies(Reply(raw=raw, headers=headers))) as server, line(server, name) as to:
        assert await to.say() == said


async def test_nobody_at_home_is_said_with_the_address() -> None:
    async with ChatServer() as server:
        url = server.url
    async with line(server, url=url) as to:
        with pytest.raises(ModelFailed, match=f"{url}/v1 cannot be reached") as caught:
            await to.say()
    assert caught.value.kind == "unreachable"


async def test_a_server_that_reads_half_of_a_prompt_is_told() -> None:
    long = Prompt("JSON", "Dead rows are reclaimed. " * 500, "plan", 100)
    async with ChatServer(replies(Reply("{}", prompt_tokens=600))) as server, line(server) as to:
        await to.say(long)
    assert "model_cut_prompt" in to.account.remarks[0]


@pytest.mark.parametrize("name", [name for name in PROVIDERS if name != "compatible"])
def test_every_provider_has_a_place_and_a_key_of_its_own(name: str) -> None:
    assert find_url(PROVIDERS[name], "").startswith("http")
    found = find_endpoints(ModelChoice(name=f"{name}:m:1"), lambda name, variables: f"key of {variables[0]}")
    assert found[0].model == "m:1"
    assert found[0].key == f"key of {PROVIDERS[name].keys[0]}"


@pytest.mark.parametrize("name", ["openai:gpt-4o", "qwen:qwen-plus"])
def test_a_missing_key_is_said_before_anything_is_asked(name: str) -> None:
    variable = PROVIDERS[name.split(":")[0]].keys[0]
    with pytest.raises(UsageError, match=f"set {variable}"):
        find_endpoints(ModelChoice(name=name), no_key)


@pytest.mark.parametrize("name", ["ollama:m", "vllm:m", "lmstudio:m", "compatible:m"])
def test_a_server_of_ones_own_needs_no_key_on_whichever_machine(name: str) -> None:
    assert find_endpoints(ModelChoice(name=name, url="http://192.168.1.7:8000"), no_key)[0].key == ""


@pytest.mark.parametrize("name", ["gpt-4o", "nobody:gpt", "openai:", ":x", ""])
def test_a_name_that_is_none_says_how_one_looks(name: str) -> None:
    with pytest.raises(UsageError, match="PROVIDER:NAME"):
        find_endpoint(name, "", no_key)


@pytest.mark.parametrize("url", ["ftp://x", "http://", "not a url", "http://[::1", "http://x:port"])
def test_a_url_that_is_none_says_how_one_looks(url: str) -> None:
    with pytest.raises(UsageError, match="http://"):
        find_url(PROVIDERS["vllm"], url)


@pytest.mark.parametrize(
    "text", ["key sk-test-ABCDEFGH9 wrong", "https://x/?key=SECRET99&q=1", "Bearer abc.def.ghi", "AIzaSyA1234567890abc"]
)
def test_keys_are_taken_out_of_what_providers_say(text: str) -> None:
    assert not any(part in hide_keys(text) for part in ("ABCDEFGH9", "SECRET99", "abc.def", "1234567890"))


def test_the_own_key_is_taken_out_whatever_it_looks_like() -> None:
    assert hide_keys("Wrong key hunter2!", "hunter2") == "Wrong key ***!"

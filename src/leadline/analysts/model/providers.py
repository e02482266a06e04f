"""The providers known by name: where they are, and which variable holds their key. All but Ollama speak one protocol."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from leadline.errors import FetchFailed, UsageError
from leadline.network.gate import find_place, is_here


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of models.

    Attributes:
        name: as it is typed before the colon.
        url: base of its OpenAI-compatible interface; "" where a person must name it.
        keys: variables that may hold its key, the first that is set counts.
        native: whether its own protocol is spoken instead.
    """

    name: str
    url: str
    keys: tuple[str, ...]
    native: bool = False

    @property
    def needs_key(self) -> bool:
        """Whether nobody is let in without a key: true of providers in the internet, not of programs of one's own."""
        return self.url.startswith("https")


PROVIDERS = {
    provider.name: provider
    for provider in (
        Provider("openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",)),
        Provider("anthropic", "https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",)),
        Provider("google", "https://generativelanguage.googleapis.com/v1beta/openai", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
        Provider("deepseek", "https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",)),
        Provider("qwen", "https://dashscope.aliyuncs.com/compatible-mode/v1", ("DASHSCOPE_API_KEY",)),
        Provider("mistral", "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",)),
        Provider("groq", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
        Provider("openrouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
        Provider("ollama", "http://127.0.0.1:11434", ("OLLAMA_API_KEY",), native=True),
        Provider("vllm", "http://127.0.0.1:8000/v1", ("VLLM_API_KEY",)),
        Provider("lmstudio", "http://127.0.0.1:1234/v1", ("LMSTUDIO_API_KEY",)),
        Provider("compatible", "", ("LEADLINE_MODEL_KEY",)),
    )
}
_ALIASES = {
    "gemini": "google",
    "dashscope": "qwen",
    "lm-studio": "lmstudio",
    "openai-compatible": "compatible",
    "claude": "anthropic",
}
_NATIVE_PATHS = re.compile(r"/(?:v1|api)(?:/.*)?$")
_CALLS = re.compile(r"/(?:chat/)?completions$")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked, and by which name it goes there. `key` is "" where none is set."""

    provider: Provider
    model: str
    url: str
    key: str = ""

    @property
    def name(self) -> str:
        """Provider and model, as a person types them."""
        return f"{self.provider.name}:{self.model}"

    @property
    def host(self) -> str:
        """The host that is asked."""
        return urlsplit(self.url).hostname or ""

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return is_here(self.host)


def read_name(name: str) -> tuple[Provider, str]:
    """Split `PROVIDER:NAME` at its first colon.

    Raises:
        UsageError: there is no such provider, or no name.
    """
    prefix, _, model = name.strip().partition(":")
    provider = PROVIDERS.get(_ALIASES.get(prefix.lower(), prefix.lower()))
    if provider is None or not model.strip():
        known = ", ".join(PROVIDERS)
        raise UsageError(f"{name!r} is no model; name it as PROVIDER:NAME, for example ollama:qwen3:8b. Providers: {known}.")
    return provider, model.strip()


def find_url(provider: Provider, given: str) -> str:
    """Return the base of a provider's interface, from whatever a person has copied: with quotes, spaces, path or without.

    Raises:
        UsageError: it is no URL, or none is named and the provider has none of its own.
    """
    url = given.strip().strip("\"'“”‘’").strip() or provider.url
    if not url:
        raise UsageError(f"{provider.name} has no URL of its own; name it: --model-url http://HOST:PORT/v1")
    url = url if "://" in url else f"http://{url}"
    wrong = UsageError(f"{given!r} is no URL of a model server; give one like http://127.0.0.1:8000/v1.")
    try:
        find_place(url)
    except FetchFailed as error:
        raise wrong from error
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or " " in url:
        raise wrong
    base = f"{parts.scheme}://{parts.netloc}"
    path = _CALLS.sub("", parts.path.rstrip("/"))
    if provider.native:
        return base + _NATIVE_PATHS.sub("", path)
    return base + (path or "/v1")

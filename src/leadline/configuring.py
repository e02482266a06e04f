"""The settings file as people see and change it. What it means is for `settings` to say."""

import os
import secrets
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from leadline.analysts.model.providers import PROVIDERS
from leadline.errors import OutputError, UsageError
from leadline.settings import CONFIG, MODEL_VARIABLES, Settings, load_settings

_SEARCH = ("key", "url", "per_minute")
_NAMES = (
    *(f"model.{name}" for name in (*MODEL_VARIABLES, "silence", "per_minute")),
    *(f"keys.{name}" for name in PROVIDERS),
    "reading.allow",
)
MASK = "***"


@dataclass(frozen=True, slots=True)
class Shown:
    """A setting that is set: its name in the file, its value (a key masked), and where it comes from."""

    name: str
    value: str
    origin: str


def find_path(settings: Settings) -> Path:
    """Return where the settings file is, or would be."""
    return settings.home / CONFIG


def list_settings(settings: Settings) -> list[Shown]:
    """Return what is set, environment before file. Nothing of a key is shown."""
    shown = {shown.name: shown for shown in _flatten(settings.config)}
    for name, variable in _list_variables():
        if value := settings.environ.get(variable):
            shown[name] = Shown(name, MASK if _is_secret(name) else value, variable)
    return sorted(shown.values(), key=lambda one: one.name)


def _list_variables() -> Iterator[tuple[str, str]]:
    yield from ((f"model.{name}", variable) for name, variable in (*MODEL_VARIABLES.items(), ("silence", "LEADLINE_SILENCE")))
    yield from ((f"keys.{one.name}", variable) for one in PROVIDERS.values() for variable in reversed(one.keys))
    yield "reading.allow", "LEADLINE_ALLOW"
    yield "home", "LEADLINE_HOME"


def _flatten(table: Mapping[str, object], above: str = "") -> Iterator[Shown]:
    for key, value in table.items():
        name = f"{above}{key}"
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{name}.")
        else:
            yield Shown(name, MASK if _is_secret(name) else str(value), CONFIG)


def _is_secret(name: str) -> bool:
    return name.startswith("keys.") or name.rpartition(".")[2] in ("key", "token", "password", "secret")


def set_value(settings: Settings, name: str, value: str) -> Path:
    """Set a value in the settings file, which nobody but its owner may read; its comments stay. An empty value takes it out.

    Raises:
        UsageError: there is no such setting, or the value is not allowed; the file is as it was.
        OutputError: the file cannot be written.
    """
    import tomlkit

    _check_name(name)
    path = find_path(settings)
    document = tomlkit.parse(path.read_text(encoding="utf-8") if path.exists() else "")
    *tables, key = name.split(".")
    place: tomlkit.TOMLDocument | tomlkit.items.Table = document
    for table in tables:
        place = place.setdefault(table, tomlkit.table())
    place[key] = _read_value(name, value)
    if not value:
        del place[key]
    text = tomlkit.dumps(document)
    changed = load_settings({"LEADLINE_HOME": str(settings.home)}, tomllib.loads(text))
    if tables[0] == "search":
        changed.find_search(tables[1])
    _write(path, text)
    return path


def _check_name(name: str) -> None:
    parts = name.split(".")
    if name not in _NAMES and not (len(parts) == 3 and parts[0] == "search" and parts[2] in _SEARCH):
        known = ", ".join(_NAMES)
        raise UsageError(f"There is no setting {name!r}; there are {known}, and search.BACKEND.{'|'.join(_SEARCH)}.")


def _read_value(name: str, value: str) -> object:
    """Return a value in the type that it has in the file."""
    if name == "reading.allow":
        return [part.strip() for part in value.split(",") if part.strip()]
    if name.endswith((".context", ".parallel", ".per_minute")) and value.isdecimal():
        return int(value)
    return value


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        beside.replace(path)
    except OSError as error:
        raise OutputError(
            f"The settings file {str(path)!r} cannot be written ({error.strerror}); make its folder yours."
        ) from error

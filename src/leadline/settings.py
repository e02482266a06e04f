"""What the environment and the settings file decide: read here, once, and nowhere else."""

import math
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import ValidationError

from leadline.errors import UsageError
from leadline.models import ModelChoice
from leadline.search.provider import name_variables

SILENCE = 120.0
"""Seconds that a model on a slow machine may take to read a long prompt."""

CONFIG = "config.toml"
"""Name of the settings file in the data folder."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a user has set for one search backend: `[search.NAME]`, and before that the environment."""

    key: str = field(default="", repr=False)
    url: str = ""
    per_minute: int | None = None
    options: Mapping[str, object] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process.

    Attributes:
        home: the data folder (store, libraries, `config.toml`). `LEADLINE_HOME`, or the user's data folder of this platform.
        database_url: `LEADLINE_DATABASE_URL`: a PostgreSQL URL, or None for SQLite in the data folder.
        keep_days: `LEADLINE_KEEP_DAYS`: days that workers keep a run after it has ended; None for ever.
        editor: `VISUAL`, else `EDITOR`: the command that a person edits text with; None when neither is set.
        token: `LEADLINE_TOKEN`: what who comes to the server from elsewhere must know.
        allow: `LEADLINE_ALLOW`, or `allow` of `[reading]`: services of one's own that pages may be read from, as `HOST:PORT`.
        model: the models of runs that name none: `LEADLINE_MODEL`, `LEADLINE_MODEL_URL`, `LEADLINE_FAST_MODEL`,
            `LEADLINE_FALLBACK_MODEL`, `LEADLINE_CONTEXT` and `LEADLINE_PARALLEL`, or `[model]`.
        silence: `LEADLINE_SILENCE`, or `silence` of `[model]`: seconds without a sign after which a model counts as dead.
        per_minute: of `[model]`: requests a minute to each provider of models; None for no such limit.
        environ: the environment, for the settings of search backends, whose names are not known here.
        config: what the settings file holds.
    """

    home: Path
    database_url: str | None = None
    keep_days: int | None = None
    editor: str | None = None
    token: str | None = field(default=None, repr=False)
    allow: tuple[str, ...] = ()
    model: ModelChoice = field(default_factory=ModelChoice)
    silence: float = SILENCE
    per_minute: int | None = None
    environ: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    config: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def find_search(self, name: str) -> SearchSettings:
        """Return the settings of a search backend: `NAME_API_KEY` and `NAME_URL` before `[search.NAME]`.

        Raises:
            UsageError: the table holds what is not allowed.
        """
        table = _read_table(self.config, "search", name)
        key, url = table.pop("key", ""), table.pop("url", "")
        for label, value in (("key", key), ("url", url)):
            if not isinstance(value, str):
                kind = type(value).__name__
                raise UsageError(f"{label} in [search.{name}] of {CONFIG} is of type {kind}; it must be text in quotes.")
        stem = name_variables(name)
        key, url = self.environ.get(f"{stem}_API_KEY") or key, self.environ.get(f"{stem}_URL") or url
        per_minute = _read_pace(table.pop("per_minute", None), f"search.{name}")
        return SearchSettings(key=key.strip(), url=url.strip(), per_minute=per_minute, options=table)

    def find_key(self, name: str, variables: Sequence[str]) -> str:
        """Return the key of a provider of models: its own variables before `[keys]`; "" where there is none."""
        table = _read_table(self.config, "keys")
        return next((self.environ[v] for v in variables if self.environ.get(v)), str(table.get(name, ""))).strip()


def load_settings(environ: Mapping[str, str] | None = None, config: Mapping[str, Any] | None = None) -> Settings:
    """Read the settings.

    Args:
        environ: what to read instead of the environment of this process. An empty value counts as unset.
        config: what to read instead of the settings file.

    Raises:
        UsageError: a value is not allowed.
    """
    values = dict(os.environ) if environ is None else environ
    home = Path(values.get("LEADLINE_HOME") or platformdirs.user_data_dir("leadline", appauthor=False)).expanduser().absolute()
    config = _read_config(home / CONFIG) if config is None else config
    return Settings(
        home=home,
        database_url=values.get("LEADLINE_DATABASE_URL") or None,
        keep_days=_read_days(values.get("LEADLINE_KEEP_DAYS", "")),
        editor=values.get("VISUAL") or values.get("EDITOR") or None,
        token=values.get("LEADLINE_TOKEN") or None,
        allow=_read_allow(values.get("LEADLINE_ALLOW", ""), config),
        model=_read_model(values, config),
        silence=_read_silence(values, config),
        per_minute=_read_pace(_read_table(config, "model").get("per_minute"), "model"),
        environ=values,
        config=config,
    )


def _read_days(value: str) -> int | None:
    if not value:
        return None
    if not value.isdecimal() or int(value) == 0:
        raise UsageError(f"LEADLINE_KEEP_DAYS={value!r} is not allowed; give whole days, 1 or more, or unset it to keep all.")
    return int(value)


MODEL_VARIABLES = {
    "name": "LEADLINE_MODEL",
    "url": "LEADLINE_MODEL_URL",
    "fast": "LEADLINE_FAST_MODEL",
    "fallback": "LEADLINE_FALLBACK_MODEL",
    "context": "LEADLINE_CONTEXT",
    "parallel": "LEADLINE_PARALLEL",
}
"""Field of a choice of models, and of `[model]` → its variable."""


def _read_model(values: Mapping[str, str], config: Mapping[str, Any]) -> ModelChoice:
    table = _read_table(config, "model")
    given = {name: values.get(variable) or table.get(name) for name, variable in MODEL_VARIABLES.items()}
    try:
        return ModelChoice.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        raise UsageError(
            f"{MODEL_VARIABLES[name]}={given[name]!r} is not allowed ({error.errors()[0]['msg']});"
            f" mend it, or {name} in [model] of {CONFIG}."
        ) from error


def _read_silence(values: Mapping[str, str], config: Mapping[str, Any]) -> float:
    value = values.get("LEADLINE_SILENCE") or _read_table(config, "model").get("silence", SILENCE)
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0 < seconds < math.inf:
        raise UsageError(f"LEADLINE_SILENCE={value!r} is not allowed; give seconds, more than 0, for example 300.")
    return seconds


def _read_pace(value: object, table: str) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return value
    raise UsageError(f"per_minute = {value!r} in [{table}] of {CONFIG} is not allowed; give whole requests, 1 or more.")


def _read_config(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"The settings file {str(path)!r} is not TOML ({error}); mend it or move it away.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The settings file {str(path)!r} cannot be read ({error}); make it readable UTF-8.") from error


def _read_allow(value: str, config: Mapping[str, Any]) -> tuple[str, ...]:
    if value:
        return tuple(part.strip() for part in value.split(",") if part.strip())
    listed = _read_table(config, "reading").get("allow", [])
    if not isinstance(listed, list) or not all(isinstance(part, str) for part in listed):
        raise UsageError(f'allow in [reading] of {CONFIG} must be a list of services, as allow = ["localhost:8080"].')
    return tuple(listed)


def _read_table(config: Mapping[str, Any], *path: str) -> dict[str, Any]:
    table: object = config
    for name in path:
        table = table.get(name, {}) if isinstance(table, Mapping) else None
    if not isinstance(table, Mapping):
        raise UsageError(f"[{'.'.join(path)}] of {CONFIG} must be a table.")
    return dict(table)

"""What the environment decides: read here, once, and nowhere else."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from leadline.errors import UsageError


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process.

    Attributes:
        home: the data folder (store, libraries). `LEADLINE_HOME`, or the user's data folder of this platform.
        database_url: `LEADLINE_DATABASE_URL`: a PostgreSQL URL, or None for SQLite in the data folder.
        keep_days: `LEADLINE_KEEP_DAYS`: days that workers keep a run after it has ended; None for ever.
        editor: `VISUAL`, else `EDITOR`: the command that a person edits text with; None when neither is set.
        token: `LEADLINE_TOKEN`: what who comes to the server from elsewhere must know.
    """

    home: Path
    database_url: str | None = None
    keep_days: int | None = None
    editor: str | None = None
    token: str | None = field(default=None, repr=False)


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings.

    Args:
        environ: what to read instead of the environment of this process. An empty value counts as unset.

    Raises:
        UsageError: a value is not allowed.
    """
    values = os.environ if environ is None else environ
    home = values.get("LEADLINE_HOME") or platformdirs.user_data_dir("leadline", appauthor=False)
    return Settings(
        home=Path(home).expanduser().absolute(),
        database_url=values.get("LEADLINE_DATABASE_URL") or None,
        keep_days=_read_days(values.get("LEADLINE_KEEP_DAYS", "")),
        editor=values.get("VISUAL") or values.get("EDITOR") or None,
        token=values.get("LEADLINE_TOKEN") or None,
    )


def _read_days(value: str) -> int | None:
    if not value:
        return None
    if not value.isdecimal() or int(value) == 0:
        raise UsageError(f"LEADLINE_KEEP_DAYS={value!r} is not allowed; give whole days, 1 or more, or unset it to keep all.")
    return int(value)

"""What the environment decides: read here, once, and nowhere else."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process.

    Attributes:
        home: the data folder (store, libraries). `LEADLINE_HOME`, or the user's data folder of this platform.
        database_url: `LEADLINE_DATABASE_URL`: a PostgreSQL URL, or None for SQLite in the data folder.
    """

    home: Path
    database_url: str | None = None


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings.

    Args:
        environ: what to read instead of the environment of this process. An empty value counts as unset.
    """
    values = os.environ if environ is None else environ
    home = values.get("LEADLINE_HOME") or platformdirs.user_data_dir("leadline", appauthor=False)
    return Settings(home=Path(home).expanduser().absolute(), database_url=values.get("LEADLINE_DATABASE_URL") or None)

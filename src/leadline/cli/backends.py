"""`leadline backends`: the search backends that `--search` and `--fallback` know."""

import json

from leadline.cli.streams import put
from leadline.library import Library
from leadline.search.registry import Entry, list_entries
from leadline.settings import Settings, load_settings

_ROW = "{name:<12}  {key:<18}  {variable:<20}  {package}"


def list_backends(in_json: bool) -> None:
    """List them by name; a key is never shown."""
    settings = load_settings()
    rows = [_describe(entry, settings) for entry in list_entries()]
    rows.append({"name": Library.name, "key": "not needed", "variable": "", "package": "leadline", "fault": "", "url": "--in"})
    if not in_json:
        put(_ROW.format(name="name", key="key", variable="variable", package="package"))
    for row in sorted(rows, key=lambda row: (row["name"], row["package"])):
        fault = f": {row['fault']}" if row["fault"] else ""
        put(json.dumps(row) if in_json else _ROW.format_map({**row, "package": f"{row['package']}{fault}"}).rstrip())


def _describe(entry: Entry, settings: Settings) -> dict[str, str]:
    provider = entry.provider
    if provider is None:
        return {"name": entry.name, "key": "", "variable": "", "package": entry.package, "fault": entry.fault, "url": ""}
    own = settings.find_search(entry.name)
    key = "not needed" if provider.key == "none" else "set" if own.key else f"not set ({provider.key})"
    variable = provider.variable if provider.key != "none" else "" if provider.url else provider.url_variable
    url = "set" if own.url else "its own" if provider.url else "not set"
    return {"name": entry.name, "key": key, "variable": variable, "package": entry.package, "fault": "", "url": url}

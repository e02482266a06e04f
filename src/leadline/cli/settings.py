"""`leadline config` and `leadline doctor`: what is set, and whether it works."""

import json
from dataclasses import asdict

from leadline.cli.streams import put
from leadline.configuring import find_path, list_settings, set_value
from leadline.doctor import Finding, examine
from leadline.settings import load_settings


def show_path() -> None:
    """Print where the settings file is."""
    put(str(find_path(load_settings())))


def show(in_json: bool) -> None:
    """Print what is set and where."""
    shown = list_settings(load_settings())
    if in_json:
        for one in shown:
            put(json.dumps(asdict(one), ensure_ascii=False))
        return
    if not shown:
        put("Nothing is set: all is at its default.")
    width = max((len(one.name) for one in shown), default=0)
    for one in shown:
        put(f"{one.name:{width}}  {one.value}  ({one.origin})")


def change(name: str, value: str) -> None:
    """Set a value and say where."""
    path = set_value(load_settings(), name, value)
    put(f"{name} is {'set' if value else 'taken out'} in {path}")


async def run_doctor(in_json: bool, offline: bool) -> int:
    """Print how each part is; return 1 when one does not work."""
    findings = await examine(load_settings(), offline)
    for finding in findings:
        put(json.dumps(asdict(finding), ensure_ascii=False) if in_json else _describe(finding))
    return int(not all(finding.well for finding in findings))


def _describe(finding: Finding) -> str:
    line = f"{'ok  ' if finding.well else 'FAIL'}  {finding.part:<9} {finding.words}"
    return f"{line}\n{'':16}→ {finding.fix}" if finding.fix else line

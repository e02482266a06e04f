"""Are the constants fitted to SummHay's topics? `LEADLINE_EVAL_DATA=… python -m bench.held_out`, some ten minutes.

Each topic is left out in turn, and the setting that is best on the others is judged on it: what counts is how little is lost
against the setting that is best there.
"""

import asyncio
import os
from pathlib import Path

from leadline.analysts.extractive import groups
from leadline.evaluation.summhay import measure_summhay

SETTINGS = {
    "in use": {},
    "agree from .36": {"_AGREE": 0.36},
    "agree from .48": {"_AGREE": 0.48},
    "background .25": {"_BACKGROUND": 0.25},
    "background .75": {"_BACKGROUND": 0.75},
    "repeats from .3": {"_REPEATS": 0.3},
    "repeats from .5": {"_REPEATS": 0.5},
}
"""Name → constants of `analysts/extractive/groups.py` that are other than in use."""

_TOPIC = "summhay joint of topic "


async def measure_setting(data: Path, setting: dict[str, float]) -> dict[str, float]:
    """Return SummHay's joint by topic with some constants changed."""
    used = {name: getattr(groups, name) for name in setting}
    for name, value in setting.items():
        setattr(groups, name, value)
    measures = await measure_summhay(data)
    for name, value in used.items():
        setattr(groups, name, value)
    return {one.name.removeprefix(_TOPIC): one.mean for one in measures if one.name.startswith(_TOPIC)}


def main() -> None:
    """Measure and print."""
    data = os.environ.get("LEADLINE_EVAL_DATA")
    if not data:
        raise SystemExit("Set LEADLINE_EVAL_DATA to the folder with SummHay in `summhay`.")
    joints = {name: asyncio.run(measure_setting(Path(data, "summhay"), setting)) for name, setting in SETTINGS.items()}
    topics = sorted(joints["in use"])
    print("\n".join([f"| joint | {' | '.join(f'topic {topic}' for topic in topics)} |", "|---" * (len(topics) + 1) + "|"]))
    for name, joint in joints.items():
        print(f"| {name} | {' | '.join(f'{joint[topic]:.3f}' for topic in topics)} |")
    for topic in topics:
        chosen = max(joints, key=lambda name: sum(joints[name][other] for other in topics if other != topic))
        best = max(joint[topic] for joint in joints.values())
        print(
            f"\nChosen without topic {topic}: {chosen}; there {joints[chosen][topic]:.3f}, the best setting there {best:.3f}."
        )


if __name__ == "__main__":
    main()

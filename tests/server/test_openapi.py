"""The API does what its description says: requests made up from the description, by the thousand."""

import asyncio
import sys
from pathlib import Path

from tests.server.conftest import begin, follow, served, upload

from leadline.server.access import Access

EXAMPLES = 3
"""Of each operation, for each kind of request that is made up."""


async def test_what_is_made_up_from_the_description_is_answered_as_described(tmp_path: Path) -> None:
    async with served(Access(changes_a_minute=1_000_000)) as client:
        await client.post("/api/v1/libraries", json=upload())
        await follow(client, (await begin(client))["id"])
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            "run",
            str(client.base_url.join("/api/v1/openapi.json")),
        ]
        options = [f"--max-examples={EXAMPLES}", "--seed=1", "--no-color", "--request-timeout=30"]
        process = await asyncio.create_subprocess_exec(
            *command, *options, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, cwd=tmp_path
        )
        said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()

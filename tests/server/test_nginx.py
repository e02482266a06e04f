"""Behind a real nginx: over TLS, under a part of its addresses, with the user that it has asked for a password."""

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from tests.server.conftest import question, served, upload

from leadline.server.access import Access, read_networks

pytestmark = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed: apt-get install nginx-light")

ACCESS = Access(
    token="s3cret",
    allowed_hosts=frozenset({"research.example"}),
    root_path="/leadline",
    proxies=read_networks(["127.0.0.1"]),
    user_header="X-Forwarded-User",
)

CONFIGURATION = """\
daemon off;
user root;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u;
  scgi_temp_path {folder}/s;
  server {{
    listen unix:{folder}/socket ssl;
    ssl_certificate {folder}/certificate; ssl_certificate_key {folder}/key;
    client_max_body_size 50m;
    location /leadline/ {{
      auth_basic "Leadline"; auth_basic_user_file {folder}/users;
      proxy_pass {behind};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-User $remote_user;
      proxy_set_header Authorization "";
    }}
  }}
}}
"""


@asynccontextmanager
async def proxied(folder: Path, behind: str) -> AsyncIterator[httpx.AsyncClient]:
    """Run nginx before a server, and yield a client that knows the password."""
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=research.example"]
    names = ["-addext", "subjectAltName=DNS:research.example"]
    files = ["-keyout", str(folder / "key"), "-out", str(folder / "certificate")]
    subprocess.run([*make, *names, *files], check=True, capture_output=True)
    (folder / "users").write_text("ada:{PLAIN}enigma\n", encoding="utf-8")
    (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, behind=behind), encoding="utf-8")
    nginx = await asyncio.create_subprocess_exec("nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log"))
    try:
        while not (folder / "socket").exists():
            assert nginx.returncode is None, (folder / "error.log").read_text(encoding="utf-8")
            await asyncio.sleep(0.02)
        known = ssl.create_default_context(cafile=str(folder / "certificate"))
        transport = httpx.AsyncHTTPTransport(verify=known, uds=str(folder / "socket"))
        async with httpx.AsyncClient(transport=transport, base_url="https://research.example", timeout=30) as client:
            client.auth = ("ada", "enigma")
            yield client
    finally:
        nginx.terminate()
        await nginx.wait()


@pytest.mark.parametrize("rest", ["/leadline/", "/", ""], ids=["kept", "stripped", "as it came"])
async def test_the_journey_through_a_proxy(tmp_path: Path, rest: str) -> None:
    folder = tmp_path / "nginx"
    folder.mkdir(mode=0o755)
    async with served(ACCESS) as direct, proxied(folder, f"{str(direct.base_url).rstrip('/')}{rest}") as client:
        client.headers["Origin"] = "https://research.example"
        client.base_url = httpx.URL("https://research.example/leadline")
        assert (await client.post("/api/v1/libraries", json=upload())).status_code == 201
        begun = await client.post("/api/v1/runs", json=question(review_plan=True))
        run = begun.json()
        assert begun.headers["location"] == f"/leadline/api/v1/runs/{run['id']}"
        assert run["owner"] == "ada"
        async with client.stream("GET", f"/api/v1/runs/{run['id']}/events") as response:
            types = []
            async for line in response.aiter_lines():
                if line.startswith("data: "):
                    types.append(json.loads(line[6:])["type"])
                    if types[-1] == "plan" and "done" not in types:  # the run waits, and what it has said is here
                        approved = await client.post(f"/api/v1/runs/{run['id']}/approve", json={})
                        assert approved.status_code in (202, 409)
            assert types[-1] == "done"
        for origin in ("http://research.example", "https://evil.example"):
            refused = await client.post("/api/v1/runs", json=question(), headers={"Origin": origin})
            assert refused.status_code == 403
        report = await client.get(f"/api/v1/runs/{run['id']}/report", params={"format": "html"})
        assert report.headers["content-disposition"].startswith("attachment")


async def test_nobody_gets_past_the_proxy(tmp_path: Path) -> None:
    folder = tmp_path / "nginx"
    folder.mkdir(mode=0o755)
    async with served(ACCESS) as direct, proxied(folder, f"{str(direct.base_url).rstrip('/')}/leadline/") as client:
        client.auth = httpx.Auth()
        assert (await client.get("/leadline/api/v1/runs")).status_code == 401
        client.auth = ("ada", "enigma")
        forged = await client.get(
            "/leadline/api/v1/config", headers={"X-Forwarded-User": "root", "X-Forwarded-For": "127.0.0.1"}
        )
        assert forged.json()["user"] == "ada"
